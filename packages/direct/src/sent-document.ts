import type { Identifier } from '@prismapi/jsonapi/document/types'
import type { Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, type SchemaRegistry, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { idText, sentValue } from './sent-values.ts'

// Makes the document that a client would send of an application's values: request classes, policies and hooks see that.

/** The document of a resource, with an id where it is one that exists. */
export function resourceSent(
  registry: SchemaRegistry,
  schema: ResourceSchema,
  { id, fields }: { readonly id: string | null; readonly fields: Readonly<Record<string, unknown>> },
): object {
  const attributes: Record<string, unknown> = Object.create(null)
  const relationships: Record<string, unknown> = Object.create(null)
  let sentId = id
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    const relation = schema.relations.get(name)
    if (relation) relationships[name] = { data: linkageSent(registry, relation, value) }
    else if (name === 'id' && id === null) sentId = idText(value)
    else attributes[name] = sentValue(value)
  }
  const named = { type: schema.type, ...(sentId !== null && { id: sentId }) }
  return { data: { ...named, attributes: { ...attributes }, relationships: { ...relationships } } }
}

/** The linkage of a relation: of ids, identifiers and rows. */
export function linkageSent(registry: SchemaRegistry, relation: Relation, value: unknown): unknown {
  if (value === null) return null
  const [target] = targetSchemas(registry, relation)
  const identifier = (each: unknown): Identifier => ({ type: typeOf(each) ?? target?.type ?? '', id: idText(each) })
  return Array.isArray(value) ? value.map(identifier) : identifier(value)
}

const typeOf = (reference: unknown): string | null =>
  typeof reference === 'object' && reference !== null && 'type' in reference ? String(reference.type) : null
