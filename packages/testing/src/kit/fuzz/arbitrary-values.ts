import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import { Decimal } from '@prismapi/jsonapi/model/prisma-values'
import { integerRange, kindOf } from '@prismapi/jsonapi/schema/attributes'
import type { Attribute, AttributeKind, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import fc, { type Arbitrary } from 'fast-check'
import { mostly } from './oddities.ts'

// Values as documents have them, and ids: nearly all of the kind that a column holds.

/** Values of an attribute, nearly all of its kind. */
export function valuesOf(attribute: Attribute): Arbitrary<unknown> {
  const one = usualOf(attribute)
  const usual = attribute.isList ? fc.array(one, { maxLength: 3 }) : one
  return attribute.isNullable ? mostly(fc.option(usual)) : mostly(usual)
}

/** Values of an attribute's kind; of a list, its elements. */
export function usualOf({ name, kind, values, column }: Attribute): Arbitrary<unknown> {
  if (name === 'email') return fc.emailAddress()
  if (name === 'url') return fc.webUrl()
  if (name === 'slug') return fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,8})?$/)
  // A password that is stored costs a hash: this one is always too short.
  if (name.startsWith('password')) return fc.constant('short')
  if (kind === 'enum') return fc.constantFrom(...(values ?? ['x']))
  return byKind[kind](column)
}

type OfColumn = (column: ColumnMeta | null) => Arbitrary<unknown>

const nativeOf = (column: ColumnMeta | null): readonly (string | undefined)[] => column?.native ?? []

const byKind: Readonly<Record<Exclude<AttributeKind, 'enum'>, OfColumn>> = {
  string: (column) => {
    const [native = '', size] = nativeOf(column)
    if (native === 'Uuid') return fc.uuid()
    const maxLength = /char$/i.test(native) && Number(size) > 0 ? Math.min(Number(size), 12) : 12
    const length = { minLength: 1, maxLength }
    return mostly(fc.string(length), fc.string({ unit: 'binary', ...length }), 4)
  },
  integer: (column) =>
    nativeOf(column)[0] === 'SmallInt' ? fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 }) : fc.integer(),
  bigint: () => fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  float: () => fc.double({ noNaN: true, min: -1, max: 6 }),
  decimal: (column) => decimals(column).map((value) => value.toFixed()),
  boolean: () => fc.boolean(),
  datetime: () => fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  date: () => days.map((date) => date.toISOString().slice(0, 10)),
  time: () => days.map((date) => date.toISOString().slice(11, 19)),
  json: () => fc.jsonValue({ maxDepth: 2 }).filter((value) => value !== null),
  bytes: () => fc.uint8Array({ maxLength: 12 }).map(base64),
}

const days = fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') })

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** Of the digits that the column has; of few, where it does not say. */
function decimals(column: ColumnMeta | null): Arbitrary<Decimal> {
  const [native, precision = '10', scale = '0'] = nativeOf(column)
  const [digits, behind] = native === 'Decimal' ? [Number(precision), Number(scale)] : [10, 4]
  const most = 10 ** Math.min(digits, 9) - 1
  return fc.integer({ min: -most, max: most }).map((value) => new Decimal(value).div(10 ** behind))
}

/** Ids that a new resource of the type may have. */
export function newIds({ id, model, attributes }: ResourceSchema): Arbitrary<string> {
  const parts = id.columns.map((name) => {
    const { values } = [...attributes.values()].find(({ column }) => column?.name === name) ?? {}
    return values ? fc.constantFrom(...values) : keyPart(model.columns[name] as ColumnMeta)
  })
  const ids = fc
    .tuple(...parts)
    .map((values) => id.format(Object.fromEntries(values.map((value, i) => [id.columns[i], value]))))
  return mostly(
    ids.filter((each) => id.pattern.test(each)),
    ids,
  )
}

const made: Readonly<Record<string, () => Arbitrary<string>>> = {
  uuid: () => fc.uuid(),
  ulid: () => fc.ulid(),
  cuid: () => fc.stringMatching(/^[a-z][a-z0-9]{24}$/),
  nanoid: () => fc.stringMatching(/^[A-Za-z0-9_-]{21}$/),
}

/** What a row holds in a column of its key. */
function keyPart(column: ColumnMeta): Arbitrary<unknown> {
  if (column.isEnum) return fc.constant('x')
  const kind = kindOf(column)
  if (kind === 'integer') return fc.integer({ ...integerRange(column), min: 1 })
  if (kind === 'bigint') return fc.bigInt({ min: 1n, max: 2n ** 63n - 1n })
  if (kind === 'float') return fc.integer().map((value) => value / 8)
  if (kind === 'decimal') return decimals(column)
  if (kind === 'boolean') return fc.boolean()
  if (kind === 'datetime') return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
  if (kind === 'date') return days.map((date) => new Date(date.toISOString().slice(0, 10)))
  if (kind === 'time') return days.map((date) => new Date(`1970-01-01T${date.toISOString().slice(11, 19)}Z`))
  if (kind === 'bytes') return fc.uint8Array({ minLength: 1, maxLength: 12 })
  const form = nativeOf(column)[0] === 'Uuid' ? 'uuid' : (column.default ?? '')
  return made[form]?.() ?? fc.string({ minLength: 1, maxLength: 12 })
}
