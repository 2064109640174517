import type { Faker } from '@faker-js/faker'
import type { ColumnMeta, ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { integerRange, kindOf } from '@prismapi/jsonapi/schema/attributes'
import { epoch } from './faker.ts'
import { drawText, numbered } from './text.ts'

export interface Drawing {
  readonly model: ModelMeta
  readonly resources: Resources
  readonly faker: Faker
  /** The row's number among those of its model, from 1 on. */
  readonly n: number
}

/** A value of the column that may stand in several rows. */
export function drawValue(column: ColumnMeta, { model, resources, faker }: Drawing): unknown {
  switch (kindOf(column)) {
    case 'string':
      return drawText(column, model, faker)
    case 'integer':
      return faker.number.int({ min: 1, max: 100 })
    case 'bigint':
      return faker.number.bigInt({ min: 1n, max: 1_000_000n })
    case 'float':
      return faker.number.float({ min: 0, max: 5, fractionDigits: 1 })
    case 'decimal':
      return faker.number
        .float({ min: 1, max: largest(column), fractionDigits: scaleOf(column) })
        .toFixed(scaleOf(column))
    case 'boolean':
      return faker.datatype.boolean()
    case 'datetime':
    case 'date':
    case 'time':
      return fittedDate(faker.date.past(), column)
    case 'enum':
      return faker.helpers.arrayElement(resources.enums[column.type]?.values ?? [])
    case 'json':
      return { [faker.lorem.word()]: faker.lorem.words(2) }
    case 'bytes':
      return Buffer.from(faker.string.hexadecimal({ length: 16, prefix: '' }), 'hex')
  }
}

// Beyond what other rows are likely to have counted up to.
const first = 1_000_000

/** A value of the column that no other row of these factories has. */
export function uniqueValue(column: ColumnMeta, drawing: Drawing): unknown {
  const { n, resources, model, faker } = drawing
  switch (kindOf(column)) {
    case 'string':
      return numbered(drawText(column, model, faker), n, column)
    case 'integer':
      return integerRange(column).max > first ? first + n : n
    case 'bigint':
      return BigInt(first + n)
    case 'float':
    case 'decimal':
      return n
    case 'boolean':
      return n % 2 === 0
    case 'datetime':
    case 'date':
    case 'time':
      return fittedDate(new Date(epoch.getTime() + n * (kindOf(column) === 'date' ? day : second)), column)
    case 'enum': {
      const values = resources.enums[column.type]?.values ?? []
      return values[n % values.length]
    }
    case 'json':
      return { n }
    case 'bytes':
      return Buffer.from(n.toString(16).padStart(16, '0'), 'hex')
  }
}

const second = 1000
const day = 86_400 * second

/** One second after the row before it. */
export const momentOf = (n: number, column: ColumnMeta): Date =>
  fittedDate(new Date(epoch.getTime() + n * second), column)

// PostgreSQL keeps the part of a moment that the column has room for.
function fittedDate(date: Date, column: ColumnMeta): Date {
  const kind = kindOf(column)
  const [type = '', digits] = column.native ?? []
  const text = date.toISOString()
  if (kind === 'date') return new Date(text.slice(0, 10))
  if (kind === 'time' || type === 'Timetz') return new Date(`1970-01-01T${text.slice(11, 19)}Z`)
  return digits === undefined || Number(digits) >= 3 ? date : new Date(`${text.slice(0, 19)}Z`)
}

function largest(column: ColumnMeta): number {
  const [, precision = '10'] = column.native ?? []
  return Math.min(100, 10 ** (Number(precision) - scaleOf(column)) - 1)
}

const scaleOf = ({ native }: ColumnMeta): number =>
  native?.[1] === undefined ? 2 : Math.min(2, Number(native[2] ?? 0))
