import { all, any, isEverything, not } from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import { decide } from '../condition/two-valued.ts'
import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import { type ResourceSchema, schemaOf } from '../schema/resource-schema.ts'
import { mapAll } from './failures.ts'
import { isSearching, listOf, takesList } from './filter-operators.ts'
import { type FilterTarget, isDeclared, resolvePath, stepsOf } from './filter-path.ts'
import { place } from './filter-place.ts'
import { type FilterBranches, type FilterClause, type FilterGroup, parseFilter, tooDeep } from './filter-syntax.ts'
import { type FilterNode, newNode, toCondition } from './filter-tree.ts'
import type { Parameter } from './parameters.ts'
import type { Trashed } from './query.ts'
import { type CheckContext, isNeverSeen, knownAttribute, seenOf } from './query-context.ts'

export interface CheckedFilter {
  readonly condition: Condition | null
  /** One value is asked for of an attribute that the schema marks as singular. */
  readonly isSingular: boolean
}

const noFilter: CheckedFilter = Object.freeze({ condition: null, isSingular: false })

/**
 * In: the parameters of the family `filter`. Out: the condition on the schema's rows, which
 * `filter[trashed]` is no part of. Every relation that it crosses brings the scope of its
 * target, so that rows which this request may not see neither meet nor break a condition.
 *
 * @throws JsonApiError 400, `source.parameter` the exact key, for every unknown field and operator, every value that
 * does not fit, and filters beyond the limits.
 */
export function checkFilter(
  parameters: readonly Parameter[],
  schema: ResourceSchema,
  check: CheckContext,
): CheckedFilter {
  const conditions = parameters.filter((parameter) => !isTrashed(parameter, schema, check))
  if (conditions.length === 0) return noFilter
  const group = parseFilter(conditions, check.limits)
  const budget = { left: check.limits.filterTerms }
  const condition = decide(checkGroup(group, { schema, check, isDenied: false, budget }))
  return {
    condition: isEverything(condition) ? null : condition,
    isSingular: group.clauses.some((clause) => isSingular(clause, schema)),
  }
}

function isSingular({ path, values, isList }: FilterClause, { singularFilters }: ResourceSchema): boolean {
  const [name = '', operator = 'bare', ...rest] = path
  if (!singularFilters.has(name) || isList || rest.length > 0) return false
  return operator === 'equals' || (operator === 'bare' && !/(?<!\\),/.test(values[0] as string))
}

interface Checking {
  readonly schema: ResourceSchema
  readonly check: CheckContext
  /** The group stands under a `not`. */
  readonly isDenied: boolean
  /** What is left of the terms that one request may send. */
  readonly budget: { left: number }
}

function checkGroup({ clauses, groups }: FilterGroup, checking: Checking): Condition {
  const root = newNode(checking.schema.model, checking.isDenied)
  const checks = [
    ...clauses.map((clause) => () => checkClause(root, clause, checking)),
    ...groups.map((branches) => () => checkBranches(branches, checking)),
  ]
  const joined = mapAll(checks, (check) => check())
  return all(toCondition(root, checking.check), ...joined)
}

function checkBranches({ kind, branches }: FilterBranches, checking: Checking): Condition {
  const isDenied = checking.isDenied || kind === 'not'
  const conditions = mapAll(branches, (branch) => checkGroup(branch, { ...checking, isDenied }))
  if (kind === 'or') return any(conditions)
  return all(...(kind === 'not' ? conditions.map(not) : conditions))
}

function checkClause(root: FilterNode, clause: FilterClause, { schema, check, budget }: Checking): null {
  const target = resolvePath(clause.path, schema, check.registry)
  if (!target || isConcealed(target, schema, check)) throw unknown(clause)
  checkCost(clause, target, { check, budget })
  if (!place(root, clause, { target, check })) throw unknown(clause)
  return null
}

/** Does the way lead over a field that this request does not know. */
function isConcealed(target: FilterTarget, from: ResourceSchema, check: CheckContext): boolean {
  const { field, schema } = target
  let at = from
  for (const { relation } of stepsOf(target)) {
    if (isNeverSeen(at, relation.name, check)) return true
    at = schemaOf(check.registry, relation.model)
  }
  if (typeof field !== 'object' || !('serialize' in field)) return false
  return knownAttribute(schema, field.name, check) === null || isNeverSeen(schema, field.name, check)
}

function checkCost(
  clause: FilterClause,
  target: FilterTarget,
  { check, budget }: Pick<Checking, 'check' | 'budget'>,
): void {
  const { key, depth } = clause
  const { filterDepth, filterTerms, filterValues, filterLength, searchLength } = check.limits
  const steps = stepsOf(target)
  if (depth + steps.length + target.jsonPath.length > filterDepth) throw tooDeep(key, filterDepth)
  // A to-many relation is a query of its own, for each row.
  budget.left -= 1 + steps.filter(({ quantifier }) => quantifier !== 'is').length
  if (budget.left < 0) throw badParameter(key, say`A filter must not have more than ${filterTerms} terms.`)
  const isSplit = isDeclared(target.field)
    ? target.field.isList
    : target.operator === null || takesList.has(target.operator)
  const values = isSplit ? listOf(clause) : clause.values
  if (isSplit && values.length > filterValues)
    throw badParameter(key, say`A filter must not have more than ${filterValues} values in one list.`)
  const searches = isSearching(target.operator) || (isDeclared(target.field) && target.field.search !== undefined)
  const longest = searches ? Math.min(filterLength, searchLength) : filterLength
  if (values.some(({ length }) => length > longest))
    throw badParameter(key, say`A value of a filter must not be longer than ${longest} characters.`)
}

const unknown = ({ key, path: [name = '', ...rest] }: FilterClause) =>
  badParameter(key, say`Filter parameter ${[name, ...rest.map((text) => `[${text}]`)].join('')} is not allowed.`)

/**
 * Is it `filter[trashed]`, of a type whose deleted rows this request
 * may see, with their mark; to others there is no such filter.
 */
export const isTrashed = ({ path }: Parameter, schema: ResourceSchema, check: CheckContext): boolean =>
  path.length === 1 && path[0] === 'trashed' && seesMark(schema, check)

const seesMark = (schema: ResourceSchema, check: CheckContext): boolean =>
  schema.deletedAtAttribute !== null &&
  check.trash.has(schema.model.name) &&
  isEverything(seenOf(schema, schema.deletedAtAttribute, check))

/** @throws JsonApiError 400 for a value that is none of the three. */
export function checkTrashed(parameters: readonly Parameter[], schema: ResourceSchema, check: CheckContext): Trashed {
  const [sent, again] = parameters.filter((parameter) => isTrashed(parameter, schema, check))
  if (!sent) return 'without'
  if (again) throw badParameter(sent.key, say`Query parameter ${sent.key} must not be repeated.`)
  if (sent.value === 'with' || sent.value === 'only' || sent.value === 'without') return sent.value
  throw badParameter(sent.key, say`The ${sent.key} parameter must be with, only or without.`)
}
