import type { Identifier, Relationship, ResourceObject } from '@prismapi/jsonapi/document/types'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import { isToMany, type Relation, targetModels } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { listOf } from '../html/links.ts'
import { answerTo } from './answer-to.ts'
import type { Caller, PageRequest, ShownDocument, VisibleApi } from './page-request.ts'

/**
 * What a page shows beside its document: the names of resources, and what their relationships hold. The same operation
 * reads it with more included, so the caller learns nothing that the API would not tell.
 */
export interface PageData {
  /** The resource as far as any of the documents has it. */
  attributesOf(identifier: Identifier): Readonly<Record<string, unknown>> | null
  /** A relationship, of the page's own document or of the other. */
  relationshipOf(identifier: Identifier, name: string): Relationship | null
}

type Known = Map<string, { attributes: Record<string, unknown>; relationships: Record<string, Relationship> }>

const keyOf = ({ type, id }: Identifier): string => `${type} ${id}`

/** @param counts how many are related, where that was asked for */
export async function readPageData(browsed: PageRequest, counts: ShownDocument | null): Promise<PageData> {
  const others = [counts, await readOwner(browsed), await readMore(browsed), ...(await readGrouped(browsed))]
  return pageDataFrom([...others.filter((more) => more !== null), browsed.document])
}

/** What documents tell, the last one with the last word. */
export function pageDataFrom(documents: readonly ShownDocument[]): PageData {
  const known: Known = new Map()
  for (const document of documents) note(known, document)
  return {
    attributesOf: (identifier) => known.get(keyOf(identifier))?.attributes ?? null,
    relationshipOf: (identifier, name) => known.get(keyOf(identifier))?.relationships[name] ?? null,
  }
}

function note(known: Known, { data, included = [] }: ShownDocument): void {
  const primary = data === undefined || data === null ? [] : Array.isArray(data) ? data : [data]
  for (const resource of [...primary, ...included] as readonly ResourceObject[]) {
    const key = keyOf(resource)
    const before = known.get(key) ?? { attributes: {}, relationships: {} }
    const relationships = { ...before.relationships }
    for (const [name, each] of Object.entries(resource.relationships ?? {}))
      relationships[name] = joined(relationships[name], each)
    known.set(key, { attributes: { ...before.attributes, ...resource.attributes }, relationships })
  }
}

const joined = (before: Relationship | undefined, each: Relationship): Relationship => ({
  ...before,
  ...each,
  links: { ...before?.links, ...each.links },
  meta: { ...before?.meta, ...each.meta },
})

/** The document of the first query that the server answers; null where it answers none. */
async function readMore({ caller, operation, search, document }: PageRequest): Promise<ShownDocument | null> {
  if (!caller || !operation || document.errors || document.data === undefined) return null
  for (const query of pageDataQueries(caller.api, operation, search)) {
    const more = await answerTo(caller.ctx, operation, query)
    if (more) return more
  }
  return null
}

/** What a related resource, or linkage, belongs to. */
async function readOwner({ caller, operation }: PageRequest): Promise<ShownDocument | null> {
  if (!caller || !operation || !('relation' in operation)) return null
  const { schema, id } = operation
  const shown = caller.api.schemas.byType.get(schema.type)
  if (!shown || !hasLabel(shown)) return null
  const query = new URLSearchParams({ include: '', [`fields[${schema.type}]`]: shown.label })
  return answerTo(caller.ctx, { kind: 'view', schema, id }, query)
}

interface Asking {
  readonly api: VisibleApi
  readonly sent: URLSearchParams
  /** The types of the primary data. */
  readonly schemas: readonly ResourceSchema[]
}

/** The queries that ask for what a page tells beside its document, the one that tells most first. */
function pageDataQueries(api: VisibleApi, operation: Operation, search: string): readonly URLSearchParams[] {
  const sent = new URLSearchParams(search)
  const asking: Asking = { api, sent, schemas: schemasOf(api, operation) }
  if (operation.kind === 'viewRelationship') return ofLinkage(asking, operation.relation.name, operation.schema)
  const relations = asking.schemas.flatMap((schema) => shownRelations(asking, schema))
  const isMixed = asking.schemas.length > 1
  const counts = relations.flatMap((relation) =>
    isToMany(relation) && relation.isCountable && !isMixed ? [relation.name] : [],
  )
  const near = relations.filter((relation) => relation.isIncludable && !isToMany(relation)).map(({ name }) => name)
  const included = includedBy(asking)
  const include = [...new Set([...included, ...near])]
  const without = queryOf(asking, include, [])
  return [
    ...(operation.kind === 'view' ? [ofOne(asking, { relations, include, counts })] : []),
    ...(counts.length > 0 ? [queryOf(asking, include, counts)] : []),
    without,
    ...(near.length > 0 ? [queryOf(asking, included, [])] : []),
  ]
}

const shownOfMany = 5

interface Near {
  readonly relations: readonly Relation[]
  readonly include: readonly string[]
  readonly counts: readonly string[]
}

/** The page of one resource has room for the first of its to-many relations, too. */
function ofOne(asking: Asking, { relations, include, counts }: Near): URLSearchParams {
  const many = relations.filter(
    (relation) => relation.isIncludable && isToMany(relation) && !include.includes(relation.name),
  )
  const query = queryOf(asking, [...include, ...many.map(({ name }) => name)], counts)
  for (const { name } of many) query.set(`includePage[${name}][size]`, String(shownOfMany))
  return query
}

