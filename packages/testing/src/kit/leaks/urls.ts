import type { Resources } from '@prismapi/jsonapi/model/meta'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import {
  type Attribute,
  type ResourceSchema,
  type SchemaRegistry,
  schemaOf,
  targetSchemas,
} from '@prismapi/jsonapi/schema/resource-schema'
import { declaredUrls } from './declared-urls.ts'
import { figureUrls, groupedFigureUrls, groupedUrls } from './stats-urls.ts'

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
export function includePaths(
  registry: SchemaRegistry,
  relations: Iterable<Relation>,
  depth = includeDepth,
  takes: (relation: Relation) => boolean = () => true,
): string[] {
  if (depth === 0) return []
  const paths = [...relations].filter(takes).flatMap((relation) => {
    const next = targetSchemas(registry, relation).flatMap((schema) => [...schema.relations.values()])
    const behind = includePaths(registry, next, depth - 1, takes)
    return [relation.name, ...behind.map((path) => `${relation.name}.${path}`)]
  })
  return [...new Set(paths)]
}

const batched = (paths: readonly string[]): string[] =>
  Array.from({ length: Math.ceil(paths.length / pathsAtOnce) }, (_, i) =>
    paths.slice(i * pathsAtOnce, (i + 1) * pathsAtOnce).join(','),
  )

/**
 * The URLs of a type's collection: each include path, all of them at once, every sort, every page, linkage alone,
 * figures, the declared filters and sorts, the bin.
 */
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
    ...figureUrls(schema, url),
    ...groupedUrls(schema),
    ...groupedFigureUrls(schema),
    ...declaredUrls(schema, grounds.rows.get(schema.type) ?? []),
    ...binUrls(schema, url),
  ]
}

/** A collection of a type with its softly deleted rows, and of these alone. */
const binUrls = ({ deletedAtAttribute }: ResourceSchema, url: string): readonly string[] =>
  deletedAtAttribute === null ? [] : ['with', 'only'].map((which) => `${url}?filter[trashed]=${which}`)

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

/** The to-many relations of a resource, counted, in pages, in figures, and with what was deleted softly. */
export function memberUrls(grounds: Grounds, schema: ResourceSchema, id: string): string[] {
  const url = `/${schema.type}/${encodeURIComponent(id)}`
  return [...schema.relations.values()].filter(isToMany).flatMap((relation) => {
    const target = schemaOf(grounds.registry, relation.model)
    const urls = [`${url}/${relation.name}`, `${url}/relationships/${relation.name}`]
    // One of the known ids will do: the collection of the type was asked for all of them.
    const pages = urls.flatMap((at) => pageUrls({ ...grounds, rows: firstOf(grounds.rows) }, target, at))
    const counted = relation.isCountable ? [`${url}?withCount=${relation.name}`] : []
    const deleted = urls.flatMap((at) => binUrls(target, at))
    return [...counted, ...pages, ...figureUrls(target, `${url}/${relation.name}`), ...deleted]
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

export const idsOf = ({ rows }: Grounds, type: string): string[] => (rows.get(type) ?? []).map(({ id }) => id)

/** What a collection may be sorted by: its own fields, and those behind relations to one. */
export function sortPaths(registry: SchemaRegistry, schema: ResourceSchema, depth = 2): string[] {
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
