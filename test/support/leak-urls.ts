import type { Resources } from '../../src/model/meta.ts'
import { operatorsOf, takesList } from '../../src/query/filter-operators.ts'
import {
  type Attribute,
  isToMany,
  type Relation,
  type ResourceSchema,
  type SchemaRegistry,
  schemaOf,
  targetSchemas,
} from '../../src/schema/resource-schema.ts'

// Every URL that can be asked of a server, made of nothing but its compiled schemas and the rows that are known.

/** A row by the id of its resource, and its attributes as a query spells them. */
export interface KnownRow {
  readonly id: string
  readonly values: ReadonlyMap<string, string>
}

/** What URLs are made of: a server's types, and rows of each. */
export interface Grounds {
  readonly registry: SchemaRegistry
  readonly provider: Resources['provider']
  /** By type; those that may not be seen come first. */
  readonly rows: ReadonlyMap<string, readonly KnownRow[]>
  /** By type: an id that no row has. */
  readonly missing: ReadonlyMap<string, string>
}

const includeDepth = 3
const pathsAtOnce = 20

/** The include paths that begin with one of the relations. */
function includePaths(registry: SchemaRegistry, relations: Iterable<Relation>, depth = includeDepth): string[] {
  if (depth === 0) return []
  const paths = [...relations].flatMap((relation) => {
    const next = targetSchemas(registry, relation).flatMap((schema) => [...schema.relations.values()])
    return [relation.name, ...includePaths(registry, next, depth - 1).map((path) => `${relation.name}.${path}`)]
  })
  return [...new Set(paths)]
}

const batched = (paths: readonly string[]): string[] =>
  Array.from({ length: Math.ceil(paths.length / pathsAtOnce) }, (_, i) =>
    paths.slice(i * pathsAtOnce, (i + 1) * pathsAtOnce).join(','),
  )

/** The collection of a type: each include path by itself, all of them at once, every sort, every page, linkage alone, the bin. */
export function collectionUrls(grounds: Grounds, schema: ResourceSchema): string[] {
  const url = `/${schema.type}`
  const relations = [...schema.relations.values()]
  const paths = includePaths(grounds.registry, relations)
  return [
    url,
    ...[...paths, ...batched(paths)].map((path) => `${url}?include=${path}`),
    ...relations.map(({ name }) => `${url}?include=${name}&fields[${schema.type}]=${name}`),
    ...sortPaths(grounds.registry, schema).flatMap((path) => [`${url}?sort=${path}`, `${url}?sort=-${path}`]),
    ...pageUrls(grounds, schema, url),
    ...relations.filter((each) => isToMany(each) && each.isCountable).map(({ name }) => `${url}?withCount=${name}`),
    ...(schema.trashMark ? ['with', 'only'].map((which) => `${url}?filter[trashed]=${which}`) : []),
  ]
}

/** One resource, and everything below it; include paths too, where it may be seen. */
export function resourceUrls(
  { registry }: Grounds,
  schema: ResourceSchema,
  id: string,
  withIncludes: boolean,
): string[] {
  const url = `/${schema.type}/${encodeURIComponent(id)}`
  const relations = [...schema.relations.values()]
  const including = (at: string, paths: readonly string[]) =>
    withIncludes ? [at, ...batched(paths).map((path) => `${at}?include=${path}`)] : [at]
  return [
    ...including(url, includePaths(registry, relations)),
    ...relations.flatMap((relation) => {
      const next = targetSchemas(registry, relation).flatMap((target) => [...target.relations.values()])
      return [
        ...including(`${url}/${relation.name}`, includePaths(registry, next)),
        ...including(`${url}/relationships/${relation.name}`, includePaths(registry, [relation])),
      ]
    }),
  ]
}

/** The to-many relations of a resource, in pages. */
export function memberUrls(grounds: Grounds, schema: ResourceSchema, id: string): string[] {
  return [...schema.relations.values()].filter(isToMany).flatMap((relation) => {
    const target = schemaOf(grounds.registry, relation.model)
    const url = `/${schema.type}/${encodeURIComponent(id)}`
    const urls = [`${url}/${relation.name}`, `${url}/relationships/${relation.name}`]
    // One of the known ids will do: the collection of the type was asked for all of them.
    return urls.flatMap((at) => pageUrls({ ...grounds, rows: firstOf(grounds.rows) }, target, at))
  })
}

const firstOf = (rows: Grounds['rows']): Grounds['rows'] =>
  new Map([...rows].map(([type, known]) => [type, known.slice(0, 1)]))

/** Every key of the paginator with a number, and with ids of every kind: what is no number or no cursor is refused. */
function pageUrls(grounds: Grounds, { type, paginator }: ResourceSchema, url: string): string[] {
  const values = ['1', ...idsOf(grounds, type), grounds.missing.get(type) as string]
  return (paginator?.keys ?? []).flatMap((key) =>
    values.map((value) => `${url}?page[${key}]=${encodeURIComponent(value)}`),
  )
}

