import type { Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, type SchemaRegistry, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { isObject, type Json } from './judged.ts'
import { valueFault } from './value-faults.ts'

// Judges documents by the types of a server: what they may hold, what they must, and where their links lead.

interface Told {
  readonly basePath: string
  readonly schemas: SchemaRegistry
  /** Fields of types that rules may hide. */
  readonly mayLack?: ((schema: ResourceSchema, name: string) => boolean) | undefined
}

/**
 * The faults of a document by the types of its server; none if it is no document. `isWhole`: no `fields` were asked
 * for.
 */
export function* schemaFaults(server: Told, document: unknown, isWhole: boolean): Generator<string> {
  if (!isObject(document) || document.errors !== undefined) return
  const { data, included } = document
  if (!isObject(document.links) || typeof document.links.self !== 'string') yield 'links.self is missing'
  const items = Array.isArray(data) ? data : [data]
  for (const [i, item] of items.entries()) yield* itemFaults(Array.isArray(data) ? `data.${i}` : 'data', item)
  for (const [i, item] of (Array.isArray(included) ? included : []).entries()) yield* itemFaults(`included.${i}`, item)

  function* itemFaults(at: string, item: unknown): Generator<string> {
    if (!isObject(item)) return
    const schema = server.schemas.byType.get(String(item.type))
    if (!schema) return yield `${at}.type is ${item.type}, which is not served`
    // Primary data of a relationship are identifiers.
    const isResource = ['attributes', 'relationships', 'links'].some((name) => Object.hasOwn(item, name))
    if (isResource) yield* resourceFaults(at, item, { server, schema, isWhole })
  }
}

interface About {
  readonly server: Told
  readonly schema: ResourceSchema
  readonly isWhole: boolean
}

function* resourceFaults(at: string, item: Json, about: About): Generator<string> {
  const { schema, server, isWhole } = about
  const attributes = isObject(item.attributes) ? item.attributes : {}
  const relationships = isObject(item.relationships) ? item.relationships : {}
  for (const [name, value] of Object.entries(attributes)) {
    const attribute = schema.attributes.get(name)
    const fault = attribute && valueFault(attribute, value)
    if (!attribute) yield `${at}.attributes.${name} is no attribute of ${schema.type}`
    else if (attribute.writeOnly) yield `${at}.attributes.${name} is never to be shown`
    else if (fault) yield `${at}.attributes.${name} ${fault}`
  }
  for (const name of Object.keys(relationships))
    if (!schema.relations.has(name)) yield `${at}.relationships.${name} is no relation of ${schema.type}`
  const isAbsent = (fields: Json, name: string) =>
    !Object.hasOwn(fields, name) && !(server.mayLack?.(schema, name) ?? false)
  if (isWhole)
    for (const { name, writeOnly } of schema.attributes.values())
      if (!writeOnly && name !== schema.deletedAtAttribute && isAbsent(attributes, name))
        yield `${at}.attributes.${name} is missing`
  if (!schema.selfLink) return
  const own = `${server.basePath}/${schema.type}/${encodeURIComponent(String(item.id))}`
  yield* linkFaults(`${at}.links`, item.links, { self: own })
  for (const relation of schema.relations.values()) {
    const value = relationships[relation.name]
    if (value !== undefined || (isWhole && isAbsent(relationships, relation.name)))
      yield* relationFaults(`${at}.relationships.${relation.name}`, value, { own, relation })
    yield* targetFaults(`${at}.relationships.${relation.name}`, value, targetSchemas(server.schemas, relation))
  }
}

interface Related {
  readonly own: string
  readonly relation: Relation
}

function* relationFaults(at: string, value: unknown, { own, relation }: Related): Generator<string> {
  if (!relation.links) return
  const links = isObject(value) ? value.links : undefined
  const { name } = relation
  yield* linkFaults(`${at}.links`, links, { self: `${own}/relationships/${name}`, related: `${own}/${name}` })
}

function* targetFaults(at: string, value: unknown, targets: readonly ResourceSchema[]): Generator<string> {
  const { data } = isObject(value) ? value : {}
  for (const each of [data ?? []].flat())
    if (isObject(each) && !targets.some(({ type }) => type === each.type))
      yield `${at}.data names ${each.type}, and leads to ${targets.map(({ type }) => type).join(', ')}`
}

function* linkFaults(at: string, links: unknown, paths: Readonly<Record<string, string>>): Generator<string> {
  for (const [name, path] of Object.entries(paths)) {
    const link = isObject(links) ? links[name] : undefined
    const href = isObject(link) ? link.href : link
    if (typeof href !== 'string') yield `${at}.${name} is missing`
    else if (pathOf(href) !== path) yield `${at}.${name} is ${href}, and should lead to ${path}`
  }
}

/** The path that a link leads to, without its query; the link itself where it is none. */
function pathOf(href: string): string {
  try {
    return new URL(href, 'http://tested').pathname
  } catch {
    return href
  }
}
