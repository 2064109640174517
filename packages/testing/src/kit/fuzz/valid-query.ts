import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { QuerySubject } from '@prismapi/jsonapi/query/check-query'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import fc, { type Arbitrary } from 'fast-check'
import { type Clause, clausesOf, inList, typedLeaves } from '../leaks/filters.ts'
import { type Grounds, includePaths, sortPaths } from '../leaks/urls.ts'
import { usualOf } from './arbitrary-values.ts'
import type { Page, ReadableCollections } from './shown.ts'
import { figureAsks, groupAsks } from './valid-stats.ts'

// Query strings that the endpoint asked has to take, but for what its caller may not see.

/** What queries are made of. */
export interface QueryGrounds {
  readonly registry: SchemaRegistry
  readonly resources: Resources
  readonly shown: Pick<ReadableCollections, 'rows' | 'pages'>
}

export type Pair = readonly [key: string, value: string]
/** What one family of parameters asks; a page has several. */
type Ask = readonly Pair[]

/** Pairs of a few families, each at most once. */
export function validPairs(grounds: QueryGrounds, subject: QuerySubject): Arbitrary<readonly Pair[]> {
  const { schemas, isCollection, isRelationship } = subject
  const [schema] = schemas
  const collection = isCollection && schema ? collectionAsks(grounds, schema, subject.relation === null) : []
  const counted = isRelationship ? [] : schemas.flatMap(countable)
  const everywhere = [
    ...one('include', lists(pathsOf(grounds.registry, subject), 2)),
    ...one('withCount', lists(counted, 2)),
    fieldAsks(grounds.registry, subject),
  ]
  const asks = fc.oneof(
    ...collection.map((arbitrary) => ({ weight: 2, arbitrary })),
    ...everywhere.map((arbitrary) => ({ weight: 1, arbitrary })),
  )
  const familyOf = (ask: Ask): string => (ask[0]?.[0] ?? '').replace(/\[.*/, '')
  const some = fc.uniqueArray(asks, { selector: familyOf, minLength: 1, maxLength: 3 })
  return fc
    .oneof({ withCrossShrink: true }, { weight: 1, arbitrary: fc.constant([]) }, { weight: 6, arbitrary: some })
    .map((chosen) => chosen.flat())
}

/** Groups of what a filter leaves, or of all; anything for a type that has none. */
export function statsPairs(grounds: QueryGrounds, schema: ResourceSchema): Arbitrary<readonly Pair[]> {
  const { statistics } = schema
  if (!statistics || statistics.grouped.size === 0) return fc.constant([])
  const filter = fc.oneof(fc.constant<Ask>([]), filterAsks(grounds, schema))
  return fc.tuple(groupAsks(statistics), filter).map((parts) => parts.flat())
}

const one = (key: string, values: Arbitrary<string> | null): readonly Arbitrary<Ask>[] =>
  values ? [values.map((value): Ask => [[key, value]])] : []

/** Some of the names, by commas; null where there are none. */
function lists(names: readonly string[], maxLength: number, minLength = 1): Arbitrary<string> | null {
  const all = [...new Set(names)]
  if (all.length === 0) return null
  return fc.uniqueArray(fc.constantFrom(...all), { minLength, maxLength }).map((some) => some.join(','))
}

const countable = ({ relations }: ResourceSchema): string[] =>
  [...relations.values()].flatMap((each) => (isToMany(each) && each.isCountable ? [each.name] : []))

function pathsOf(registry: SchemaRegistry, { schemas, relation, isRelationship }: QuerySubject): string[] {
  const relations = isRelationship && relation ? [relation] : schemas.flatMap((each) => [...each.relations.values()])
  return includePaths(registry, relations, 2, ({ isIncludable }) => isIncludable)
}

/** Fields of what is read, or of anything else. */
function fieldAsks(registry: SchemaRegistry, { schemas }: QuerySubject): Arbitrary<Ask> {
  const asks = (schema: ResourceSchema) => {
    const attributes = [...schema.attributes.values()].filter(({ writeOnly }) => !writeOnly).map(({ name }) => name)
    const names = lists(
      [...attributes, ...schema.relations.keys()].filter((name) => name !== schema.deletedAtAttribute),
      3,
      0,
    )
    return one(`fields[${schema.type}]`, names ?? fc.constant(''))
  }
  return fc.oneof(...[...schemas, ...registry.byType.values()].flatMap(asks))
}

/** What only collections are asked: order, filters, figures, pages. */
function collectionAsks(grounds: QueryGrounds, schema: ResourceSchema, isWhole: boolean): readonly Arbitrary<Ask>[] {
  // Links of the whole collection may lead to rows that are in no part of it.
  const linked = isWhole ? (grounds.shown.pages.get(schema.type) ?? []) : []
  const figures = schema.statistics ? [figureAsks(schema.statistics)] : []
  return [...sortAsks(grounds, schema), filterAsks(grounds, schema), ...figures, ...pageAsks(schema, linked)]
}

function sortAsks({ registry }: QueryGrounds, schema: ResourceSchema): readonly Arbitrary<Ask>[] {
  // Such pages have an order of their own.
  if (schema.paginator?.order) return []
  const own = [...sortPaths(registry, schema, 0), ...schema.sorts.keys()].filter(
    (name) => name !== schema.deletedAtAttribute,
  )
  const field = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...own) },
    { weight: 1, arbitrary: fc.constantFrom(...sortPaths(registry, schema, 1)) },
  )
  const fields = fc.uniqueArray(fc.tuple(field, fc.constantFrom('', '-')), {
    selector: ([path]) => path,
    minLength: 1,
    maxLength: 2,
  })
  return one(
    'sort',
    fields.map((all) => all.map(([path, sign]) => sign + path).join(',')),
  )
}

