import type { ColumnMeta } from '../model/meta.ts'
import { nearest } from '../model/nearest.ts'
import { all, compare, json, not } from './build.ts'
import { type Condition, type JsonOperator, jsonOperators, type Mode, type Operator, operators } from './condition.ts'
import { isPlain } from './plain.ts'

type Filter = Readonly<Record<string, unknown>>

/** What a filter puts on one column: a bare value, null, or operators that all have to hold; null where it says nothing. */
export function parseColumn(column: ColumnMeta, filter: unknown): Condition | null {
  if (column.type === 'Json' && !column.isList)
    return isPlain(filter) ? parseJson(column, filter) : whole(column, filter)
  if (!isPlain(filter)) return compare(column, 'equals', filter)
  return parseOperators(column, filter, modeOf(column, filter), comparedBy)
}

type Make = (column: ColumnMeta, operator: Operator, value: unknown, mode: Mode) => Condition | null

function parseOperators(column: ColumnMeta, filter: Filter, mode: Mode, make: Make): Condition | null {
  const conditions: Condition[] = []
  for (const name of Object.keys(filter)) {
    const value = filter[name]
    if (name === 'mode' || value === undefined) continue
    if (!isOperator(name)) throw unknownOperator(column, name, operators)
    const condition = make(column, name, value, mode)
    if (condition !== null) conditions.push(condition)
  }
  return conditions.length === 0 ? null : all(...conditions)
}

const isOperator = (name: string): name is Operator => (operators as readonly string[]).includes(name)

const comparedBy: Make = (column, operator, value, mode) => {
  if (operator !== 'not' || !isPlain(value)) return compare(column, operator, value, mode)
  return parseOperators(column, value, modeOf(column, value) ?? mode, denied)
}

const opposite: Partial<Record<Operator, Operator>> = {
  equals: 'not',
  in: 'notIn',
  notIn: 'in',
  lt: 'gte',
  lte: 'gt',
  gt: 'lte',
  gte: 'lt',
}

/** An operator inside of `not`, which Prisma moves into each of them. */
const denied: Make = (column, operator, value, mode) => {
  const other = opposite[operator]
  if (other) return compare(column, other, value, mode)
  const condition = comparedBy(column, operator, value, mode)
  return condition && not(condition)
}

function modeOf(column: ColumnMeta, { mode }: Filter): Mode {
  if (mode === undefined || mode === 'default') return null
  if (mode === 'insensitive') return mode
  throw new Error(`${column.name}: the mode is default or insensitive.`)
}

const whole = (column: ColumnMeta, value: unknown): Condition => json(column, null, { operator: 'equals', value })

// What stands behind `not` of a Json column is a value, even where it looks like operators.
function parseJson(column: ColumnMeta, filter: Filter): Condition | null {
  const mode = modeOf(column, filter)
  const { path = null } = filter
  const conditions: Condition[] = []
  for (const name of Object.keys(filter)) {
    const value = filter[name]
    if (name === 'mode' || name === 'path' || value === undefined) continue
    if (!isJsonOperator(name)) throw unknownOperator(column, name, jsonOperators)
    conditions.push(json(column, path, { operator: name, value, mode }))
  }
  return conditions.length === 0 ? null : all(...conditions)
}

const isJsonOperator = (name: string): name is JsonOperator => (jsonOperators as readonly string[]).includes(name)

function unknownOperator({ name }: ColumnMeta, operator: string, known: readonly string[]): Error {
  const meant = nearest(operator, [...known])
  return new Error(`${name} has no operator "${operator}".${meant ? ` Did you mean "${meant}"?` : ''}`)
}
