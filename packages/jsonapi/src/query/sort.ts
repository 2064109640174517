import { all, everything, isEverything, nothing, related, relationOf } from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import type { OrderTerm } from '../condition/order-term.ts'
import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import type { ModelMeta, RelationMeta } from '../model/meta.ts'
import { placeOfNulls } from '../pagination/ordered-list.ts'
import { type ResourceSchema, schemaOf } from '../schema/resource-schema.ts'
import { searchName } from '../schema/search.ts'
import type { Sort } from '../schema/sorts.ts'
import { mapAll } from './failures.ts'
import {
  type CheckContext,
  isNeverSeen,
  knownAttribute,
  rowsSeenOf,
  seenOf,
  storedSeenOf,
  withoutScopes,
} from './query-context.ts'

/**
 * In: a comma list of sort fields, `-` for descending, `:nullsFirst` or `:nullsLast` behind those that
 * may be null. Out: the order, without the id that completes it. A path may lead through to-one
 * relations. What this request does not see of a row (the target, or a field on the way) counts as
 * null there; where the database is not asked by SQL, such a path is as unknown as a hidden attribute.
 *
 * @throws JsonApiError 400 for every field that cannot be sorted by, for one named twice, and for too many of them.
 */
export const checkSort = (value: string, schema: ResourceSchema, check: CheckContext): readonly OrderTerm[] =>
  checkSortFields(value, check, (name) => namedTerms(name, schema, check)).flatMap(
    ({ found: { terms, nulls }, isDescending }) => {
      const order = isDescending ? terms.map(reversed) : terms
      return nulls ? order.map((term) => (isPlacedSo(term, nulls, check) ? term : { ...term, nulls })) : order
    },
  )

interface NamedTerms {
  readonly terms: readonly OrderTerm[]
  /** Where the client wants rows without a value; null where the database decides. */
  readonly nulls: 'first' | 'last' | null
}

/** What `dueAt` and `dueAt:nullsLast` stand for; null where that cannot be sorted by. */
function namedTerms(name: string, schema: ResourceSchema, check: CheckContext): NamedTerms | null {
  const [path = '', suffix] = splitOnce(name)
  const terms = termsOf(path, schema, check)
  if (!terms || suffix === undefined) return terms && { terms, nulls: null }
  const nulls = placesOfNulls.get(suffix)
  return nulls && terms.every((term) => mayPlaceNulls(term, schema, check)) ? { terms, nulls } : null
}

const placesOfNulls: ReadonlyMap<string, 'first' | 'last'> = new Map([
  ['nullsFirst', 'first'],
  ['nullsLast', 'last'],
])

const splitOnce = (name: string): readonly string[] => {
  const at = name.indexOf(':')
  return at < 0 ? [name] : [name.slice(0, at), name.slice(at + 1)]
}

/** The database puts them there by itself: then an index may have the order. */
const isPlacedSo = ({ direction }: OrderTerm, nulls: 'first' | 'last', { resources }: CheckContext): boolean =>
  placeOfNulls(direction, resources.provider) === nulls

/**
 * May the value be null, and can the database be told where those
 * stand: Prisma takes it for columns that are nullable themselves.
 */
function mayPlaceNulls(
  { path, seen, search }: OrderTerm,
  { model }: ResourceSchema,
  { resources, masksValues }: CheckContext,
): boolean {
  if (resources.provider === 'mysql' || path.at(-1) === '_count' || search) return false
  let at = model
  let isOptional = seen !== undefined
  for (const step of path.slice(0, -1)) {
    const relation = at.relations[step] as RelationMeta
    isOptional ||= relation.isNullable
    at = resources.models[relation.model] as ModelMeta
  }
  return at.columns[path.at(-1) as string]?.isNullable === true || (isOptional && masksValues)
}

interface SortField<Found> {
  readonly found: Found
  readonly isDescending: boolean
}

/**
 * In: such a list, of whatever can be sorted by. Out: what `find` knows by each name.
 *
 * @throws JsonApiError 400 for every name that it does not know, for one that is there twice, and for too many of them.
 */
export function checkSortFields<Found>(
  value: string,
  { limits: { sortKeys } }: Pick<CheckContext, 'limits'>,
  find: (name: string) => Found | null,
): readonly SortField<Found>[] {
  const fields = value.split(',')
  if (fields.includes('') || fields.includes('-'))
    throw badParameter('sort', say`The parameter sort must be a list of fields, with - before those that descend.`)
  if (fields.length > sortKeys) {
    throw badParameter('sort', say`The parameter sort must not have more than ${sortKeys} fields.`)
  }
  const seen = new Set<string>()
  return mapAll(fields, (field) => {
    const isDescending = field.startsWith('-')
    const name = isDescending ? field.slice(1) : field
    const found = find(name)
    if (!found) throw badParameter('sort', say`Sort parameter ${name} is not allowed.`)
    const [path = ''] = splitOnce(name)
    if (seen.has(path)) throw badParameter('sort', say`Sort parameter ${path} is repeated.`)
    seen.add(path)
    return { found, isDescending }
  })
}

/**
 * The schema's own order, as far as this request may know it: a field behind rows that may be hidden from it is left
 * out, since its order would tell of them. Whether a client may sort by the rest does not matter.
 */
export function checkDefaultSort(value: string, schema: ResourceSchema, check: CheckContext): readonly OrderTerm[] {
  const fields = value.split(',').filter((field) => isSort(field, schema, check))
  return fields.length === 0 ? [] : checkSort(fields.join(','), schema, withoutScopes(check))
}

