import type { OrderTerm } from '../condition/order-term.ts'
import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import type { Resources } from '../model/meta.ts'
import type { PageParams, PageRequest } from '../pagination/paginator.ts'
import { isToMany, type Relation } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { searchName } from '../schema/search.ts'
import { checkAll, mapAll } from './failures.ts'
import { checkFilter, checkTrashed } from './filter.ts'
import type { Parameter } from './parameters.ts'
import type { RawQuery } from './parse.ts'
import type { Query } from './query.ts'
import type { CheckContext } from './query-context.ts'
import { parseSearch, searchCondition } from './search-text.ts'
import { checkDefaultSort, checkSort, isSeenOrder, isSort } from './sort.ts'
import { statsFamily } from './stats.ts'

export type CollectionQuery = Pick<Query, 'order' | 'filter' | 'trashed' | 'isSingular' | 'page' | 'params'>

/** What is left of a query where no collection is read: parameters of collections are refused, not ignored. */
export function refuseCollection(raw: RawQuery): CollectionQuery {
  checkAll({
    sort: () => raw.sort !== null && refuse('sort'),
    filter: () => mapAll(raw.filter, ({ key }) => refuse(key)),
    page: () => {
      if (raw.page) throw pageNotAllowed()
    },
  })
  return {
    order: [],
    filter: null,
    trashed: 'without',
    isSingular: false,
    page: null,
    params: toParams(raw.parameters),
  }
}

function refuse(key: string): never {
  throw badParameter(key, say`Parameter ${key} is not allowed.`)
}

interface CollectionSubject {
  readonly schema: ResourceSchema
  /** The relation that the collection is read through. */
  readonly relation: Relation | null
}

/** The parts of a query that order, narrow and cut a collection. */
export function checkCollection(
  raw: RawQuery,
  { schema, relation }: CollectionSubject,
  check: CheckContext,
): CollectionQuery {
  const { filter, trashed, paged } = checkAll({
    filter: () => checkFilter(raw.filter, schema, check),
    trashed: () => checkTrashed(raw.filter, schema, check),
    paged: () => checkPaged(raw, { schema, relation }, check),
  })
  const { page, sort } = paged
  // Pages and figures are of a collection.
  const asksForMany = raw.page !== null || raw.parameters.some(({ family }) => family === statsFamily)
  const isSingular = filter.isSingular && relation === null && !asksForMany
  return {
    order: sort.order,
    filter: filter.condition,
    trashed,
    isSingular,
    page: isSingular ? null : page,
    params: toParams(raw.parameters, sort.shown),
  }
}

/** The query with another page; null where that page imposes another order than the one before did. */
export function withPage(
  query: Query,
  sent: PageParams | null,
  { schema, relation }: CollectionSubject,
  resources: Resources,
): Query | null {
  const page = checkPage(sent, schema, relation)
  const imposed = imposedBy(page, schema)
  if (JSON.stringify(imposed) !== JSON.stringify(imposedBy(query.page, schema))) return null
  page?.checkOrder?.(query.order, { model: schema.model, resources })
  const paged = Object.freeze({ ...query, page })
  commonQueries.set(paged, commonQuery(query))
  return paged
}

/** The query that stands for all that differ from it in their page alone, itself among them. */
export const commonQuery = (query: Query): Query => commonQueries.get(query) ?? query

// By identity: a query that is made from another by `{ ...query }` has nothing in common with it.
const commonQueries = new WeakMap<Query, Query>()

const imposedBy = (page: PageRequest | null, { paginator }: ResourceSchema): readonly OrderTerm[] | null =>
  page?.order ?? paginator?.order ?? null

