import type { ColumnMeta, Provider } from '@prismapi/jsonapi/model/meta'
import { Decimal } from '@prismapi/jsonapi/model/prisma-values'
import { decimalSize, holds, integerRange, kindOf } from '@prismapi/jsonapi/schema/attributes'
import type { Attribute, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { type Failure, failure } from '../failures/failure.ts'
import { isBigInt, isDecimal } from '../rules/value-schemas.ts'
import type { ValidationContext } from './validation-context.ts'

export interface ColumnValues {
  readonly attributes: ReadonlyMap<string, unknown>
  readonly failures: readonly Failure[]
}

export interface ColumnOptions {
  readonly provider: Provider
  /** The fields that failed a rule: nothing more is said of them. */
  readonly failed: ReadonlySet<string>
}

/**
 * The columns' values of the attributes among what was sent and has a rule. However loose the rule, a value
 * that its column cannot hold is refused here: Prisma would read an object such as `{ increment: 1 }` as a command.
 */
export function columnValues(
  schema: ResourceSchema,
  sent: ReadonlyMap<string, unknown>,
  options: ColumnOptions,
): ColumnValues {
  const attributes = new Map<string, unknown>()
  const failures: Failure[] = []
  for (const [name, value] of sent) {
    const attribute = schema.attributes.get(name)
    if (!attribute || options.failed.has(name)) continue
    const unstorable = findUnstorable(value, options.provider)
    if (unstorable) failures.push(failure([name, ...unstorable], 'storable'))
    else fillOne(attribute, value, { attributes, failures, provider: options.provider })
  }
  return { attributes, failures }
}

function fillOne(
  attribute: Attribute,
  value: unknown,
  out: { attributes: Map<string, unknown>; failures: Failure[]; provider: Provider },
): void {
  const { name, column } = attribute
  if (column && value === null && !column.isNullable) {
    out.failures.push(failure([name], 'nullable'))
    return
  }
  const filled = toColumnValue(attribute, value)
  if (column && value !== null && (filled === unfit || !fitsColumn(column, filled, attribute.values))) {
    out.failures.push(
      outOfRange(attribute, column, filled) ??
        failure([name], ruleOf(attribute, column), { value, params: { values: attribute.values?.join(', ') } }),
    )
  } else if (column && filled !== null && !holdsAll(column, out.provider, filled)) {
    out.failures.push(failure([name], 'exact', { value, params: digitsOf(column, out.provider) }))
  } else out.attributes.set(name, filled)
}

/** Of an integer that is one, but larger or smaller than any of its column; null where that is not the fault. */
function outOfRange({ name }: Attribute, column: ColumnMeta, filled: unknown): Failure | null {
  if (kindOf(column) !== 'integer' || !Number.isInteger(filled)) return null
  const { min, max } = integerRange(column)
  return (filled as number) < min
    ? failure([name], 'min', { value: filled, params: { min } })
    : failure([name], 'max', { value: filled, params: { max } })
}

const holdsAll = (column: ColumnMeta, provider: Provider, filled: unknown): boolean =>
  column.isList
    ? (filled as readonly unknown[]).every((each) => holds(column, provider, each))
    : holds(column, provider, filled)

/** How many digits a decimal column has room for. SQLite keeps those of a double. */
function digitsOf(column: ColumnMeta, provider: Provider): Readonly<Record<string, unknown>> {
  if (column.type !== 'Decimal') return {}
  const size = decimalSize(column, provider)
  return size === null ? { digits: 15 } : { digits: size.precision, scale: size.scale }
}

const unfit = Symbol('unfit')

// Our conversions throw for what no such column has (`BigInt('x')`); a fault of the application's own is to be heard.
function toColumnValue(attribute: Attribute, value: unknown): unknown {
  try {
    return attribute.deserialize(value)
  } catch (error) {
    if (isUnreadable(attribute, value)) return unfit
    throw error
  }
}

function isUnreadable({ kind, isList }: Attribute, value: unknown): boolean {
  if (isList && !Array.isArray(value)) return true
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (kind === 'bigint') return values.some((each) => typeof each !== 'string' || !isBigInt(each))
  return kind === 'bytes' && values.some((each) => typeof each !== 'string')
}

const rules: Partial<Record<Attribute['kind'], string>> = { float: 'number', datetime: 'dateTime', enum: 'enumOf' }

const ruleOf = ({ kind }: Attribute, { isList }: ColumnMeta): string => (isList ? 'array' : (rules[kind] ?? kind))

/** Can the column hold the value, which is not null: its type, not its meaning. */
export function fitsColumn(column: ColumnMeta, value: unknown, values: readonly string[] | null): boolean {
  if (!column.isList) return fits(column, value, values)
  return Array.isArray(value) && value.every((each) => fits(column, each, values))
}

function fits(column: ColumnMeta, value: unknown, values: readonly string[] | null): boolean {
  const kind = kindOf(column)
  switch (kind) {
    case 'string':
      return typeof value === 'string'
    case 'integer': {
      const { min, max } = integerRange(column)
      return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
    }
    case 'bigint':
      return typeof value === 'bigint' && BigInt.asIntN(64, value) === value
    case 'float':
      return Number.isFinite(value)
    case 'decimal':
      return typeof value === 'string' ? isDecimal(value) : Number.isFinite(value) || isDecimalObject(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'datetime':
    case 'date':
    case 'time':
      return value instanceof Date && isInstant(value)
    case 'bytes':
      return value instanceof Uint8Array
    case 'enum':
      return typeof value === 'string' && values?.includes(value) === true
    case 'json':
      return value !== undefined && value !== null
    default:
      return kind satisfies never
  }
}

// What an application converts a value to; a column of SQLite has no room for NaN, and documents have none either.
const isDecimalObject = (value: unknown): boolean => Decimal.isDecimal(value) && (value as Decimal).isFinite()

function isInstant(value: Date): boolean {
  const year = value.getUTCFullYear()
  return year >= 1 && year <= 9999
}

// https://www.postgresql.org/docs/current/datatype-character.html: text cannot hold the character with code zero.
const refusesNull: ReadonlySet<Provider> = new Set(['postgresql', 'cockroachdb'])

/**
 * Where in the value text stands that the database would refuse or change: lone surrogates, and U+0000 where text
 * cannot hold it. Null when there is none. Names of members count as well.
 */
function findUnstorable(value: unknown, provider: Provider): readonly string[] | null {
  if (typeof value === 'string') return isStorable(value, provider) ? null : []
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    if (!isStorable(name, provider)) return []
    const found = findUnstorable(member, provider)
    if (found) return [name, ...found]
  }
  return null
}

const isStorable = (text: string, provider: Provider): boolean =>
  text.isWellFormed() && !(refusesNull.has(provider) && text.includes('\0'))

/** The value for an attribute's column from a document's value that no rule has checked yet; undefined for none. */
export function columnValue(
  { server }: Pick<ValidationContext, 'server'>,
  schema: ResourceSchema,
  { name }: Attribute,
  value: unknown,
): unknown {
  const { provider } = server.resources
  try {
    return columnValues(schema, new Map([[name, value]]), { provider, failed: new Set() }).attributes.get(name)
  } catch {
    // A conversion of the application's own relies on its rules, and they will say what is wrong with the value.
    return undefined
  }
}
