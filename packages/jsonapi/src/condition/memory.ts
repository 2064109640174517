import type { ColumnMeta, Provider } from '../model/meta.ts'
import type { Row } from '../model/where.ts'
import { type Compare, type Condition, type Visitor, visit } from './condition.ts'

/**
 * SQL's three truth values (null is "unknown", as after a comparison with NULL), or `ask`: not to be judged in memory.
 */
export type Verdict = true | false | null | 'ask'

/** What a condition is held against: a row as Prisma returned it, and where it is from. */
export interface Candidate {
  readonly row: Row
  readonly provider: Provider
}

/**
 * Does the condition hold for a row, as the database would say; `ask` where only the database can say it:
 * it leaves the row's own columns, or compares in a way that databases and JavaScript do not agree on.
 */
export const judge = (condition: Condition, candidate: Candidate): Verdict => visit(condition, inMemory, candidate)

const inMemory: Visitor<Verdict, Candidate> = {
  all: ({ conditions }, candidate) => allVerdicts(conditions.map((each) => judge(each, candidate))),
  any: ({ conditions }, candidate) => anyVerdict(conditions.map((each) => judge(each, candidate))),
  not: ({ condition }, candidate) => notVerdict(judge(condition, candidate)),
  compare: judgeColumn,
  json: () => 'ask',
  related: () => 'ask',
  absent: () => 'ask',
  constant: ({ holds }) => holds,
}

function allVerdicts(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(false)) return false
  if (verdicts.includes('ask')) return 'ask'
  return verdicts.includes(null) ? null : true
}

const anyVerdict = (verdicts: readonly Verdict[]): Verdict => notVerdict(allVerdicts(verdicts.map(notVerdict)))

const notVerdict = (verdict: Verdict): Verdict => (typeof verdict === 'boolean' ? !verdict : verdict)

function judgeColumn(node: Compare, { row, provider }: Candidate): Verdict {
  const { column, mode } = node
  const value = row[column.name]
  const values = findComparison(column, provider)
  if (values === null || value === undefined || mode !== null) return 'ask'
  return judgeOperator(node, value, values)
}

function judgeOperator({ operator, value: operand }: Compare, value: unknown, values: Values): Verdict {
  switch (operator) {
    case 'equals':
      return operand === null ? value === null : compareValues(values, value, operand, same)
    case 'not':
      return operand === null ? value !== null : notVerdict(compareValues(values, value, operand, same))
    case 'in':
      return isIn(values, value, operand)
    case 'notIn':
      return notVerdict(isIn(values, value, operand))
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return values.isOrdered ? compareValues(values, value, operand, orders[operator]) : 'ask'
    case 'contains':
    case 'startsWith':
    case 'endsWith':
    case 'search':
    case 'has':
    case 'hasSome':
    case 'hasEvery':
    case 'isEmpty':
      return 'ask'
    default:
      return operator satisfies never
  }
}

type Comparable = string | number | bigint | boolean

/**
 * How values of a column compare exactly as in the database. `read` gives undefined for a value that it does not know.
 */
interface Values {
  readonly isOrdered: boolean
  read(value: unknown): Comparable | undefined
  /**
   * Values that may be the same one to the database, by the collation
   * of a column, which the Prisma schema does not know.
   */
  readonly isAlike?: (one: unknown, other: unknown) => boolean
}

/**
 * Do two texts differ in such ways as collations know: case, accents,
 * width, spaces at the end. Whether they are one, the database says.
 */
export function areAlike(one: unknown, other: unknown): boolean {
  return typeof one === 'string' && typeof other === 'string' && one !== other && foldText(one) === foldText(other)
}

/** What texts that are alike have in common. */
export const foldText = (text: string): string =>
  ascii.test(text)
    ? text.toLowerCase().trimEnd()
    : text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trimEnd()

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ascii = /^[\x00-\x7f]*$/

const name: Values = { isOrdered: false, read: (value) => (typeof value === 'string' ? value : undefined) }
const text: Values = { ...name, isAlike: areAlike }
const truth: Values = { isOrdered: false, read: (value) => (typeof value === 'boolean' ? value : undefined) }
const integer: Values = { isOrdered: true, read: toBigInt }
const float: Values = {
  isOrdered: true,
  read: (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined),
}
const instant: Values = { isOrdered: true, read: toMilliseconds }

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
const opaque: Values = { isOrdered: false, read: () => undefined }

/**
 * Opaque are columns whose comparison is the database's alone: text under a collation
 * of MySQL or SQL Server, `citext`, padded `char`, single-precision floats, decimals,
 * microseconds, bytes. Of JSON (with its two nulls) and lists, nothing.
 */
function findComparison({ type, isEnum, isList, native }: ColumnMeta, provider: Provider): Values | null {
  if (isList || type === 'Json') return null
  if (isEnum) return name
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

type Test = (left: Comparable, right: Comparable) => boolean

const same: Test = (left, right) => left === right
const orders = {
  lt: (left: Comparable, right: Comparable) => left < right,
  lte: (left: Comparable, right: Comparable) => left <= right,
  gt: (left: Comparable, right: Comparable) => left > right,
  gte: (left: Comparable, right: Comparable) => left >= right,
}

function compareValues({ read, isAlike }: Values, value: unknown, operand: unknown, test: Test): Verdict {
  const right = read(operand)
  if (right === undefined) return 'ask'
  if (value === null) return null
  const left = read(value)
  return left === undefined || isAlike?.(left, right) ? 'ask' : test(left, right)
}

function isIn(values: Values, value: unknown, operand: unknown): Verdict {
  if (!Array.isArray(operand)) return 'ask'
  return anyVerdict(operand.map((member) => compareValues(values, value, member, same)))
}

/** The columns of the row itself that a condition compares: a row that has them can mostly be judged in memory. */
export const comparedColumns = (condition: Condition): readonly string[] => visit(condition, visitor, null)

const visitor: Visitor<readonly string[], null> = {
  all: ({ conditions }) => conditions.flatMap(comparedColumns),
  any: ({ conditions }) => conditions.flatMap(comparedColumns),
  not: ({ condition }) => comparedColumns(condition),
  compare: ({ column }) => [column.name],
  // The database is asked.
  json: () => [],
  related: () => [],
  absent: () => [],
  constant: () => [],
}

/** Whether other values of these columns, of the rows that the condition is about, may make it true or false. */
export const dependsOn = (condition: Condition, columns: ReadonlySet<string>): boolean =>
  visit(condition, dependence, columns)

const dependence: Visitor<boolean, ReadonlySet<string>> = {
  all: ({ conditions }, columns) => conditions.some((each) => dependsOn(each, columns)),
  any: ({ conditions }, columns) => conditions.some((each) => dependsOn(each, columns)),
  not: ({ condition }, columns) => dependsOn(condition, columns),
  compare: ({ column }, columns) => columns.has(column.name),
  json: ({ column }, columns) => columns.has(column.name),
  // The rows behind may lead back to these.
  related: () => true,
  absent: () => true,
  constant: () => false,
}
