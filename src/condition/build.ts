import type { ColumnMeta, ModelMeta, RelationMeta } from '../model/meta.ts'
import type { Row } from '../model/where.ts'
import type { Condition, Constant, Json, JsonOperator, Mode, Operator, Quantifier } from './condition.ts'

export const everything: Constant = Object.freeze({ kind: 'constant', holds: true })
export const nothing: Constant = Object.freeze({ kind: 'constant', holds: false })

export const isEverything = (condition: Condition): boolean => condition === everything

/** Every condition that is given. */
export function all(...given: readonly (Condition | null | undefined)[]): Condition {
  const conditions: Condition[] = []
  for (const condition of given) {
    if (condition === nothing) return nothing
    if (condition && condition !== everything) conditions.push(condition)
  }
  if (conditions.length < 2) return conditions[0] ?? everything
  return Object.freeze({ kind: 'all', conditions: Object.freeze(conditions) })
}

/** At least one of the conditions: no row meets one of none. */
export function any(given: readonly Condition[]): Condition {
  const conditions: Condition[] = []
  for (const condition of given) {
    if (condition === everything) return everything
    if (condition !== nothing) conditions.push(condition)
  }
  if (conditions.length < 2) return conditions[0] ?? nothing
  return Object.freeze({ kind: 'any', conditions: Object.freeze(conditions) })
}

export function not(condition: Condition): Condition {
  if (condition.kind === 'constant') return condition.holds ? nothing : everything
  if (condition.kind === 'not') return condition.condition
  return Object.freeze({ kind: 'not', condition })
}

/** @throws {Error} for a value that is undefined: it would be no condition to Prisma, and so hold for every row. */
export function compare(column: ColumnMeta, operator: Operator, value: unknown, mode: Mode = null): Condition {
  if (value === undefined) throw new Error(`There is no value to compare the column ${column.name} with.`)
  return Object.freeze({ kind: 'compare', column, operator, value, mode })
}

export const json = (
  column: ColumnMeta,
  path: unknown,
  { operator, value, mode = null }: { operator: JsonOperator; value: unknown; mode?: Mode },
): Json => Object.freeze({ kind: 'json', column, path, operator, value, mode })

/** A condition on the rows behind a relation. */
export function related(relation: RelationMeta, quantifier: Quantifier, condition: Condition): Condition {
  if (condition === nothing && quantifier !== 'every') return quantifier === 'none' ? everything : nothing
  if (quantifier === 'every') {
    if (condition === everything) return everything
    if (condition === nothing) return related(relation, 'none', everything)
  }
  return Object.freeze({ kind: 'related', relation, quantifier, condition })
}

export const absent = (relation: RelationMeta): Condition => Object.freeze({ kind: 'absent', relation })

/** A column of the model equals a value, or is without one where that is null. */
export const equals = (model: ModelMeta, column: string, value: unknown): Condition =>
  compare(columnOf(model, column), 'equals', value)

/** Columns of the model have the values that the row has by their names. */
export const equalsEach = (model: ModelMeta, values: Row): Condition =>
  all(...Object.keys(values).map((column) => equals(model, column, values[column])))

/** The columns have one of the lists of values. */
export function among(model: ModelMeta, columns: readonly string[], keys: readonly (readonly unknown[])[]): Condition {
  const [column] = columns as [string]
  if (columns.length === 1)
    return compare(
      columnOf(model, column),
      'in',
      keys.map(([value]) => value),
    )
  return any(keys.map((values) => all(...columns.map((name, i) => equals(model, name, values[i])))))
}

const columnOf = ({ name, columns }: ModelMeta, column: string): ColumnMeta =>
  own(columns, column) ?? unknown(`${name} has no column ${column}.`)

const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

const unknown = (message: string): never => {
  throw new Error(message)
}