const idsOf = ({ rows }: Grounds, type: string): string[] => (rows.get(type) ?? []).map(({ id }) => id)

function sortPaths(registry: SchemaRegistry, schema: ResourceSchema, depth = 2): string[] {
  const own = ['id', ...[...schema.attributes.values()].filter(isSortable).map(({ name }) => name)]
  if (depth === 0) return own
  const behind = [...schema.relations.values()].flatMap((relation) =>
    relation.kind === 'belongsTo' || relation.kind === 'hasOne'
      ? sortPaths(registry, schemaOf(registry, relation.model), depth - 1).map((path) => `${relation.name}.${path}`)
      : [],
  )
  return [...own, ...behind]
}

const isSortable = ({ isSortable: can, writeOnly, column }: Attribute): boolean => can && !writeOnly && column !== null

/** A filter: its key behind `filter`, and its value. */
export type Clause = readonly [key: string, value: string]

/** Where a filter's path ends. */
interface Leaf {
  readonly path: string
  readonly schema: ResourceSchema
  readonly field: Attribute | Relation | 'id'
}

function leavesOf(registry: SchemaRegistry, schema: ResourceSchema, depth: number, prefix = ''): Leaf[] {
  const at = (name: string, field: Leaf['field']): Leaf => ({ path: prefix + name, schema, field })
  return [
    at('id', 'id'),
    ...[...schema.attributes.values()].map((attribute) => at(attribute.name, attribute)),
    ...[...schema.relations.values()].flatMap((relation) => {
      if (relation.kind === 'morphTo') return []
      const ways = isToMany(relation) ? ['', '.every', '.none'] : ['']
      const next = schemaOf(registry, relation.model)
      return ways.flatMap((way) => [
        at(relation.name + way, relation),
        ...(depth > 0 ? leavesOf(registry, next, depth - 1, `${prefix}${relation.name}${way}.`) : []),
      ])
    }),
  ]
}

/** Every condition that the types know to put on a path of so many relations, each on one of the known values. */
export function clausesOf(grounds: Grounds, schema: ResourceSchema, depth: number): Clause[] {
  let turn = 0
  const next = (values: readonly string[]) => values[turn++ % values.length] ?? ''
  return leavesOf(grounds.registry, schema, depth)
    .filter(({ path }) => path.split('.').filter((name) => name !== 'every' && name !== 'none').length > depth)
    .flatMap((leaf) => leafClauses(grounds, leaf, next))
}

type Next = (values: readonly string[]) => string

function leafClauses(grounds: Grounds, { path, schema, field }: Leaf, next: Next): Clause[] {
  if (field === 'id') return idClauses(path, ['equals', 'not', 'notIn', 'gte'], idsOf(grounds, schema.type), next)
  if ('deserialize' in field) {
    const known = (grounds.rows.get(schema.type) ?? []).flatMap(({ values }) => values.get(field.name) ?? [])
    return operatorsOf(field, grounds.provider).flatMap((operator) => attributeClause(path, { operator, known, next }))
  }
  return relationClauses(grounds, path, field, next)
}

function relationClauses(grounds: Grounds, path: string, relation: Relation, next: Next): Clause[] {
  const [target] = targetSchemas(grounds.registry, relation)
  const ids = target ? idsOf(grounds, target.type) : []
  const presence = ['true', 'false'].map((value): Clause => [`[${path}][exists]`, value])
  const isQuantified = path.endsWith('.every') || path.endsWith('.none')
  if (isToMany(relation)) return [...idClauses(path, [], ids, next), ...(isQuantified ? [] : presence)]
  return [...idClauses(path, ['equals', 'not', 'notIn'], ids, next), ...presence]
}

function idClauses(path: string, operators: readonly string[], ids: readonly string[], next: Next): Clause[] {
  return [
    [`[${path}]`, next(ids)],
    [`[${path}]`, `${next(ids)},${next(ids)}`],
    ...operators.map((operator): Clause => [`[${path}][${operator}]`, next(ids)]),
  ]
}

interface Condition {
  readonly operator: string
  readonly known: readonly string[]
  readonly next: Next
}

function attributeClause(path: string, { operator, known, next }: Condition): Clause[] {
  const key = `[${path}][${operator}]`
  if (operator === 'isNull' || operator === 'isEmpty') return ['true', 'false'].map((value): Clause => [key, value])
  if (known.length === 0) return []
  if (takesList.has(operator)) return [[key, `${next(known)},${next(known)}`]]
  const value = next(known)
  const piece = { contains: value.slice(1, -1), startsWith: value.slice(0, 8), endsWith: value.slice(-8) }[operator]
  return [[key, piece ?? value]]
}

export const filterUrl = (url: string, clauses: readonly Clause[]): string =>
  `${url}?${clauses.map(([key, value]) => `filter${key}=${encodeURIComponent(value)}`).join('&')}`
