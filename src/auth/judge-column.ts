import type { ColumnMeta, Provider } from '../model/meta.ts'
import { isPlain } from './conditions.ts'
import { all, any, not, type Verdict } from './verdict.ts'

type Comparable = string | number | bigint | boolean

/** How values of a column compare exactly as in the database. `read` gives undefined for a value that it does not know. */
interface Comparison {
  readonly isOrdered: boolean
  read(value: unknown): Comparable | undefined
}

const text: Comparison = { isOrdered: false, read: (value) => (typeof value === 'string' ? value : undefined) }
const truth: Comparison = { isOrdered: false, read: (value) => (typeof value === 'boolean' ? value : undefined) }
const integer: Comparison = { isOrdered: true, read: toBigInt }
const float: Comparison = {
  isOrdered: true,
  read: (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined),
}
const instant: Comparison = { isOrdered: true, read: toMilliseconds }

function toBigInt(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined
}

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:\d\d)$/

function toMilliseconds(value: unknown): number | undefined {
  const date = typeof value === 'string' && iso.test(value) ? new Date(value) : value
  const time = date instanceof Date ? date.getTime() : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

/** Of such a column only whether it is null can be told. */
const opaque: Comparison = { isOrdered: false, read: () => undefined }

/**
 * Opaque are columns whose comparison is the database's alone: text under a collation of MySQL or SQL Server, `citext`,
 * padded `char`, single-precision floats, decimals, microseconds, bytes. Of JSON (with its two nulls) and lists, nothing.
 */
function comparisonOf({ type, isEnum, isList, native }: ColumnMeta, provider: Provider): Comparison | null {
  if (isList || type === 'Json') return null
  if (isEnum) return text
  switch (type) {
    case 'Int':
    case 'BigInt':
      return integer
    case 'Boolean':
      return truth
    case 'Float':
      return native ? opaque : float
    case 'DateTime':
      return !native || isToMilliseconds(native) ? instant : opaque
    case 'String':
      return comparesBytes(provider) && (!native || plainText.has(native[0] ?? '')) ? text : opaque
    default:
      return opaque
  }
}

/** A row of such a column has all that the database has. */
const isToMilliseconds = ([type, digits = '6']: readonly string[]): boolean =>
  /^(Timestamp|Timestamptz|DateTime)$/.test(type ?? '') && Number(digits) <= 3

const comparesBytes = (provider: Provider): boolean => provider === 'sqlite' || provider === 'postgresql'
const plainText: ReadonlySet<string> = new Set(['Text', 'VarChar'])

/** Judges one column's filter; anything but the operators whose meaning is the same everywhere is `ask`. */
export function judgeColumn(column: ColumnMeta, provider: Provider, value: unknown, filter: unknown): Verdict {
  const comparison = comparisonOf(column, provider)
  return comparison && value !== undefined ? judgeFilter(comparison, value, filter) : 'ask'
}

const operators: ReadonlySet<string> = new Set(['equals', 'not', 'in', 'notIn', 'lt', 'lte', 'gt', 'gte'])

function judgeFilter(comparison: Comparison, value: unknown, filter: unknown): Verdict {
  if (!isPlain(filter)) return judgeOperator(comparison, value, 'equals', filter)
  // `mode` changes what its neighbours mean, and so may whatever else is not known here.
  if (!Object.keys(filter).every((operator) => operators.has(operator))) return 'ask'
  return all(Object.entries(filter).map(([operator, operand]) => judgeOperator(comparison, value, operator, operand)))
}

function judgeOperator(comparison: Comparison, value: unknown, operator: string, operand: unknown): Verdict {
  switch (operator) {
    case 'equals':
      if (operand === null) return value === null
      return compare(comparison, value, operand, (left, right) => left === right)
    case 'not':
      // How Prisma negates several operators inside of one `not` is not written down anywhere.
      if (isPlain(operand) && Object.keys(operand).length !== 1) return 'ask'
      return not(judgeFilter(comparison, value, operand))
    case 'in':
      return judgeList(comparison, value, operand)
    case 'notIn':
      return not(judgeList(comparison, value, operand))
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return comparison.isOrdered ? compare(comparison, value, operand, orders[operator]) : 'ask'
    default:
      return 'ask'
  }
}

const orders = {
  lt: (left: Comparable, right: Comparable) => left < right,
  lte: (left: Comparable, right: Comparable) => left <= right,
  gt: (left: Comparable, right: Comparable) => left > right,
  gte: (left: Comparable, right: Comparable) => left >= right,
}

type Test = (left: Comparable, right: Comparable) => boolean

function compare({ read }: Comparison, value: unknown, operand: unknown, test: Test): Verdict {
  const right = read(operand)
  if (right === undefined) return 'ask'
  if (value === null) return null
  const left = read(value)
  return left === undefined ? 'ask' : test(left, right)
}

function judgeList(comparison: Comparison, value: unknown, operand: unknown): Verdict {
  if (!Array.isArray(operand)) return 'ask'
  const verdicts = operand.map((member) => compare(comparison, value, member, (left, right) => left === right))
  return any(verdicts)
}