/** Could this request ask for the sort itself, and sees of every row what it orders by. */
export const isSort = (value: string, schema: ResourceSchema, check: CheckContext): boolean =>
  value
    .split(',')
    .every((field) => namedTerms(field.replace(/^-/, ''), schema, check)?.terms.every(({ seen }) => !seen) ?? false)

const reversed = (term: OrderTerm): OrderTerm => ({ ...term, direction: term.direction === 'asc' ? 'desc' : 'asc' })

/** The order that a sort field stands for (an id may have several columns); null where it cannot be sorted by. */
function termsOf(path: string, schema: ResourceSchema, check: CheckContext): readonly OrderTerm[] | null {
  const names = path.split('.')
  const last = names.pop() as string
  if (names.length > check.limits.includeDepth) return null
  const steps: Step[] = []
  let target = schema
  for (const name of names) {
    const relation = target.relations.get(name)
    if (relation?.kind !== 'belongsTo' && relation?.kind !== 'hasOne') return null
    const scope = relation.alwaysVisible ? everything : rowsSeenOf(relation.model, check)
    steps.push({ relation: relationOf(target.model, relation.field), seen: seenOf(target, name, check), scope })
    target = schemaOf(check.registry, relation.model)
  }
  const terms = names.length === 0 && last === searchName ? searchTerms(check) : termsOfField(target, last, check)
  if (!terms || steps.some(({ seen }) => seen === nothing)) return null
  const fields = steps.map(({ relation }) => relation.name)
  const ordered = terms.map(({ order, where, counted }): OrderTerm => {
    const sight = { where: steps.reduceRight(seenThrough, where), counted }
    const term = { ...order, path: [...fields, ...order.path] }
    return isAll(sight) ? term : { ...term, seen: { ...sight, parameter: 'sort', name: path } }
  })
  return check.masksValues || ordered.every(({ seen }) => !seen) ? ordered : null
}

/** What this request sees of what rows are ordered by. */
interface Sight {
  /** Of which rows the value is seen. */
  readonly where: Condition
  /** Of a number of rows: which of them count. */
  readonly counted: Condition
}

const isAll = ({ where, counted }: Sight): boolean => isEverything(where) && isEverything(counted)

interface SeenTerm extends Sight {
  readonly order: OrderTerm
}

/** A to-one relation on the way of a path. */
interface Step {
  readonly relation: RelationMeta
  /** Of which rows the relation is seen. */
  readonly seen: Condition
  /** Which of its targets are. */
  readonly scope: Condition
}

/** Of which rows a value behind a relation is seen: where the relation, its target, and the value of that one are. */
function seenThrough(behind: Condition, { relation, seen, scope }: Step): Condition {
  const beyond = all(scope, behind)
  return isEverything(beyond) ? seen : all(seen, related(relation, 'is', beyond))
}

function termsOfField(schema: ResourceSchema, name: string, check: CheckContext): readonly SeenTerm[] | null {
  if (name === 'id') return schema.id.columns.map((column) => ({ order: ascending(column), ...whole }))
  const sort = schema.sorts.get(name)
  if (sort) return declaredTerms(sort, schema, check)
  const attribute = knownAttribute(schema, name, check)
  if (!attribute?.isSortable || attribute.writeOnly || !attribute.column || isNeverSeen(schema, name, check))
    return null
  return [{ order: ascending(attribute.column.name), ...whole, where: seenOf(schema, name, check) }]
}

/** By how well rows meet the search of the request; null where it has none. */
function searchTerms({ search }: CheckContext): readonly SeenTerm[] | null {
  if (search === undefined) return null
  return search ? [{ order: { search, ...ascending(searchName) }, ...whole }] : []
}

const whole: Sight = { where: everything, counted: everything }

/** The terms of a declared sort; null where this request sees nothing at all of one. */
function declaredTerms({ order }: Sort, { model }: ResourceSchema, check: CheckContext): readonly SeenTerm[] | null {
  const terms = order.map((term) => ({ ...sightOf(term.path, model, check), order: term }))
  return terms.some(({ where }) => where === nothing) ? null : terms
}

function sightOf([name = '', ...rest]: OrderTerm['path'], model: ModelMeta, check: CheckContext): Sight {
  const seen = storedSeenOf(model.name, name, check)
  const relation = model.relations[name]
  if (!relation) return { where: seen, counted: everything }
  const scope = rowsSeenOf(relation.model, check)
  if (relation.isList) return { where: seen, counted: scope }
  const behind = sightOf(rest, check.resources.models[relation.model] as ModelMeta, check)
  const targets = isAlwaysVisible(model, name, check) ? everything : scope
  return { ...behind, where: seenThrough(behind.where, { relation, seen, scope: targets }) }
}

/**
 * Does the schema class promise that who sees a row sees what its relation leads to; by Prisma's name of the relation.
 */
export function isAlwaysVisible(
  { name }: ModelMeta,
  field: string,
  { registry }: Pick<CheckContext, 'registry'>,
): boolean {
  const relations = [...(registry.byModel.get(name)?.relations.values() ?? [])]
  return relations.some((each) => 'alwaysVisible' in each && each.alwaysVisible && each.field === field)
}

/** Does this request see what rows are ordered by, of every row. */
export const isSeenOrder = (path: OrderTerm['path'], model: ModelMeta, check: CheckContext): boolean =>
  isEverything(sightOf(path, model, { ...check, scopes: new Map() }).where)

const ascending = (column: string): OrderTerm => ({ path: [column], direction: 'asc' })
