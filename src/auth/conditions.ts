import type { ModelMeta, Resources } from '../model/meta.ts'
import { nearest } from '../model/nearest.ts'
import { every, nothing, some, type Where } from '../model/where.ts'

type Models = Resources['models']

/**
 * A rule's condition in the one form that the database, the in-memory judge and a combined `where` all understand
 * alike. Prisma drops `undefined` and empty branches silently, so that a condition on `user?.id` would hold for every
 * row; here they are errors. An empty `OR` is spelled out as "no row"; `{}` is what an unconditional rule becomes.
 *
 * @throws Error for a field that the model lacks, an `undefined`, or an empty branch.
 */
export function toCondition(where: unknown, model: ModelMeta, models: Models): Where {
  if (!isPlain(where)) throw new Error('a condition must be a Prisma where object.')
  const fields: Record<string, unknown> = {}
  const clauses: Where[] = []
  for (const [key, value] of Object.entries(where)) {
    if (value === undefined) throw new Error(`${key} is undefined. ${leaveOut}`)
    if (isLogical(key)) clauses.push(toClause(key, value, model, models))
    else fields[key] = toFilter(key, value, model, models)
  }
  return every(fields, ...clauses)
}

const leaveOut = 'Leave the rule out when there is nothing to compare with.'

type Logical = 'AND' | 'OR' | 'NOT'
const isLogical = (key: string): key is Logical => key === 'AND' || key === 'OR' || key === 'NOT'

function toClause(key: Logical, value: unknown, model: ModelMeta, models: Models): Where {
  const branches = (Array.isArray(value) ? value : [value]).map((branch) => toCondition(branch, model, models))
  if (key === 'AND') return every(...branches)
  if (key === 'OR') return some(branches.map(notEmpty(key)), nothing(model.key[0] as string))
  return every(...branches.map((branch) => ({ NOT: notEmpty(key)(branch) })))
}

function toFilter(key: string, value: unknown, model: ModelMeta, models: Models): unknown {
  const relation = Object.hasOwn(model.relations, key) ? model.relations[key] : undefined
  if (relation) return toRelationFilter(value, models[relation.model] as ModelMeta, models)
  if (!Object.hasOwn(model.columns, key)) throw unknownField(key, model)
  return toColumnFilter(key, value)
}

const notEmpty =
  (key: string) =>
  (branch: Where): Where => {
    if (Object.keys(branch).length > 0) return branch
    throw new Error(`a branch of ${key} has no condition. Leave it out, or write an unconditional rule.`)
  }

const relationOperators: ReadonlySet<string> = new Set(['is', 'isNot', 'some', 'every', 'none'])

function toRelationFilter(filter: unknown, target: ModelMeta, models: Models): unknown {
  if (!isPlain(filter)) return filter
  const entries = Object.entries(filter)
  if (!entries.some(([key]) => relationOperators.has(key))) return toCondition(filter, target, models)
  return Object.fromEntries(
    entries.map(([operator, value]) => {
      if (value === undefined) throw new Error(`${operator} is undefined. ${leaveOut}`)
      return [operator, value === null ? null : toCondition(value, target, models)]
    }),
  )
}

function toColumnFilter(column: string, filter: unknown): unknown {
  if (isPlain(filter) && Object.keys(filter).length === 0) {
    throw new Error(`${column} has an empty filter. Leave it out, or name an operator.`)
  }
  if (holdsUndefined(filter)) {
    throw new Error(`${column} is undefined somewhere. ${leaveOut}`)
  }
  return filter
}

function holdsUndefined(value: unknown): boolean {
  if (value === undefined) return true
  if (Array.isArray(value)) return value.some(holdsUndefined)
  return isPlain(value) && Object.values(value).some(holdsUndefined)
}

function unknownField(key: string, model: ModelMeta): Error {
  const meant = nearest(key, [...Object.keys(model.columns), ...Object.keys(model.relations), 'AND', 'OR', 'NOT'])
  return new Error(`the model ${model.name} has no field "${key}".${meant ? ` Did you mean "${meant}"?` : ''}`)
}

export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
