import type { ColumnMeta, Provider } from '../../model/meta.ts'
import { decimalSize, holds, integerRange } from '../../schema/capacity.ts'
import type { Attribute, ResourceSchema } from '../../schema/resource-schema.ts'
import { kindOf } from '../../schema/values.ts'
import { type Failure, failure } from '../failures/failure.ts'
import { isBigInt } from '../rules/values.ts'
import { findUnstorable, fitsColumn } from './fits-column.ts'

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