// Which order is imposed depends on the page: a type may offer pages that impose one beside others that do not.
function checkPaged(raw: RawQuery, { schema, relation }: CollectionSubject, check: CheckContext) {
  let page: PageRequest | null = null
  const { sort } = checkAll({
    page: () => {
      page = checkPage(raw.page, schema, relation)
    },
    sort: () => orderOf(raw.sort, { schema, imposed: imposedBy(page, schema) }, withSearch(raw, schema, check)),
  })
  const asked = page as PageRequest | null
  asked?.checkOrder?.(sort.order, { model: schema.model, resources: check.resources })
  return { page: asked, sort }
}

/** With the search of the request, where there is one that is right. */
function withSearch({ filter }: RawQuery, schema: ResourceSchema, check: CheckContext): CheckContext {
  const [sent] = filter.filter(({ path }) => path.length === 1 && path[0] === searchName)
  const { model, search } = schema
  if (!sent || !search || parseSearch(sent.value).length === 0) return check
  const condition = searchCondition({ key: sent.key, text: sent.value }, { model, search }, check)
  return { ...check, search: condition.kind === 'compare' ? condition : null }
}

interface Ordering {
  readonly schema: ResourceSchema
  readonly imposed: readonly OrderTerm[] | null
}

interface Sorted {
  readonly order: readonly OrderTerm[]
  /** The schema's order, for links to name; null where the client sent its own. */
  readonly shown: string | null
}

/** The order of a collection: imposed by its pages, the client's, or the schema's. */
export function orderOf(sort: string | null, { schema, imposed }: Ordering, check: CheckContext): Sorted {
  const { defaultSort } = schema
  if (imposed) {
    checkImposed(imposed, schema, check)
    if (sort !== null) mapAll(sort.split(','), (field) => refuseSort(field.replace(/^-/, '')))
    return { order: imposed, shown: null }
  }
  if (sort !== null) return { order: checkSort(sort, schema, check), shown: null }
  if (defaultSort === '') return { order: [], shown: null }
  const order = checkDefaultSort(defaultSort, schema, check)
  return { order, shown: isSort(defaultSort, schema, check) ? defaultSort : null }
}

/** An order that the pages of a type impose tells of its columns, so no caller may be kept from seeing them. */
function checkImposed(imposed: readonly OrderTerm[], { type, model }: ResourceSchema, check: CheckContext): void {
  const hidden = imposed.find(({ path }) => !isSeenOrder(path, model, check))
  if (!hidden) return
  throw new Error(
    `The pages of ${type} are ordered by ${hidden.path.join('.')}, which a rule of the policy of ${model.name} hides. Name another column in pagination(), or let everybody see this one.`,
  )
}

function refuseSort(field: string): never {
  throw badParameter('sort', say`Sort parameter ${field} is not allowed.`)
}

/** The parameters that links keep, with the default sort where it is named. */
export function toParams(parameters: readonly Parameter[], defaultSort: string | null = null): Query['params'] {
  const kept = parameters.filter(({ family }) => family !== 'page').map(({ key, value }): Pair => [key, value])
  return Object.freeze((defaultSort === null ? kept : [...kept, ['sort', defaultSort] as const]).sort(byKey))
}

type Pair = readonly [key: string, value: string]

const byKey = ([a]: Pair, [b]: Pair): number => (a < b ? -1 : a > b ? 1 : 0)

/** `page` where it means nothing. */
const pageNotAllowed = () => badParameter('page', say`Parameter page is not allowed.`)

/**
 * The page that is asked for, or else the schema's default; null for all of the collection.
 *
 * @throws JsonApiError 400, `source.parameter` being `page` where the type has no pages, and else the exact key.
 */
export function checkPage(
  sent: PageParams | null,
  schema: ResourceSchema,
  relation: Relation | null,
): PageRequest | null {
  const { paginator, perPage, maxPageSize } = schema
  if (!paginator) {
    if (sent) throw pageNotAllowed()
    return null
  }
  const params = sent ?? (paginatesByDefault(relation) ? schema.defaultPage : null)
  return params && paginator.parse(params, { perPage, maxPageSize })
}

const paginatesByDefault = (relation: Relation | null): boolean =>
  !relation || !isToMany(relation) || relation.defaultPagination
