import type { Operation } from '@prismapi/jsonapi/request/operation'
import { isToMany, type Relation, targetModels } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { listOf } from '../html/links.ts'
import type { VisibleApi } from './page-request.ts'

interface Asking {
  readonly api: VisibleApi
  readonly sent: URLSearchParams
  /** The types of the primary data. */
  readonly schemas: readonly ResourceSchema[]
}

/** The queries that ask for what a page tells beside its document, the one that tells most first. */
export function pageDataQueries(api: VisibleApi, operation: Operation, search: string): readonly URLSearchParams[] {
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