/** Linkage has no attributes: what it names is included. */
function ofLinkage(asking: Asking, name: string, { type }: ResourceSchema): readonly URLSearchParams[] {
  const owner = asking.api.schemas.byType.get(type)
  const relation = owner?.relations.get(name)
  if (!owner || !relation?.isIncludable) return []
  return [queryOf({ ...asking, schemas: [owner] }, [name], [])]
}

const includedBy = ({ sent, schemas }: Asking): readonly string[] =>
  sent.has('include') ? listOf(sent, 'include') : schemas.flatMap(({ defaultInclude }) => defaultInclude)

function schemasOf(api: VisibleApi, operation: Operation): readonly ResourceSchema[] {
  const models = operation.kind === 'viewRelated' ? targetModels(operation.relation) : [operation.schema.model.name]
  return models.flatMap((model) => api.schemas.byModel.get(model) ?? [])
}

function shownRelations({ api, sent }: Asking, { type, relations }: ResourceSchema): readonly Relation[] {
  const key = `fields[${type}]`
  const isAsked = (name: string) => !sent.has(key) || listOf(sent, key).includes(name)
  return [...relations.values()].filter(({ name }) => isAsked(name) && api.audience.has(`${type}.${name}.viewRelated`))
}

// What narrows and orders stays, so that the same resources are read; what they show is chosen anew.
const chosen = /^(?:include|withCount|fields\[.*\]|withStats\[.*\])$/

function queryOf(asking: Asking, include: readonly string[], counts: readonly string[]): URLSearchParams {
  const query = new URLSearchParams([...asking.sent].filter(([name]) => !chosen.test(name)))
  query.set('include', include.join(','))
  if (counts.length > 0) query.set('withCount', counts.join(','))
  const names = new Set([...include.flatMap((path) => path.split('.')), ...counts])
  for (const schema of schemasAlong(asking, include)) {
    const relations = [...schema.relations.keys()].filter((name) => names.has(name))
    query.set(`fields[${schema.type}]`, [...(hasLabel(schema) ? [schema.label] : []), ...relations].join(','))
  }
  return query
}

/** The types that include paths lead through. */
function schemasAlong({ api, schemas }: Asking, paths: readonly string[]): ReadonlySet<ResourceSchema> {
  const found = new Set(schemas)
  for (const path of paths) {
    let near: readonly ResourceSchema[] = schemas
    for (const name of path.split('.')) {
      near = near.flatMap(({ relations }) => {
        const relation = relations.get(name)
        return relation ? targetSchemas(api.schemas, relation) : []
      })
      for (const schema of near) found.add(schema)
    }
  }
  return found
}

/** Does the caller see what resources of the type are called. */
export const hasLabel = (schema: ResourceSchema): schema is ResourceSchema & { readonly label: string } =>
  schema.label !== null && schema.attributes.get(schema.label)?.writeOnly === false

/** What resources are called: the documents of those that the caller may list. */
export async function readLabels(
  caller: Caller,
  identifiers: readonly Identifier[],
): Promise<readonly ShownDocument[]> {
  const ids = new Map<string, Set<string>>()
  for (const { type, id } of identifiers) ids.set(type, (ids.get(type) ?? new Set()).add(id))
  return (await Promise.all([...ids].map(([type, some]) => listed(caller, type, [...some])))).flat()
}

const idsAtOnce = 100

async function listed({ ctx, api }: Caller, type: string, ids: readonly string[]): Promise<readonly ShownDocument[]> {
  const schema = ctx.server.schemas.byType.get(type)
  const shown = api.schemas.byType.get(type)
  if (!schema || !shown || !hasLabel(shown) || !api.audience.has(`${type}.viewAny`)) return []
  const found: ShownDocument[] = []
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    let query: URLSearchParams | null = new URLSearchParams({
      include: '',
      [`fields[${type}]`]: shown.label,
      'filter[id][in]': ids
        .slice(from, from + idsAtOnce)
        .map((id) => id.replaceAll(',', '\\,'))
        .join(),
    })
    // A type has pages of its own size.
    while (query) {
      const document: ShownDocument | null = await answerTo(ctx, { kind: 'viewAny', schema }, query)
      if (!document) return found
      found.push(document)
      const next = document.links?.next
      query = typeof next === 'string' ? new URL(next).searchParams : null
    }
  }
  return found
}

/** A group, as a document of statistics has it. */
export interface ShownGroup {
  readonly key: Readonly<Record<string, unknown>>
  readonly stats: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export const isIdentifier = (value: unknown): value is Identifier =>
  typeof value === 'object' && value !== null && 'type' in value && 'id' in value

/** The resources that groups are of, with what they are called: those that the caller may list. */
async function readGrouped({ caller, operation, document }: PageRequest): Promise<readonly ShownDocument[]> {
  // Without groups, what it has may be an explanation.
  if (!caller || operation?.kind !== 'viewStats' || !document.meta?.groups) return []
  const groups = document.meta.groups as readonly ShownGroup[]
  return readLabels(
    caller,
    groups.flatMap(({ key }) => Object.values(key).filter(isIdentifier)),
  )
}
