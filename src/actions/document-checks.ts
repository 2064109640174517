import { conflict } from '../document/errors.ts'
import type { RelationshipShape } from '../document/parse-relationship.ts'
import type { ParsedResource, ResourceShape } from '../document/parse-resource.ts'
import { planLookUp } from '../read/plan.ts'
import type { RelatedRows } from '../read/related-rows.ts'
import { isToMany, type Relation } from '../schema/relation-kinds.ts'
import { attributeOf, isKeyAttribute, type ResourceSchema, targetSchemas } from '../schema/resource-schema.ts'
import { checkIdentifiers } from '../validation/run/check-identifiers.ts'
import type { RequestContext } from './context.ts'

/** What a document about the type may contain; `id` is the URL's, null on create. */
export function shapeOf(ctx: RequestContext, schema: ResourceSchema, id: string | null): ResourceShape {
  return {
    type: schema.type,
    id,
    acceptsClientId: schema.id.clientGenerated,
    knowsLid: ctx.server.version === '1.1',
    hasAttribute: (name) => attributeOf(schema, name, ctx.served.trash) !== null,
    changesId: (name, value) => id !== null && isOtherPart(schema, id, { name, value }),
    relation: (name) => {
      const relation = schema.relations.get(name)
      return relation ? relationShape(ctx, relation) : null
    },
    isType: (type) => ctx.server.schemas.byType.has(type),
    maxLinkage: ctx.limits.linkage,
  }
}

/** A part of the id that is sent as it is changes nothing: clients send back what they were shown. */
function isOtherPart(schema: ResourceSchema, id: string, { name, value }: { name: string; value: unknown }): boolean {
  const attribute = schema.attributes.get(name)
  if (!attribute || attribute.readOnly || !isKeyAttribute(schema, attribute)) return false
  const key = schema.id.parse(id)
  return key !== null && attribute.serialize(key) !== value
}

export const relationShape = (ctx: RequestContext, relation: Relation) =>
  ({
    name: relation.name,
    isToMany: isToMany(relation),
    types: targetSchemas(ctx.server.schemas, relation).map((schema) => schema.type),
    isType: (type: string) => ctx.server.schemas.byType.has(type),
    maxLinkage: ctx.limits.linkage,
  }) satisfies RelationshipShape

/** 409 when a client-generated id is taken, by a row that the client cannot see as well: the id would not be free. */
export async function checkIdIsFree(ctx: RequestContext, schema: ResourceSchema, id: string | null): Promise<void> {
  const key = id === null ? null : schema.id.parse(id)
  if (!key) return
  const row = await ctx.store.reader.read(planLookUp(schema, schema.id.columns, { key }))
  if (row) throw conflict(`Resource ${id} already exists.`, '/data/id')
}

/** 404 for every identifier of the document that does not exist, or that the client cannot see. */
export function checkDocumentIdentifiers(
  schema: ResourceSchema,
  parts: { document: ParsedResource; related: RelatedRows },
): Promise<void> {
  const linkages = [...parts.document.relationships].map(([name, linkage]) => {
    const relation = schema.relations.get(name) as Relation
    return [`/data/relationships/${name}`, { linkage, relation }] as const
  })
  return checkIdentifiers(parts.related, new Map(linkages))
}