/** By what is shown, and by anything of the right kind, in groups or without. */
function filterAsks({ registry, resources, shown }: QueryGrounds, schema: ResourceSchema): Arbitrary<Ask> {
  const grounds: Grounds = { registry, provider: resources.provider, rows: shown.rows, missing: new Map() }
  const isKnown = ([key, value]: Clause) => value !== '' && !key.startsWith(`[${schema.deletedAtAttribute}]`)
  const known = [0, 1].flatMap((depth) => clausesOf(grounds, schema, depth)).filter(isKnown)
  const typed = typedLeaves(grounds, schema).map(({ path, attribute, operators }) =>
    fc.tuple(
      fc.constantFrom('', ...operators.map((operator) => `[${operator}]`)).map((operator) => `[${path}]${operator}`),
      usualOf(attribute).map((value) => inList(String(value))),
    ),
  )
  const clause: Arbitrary<Pair> = fc.oneof(
    ...(known.length > 0 ? [{ weight: 3, arbitrary: fc.constantFrom(...known) }] : []),
    ...(typed.length > 0 ? [{ weight: 1, arbitrary: fc.oneof(...typed) }] : []),
    { weight: 1, arbitrary: fc.constant<Pair>(['[id][in]', inList(shown.rows.get(schema.type)?.[0]?.id ?? '1')]) },
  )
  const group = fc.constantFrom('', '', '', '[not][0]', '[or][0]', '[and][0][or][0]')
  return fc.tuple(group, clause).map(([at, [key, value]]): Ask => [[`filter${at}${key}`, value]])
}

/** Pages that links lead to, and of any size that may be asked for. */
function pageAsks({ paginator, maxPageSize }: ResourceSchema, linked: readonly Page[]): readonly Arbitrary<Ask>[] {
  if (!paginator) return []
  const sizes = ['size', 'limit'].filter((key) => paginator.keys.includes(key))
  const size = fc.tuple(fc.constantFrom(...sizes), fc.integer({ min: 1, max: maxPageSize }))
  const pages: readonly Arbitrary<Page>[] = [
    ...(linked.length > 0 ? [fc.constantFrom(...linked)] : []),
    ...(sizes.length > 0 ? [size.map(([key, value]) => ({ [key]: String(value) }))] : []),
    ...(sizes.length > 0 && linked.length > 0
      ? [fc.tuple(fc.constantFrom(...linked), size).map(([page, [key, value]]) => ({ ...page, [key]: String(value) }))]
      : []),
  ]
  const asks = (page: Page): Ask => Object.entries(page).map(([key, value]) => [`page[${key}]`, value])
  return pages.length > 0 ? [fc.oneof(...pages).map(asks)] : []
}
