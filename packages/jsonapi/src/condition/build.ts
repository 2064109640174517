import type { ColumnMeta, ModelMeta, RelationMeta } from '../model/meta.ts'
import type { Row } from '../model/where.ts'
import type { Compare, Condition, Constant, Json, JsonOperator, Mode, Operator, Quantifier } from './condition.ts'

export const everything: Constant = Object.freeze({ kind: 'constant', holds: true })
export const nothing: Constant = Object.freeze({ kind: 'constant', holds: false })

/** Unknown for every row, as a comparison with NULL. Conditions have it while they are built: `decide` takes it out. */
export const undecided: Constant = Object.freeze({ kind: 'constant', holds: null })

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
  if (condition === undecided) return undecided
  if (condition.kind === 'constant') return condition.holds ? nothing : everything
  if (condition.kind === 'not') return condition.condition
  return Object.freeze({ kind: 'not', condition })
}

/** @throws {Error} for a value that is undefined: it would be no condition to Prisma, and so hold for every row. */
export function compare(column: ColumnMeta, operator: Operator, value: unknown, mode: Compare['mode'] = null): Compare {
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
export const equals = (model: ModelMeta, column: string, value: unknown): Compare =>
  compare(columnOf(model, column), 'equals', value)

/** The columns of the model that the row names have the values that it has. */
export const equalsEach = (model: ModelMeta, row: Row): readonly Compare[] =>
  Object.keys(row).map((column) => equals(model, column, row[column]))

/** The columns have one of the lists of values. */
export function among(columns: readonly ColumnMeta[], keys: readonly (readonly unknown[])[]): Condition {
  const [column] = columns as [ColumnMeta]
  if (columns.length === 1) {
    const values = keys.map(([value]) => value)
    return compare(column, 'in', values)
  }
  return any(keys.map((values) => all(...columns.map((each, i) => compare(each, 'equals', values[i])))))
}

/** @throws {Error} for a name that is none of the model's columns. */
export const columnOf = ({ name, columns }: ModelMeta, column: string): ColumnMeta =>
  own(columns, column) ?? unknown(`${name} has no column ${column}.`)

export const columnsOf = (model: ModelMeta, names: readonly string[]): readonly ColumnMeta[] =>
  names.map((name) => columnOf(model, name))

/** @throws {Error} for a name that is none of the model's relations. */
export const relationOf = ({ name, relations }: ModelMeta, relation: string): RelationMeta =>
  own(relations, relation) ?? unknown(`${name} has no relation ${relation}.`)

const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

const unknown = (message: string): never => {
  throw new Error(message)
}
