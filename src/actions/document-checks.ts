import { conflict } from '../document/errors.ts'
import type { RelationshipShape } from '../document/parse-relationship.ts'
import type { ParsedResource, ResourceShape } from '../document/parse-resource.ts'
import type { RequestContext } from '../request/context.ts'
import { isToMany, type Relation } from '../schema/relation-kinds.ts'
import { attributeOf, type ResourceSchema, targetSchemas } from '../schema/resource-schema.ts'
import type { RelatedRows } from '../store/filling/related-rows.ts'
import { planRow } from '../store/plan.ts'
import { checkIdentifiers } from '../validation/check-identifiers.ts'

/** What a document about the type may contain; `id` is the URL's, null on create. */
export function shapeOf(ctx: RequestContext, schema: ResourceSchema, id: string | null): ResourceShape {
  return {
    type: schema.type,
    id,
    acceptsClientId: schema.id.clientGenerated,
    knowsLid: ctx.server.version === '1.1',
    hasAttribute: (name) => attributeOf(schema, name, ctx.served.trash) !== null,
    relation: (name) => {
      const relation = schema.relations.get(name)
      return relation ? relationShape(ctx, relation) : null
    },
    isType: (type) => ctx.server.schemas.byType.has(type),
    maxLinkage: ctx.limits.linkage,
  }
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
  const [row] = await ctx.store.reader.rows(planRow(schema, schema.id.columns, key))
  if (row) throw conflict(`Resource ${id} already exists.`, '/data/id')
}

/** 404 for every identifier of the document that does not exist, or that the client cannot see. */
export function checkDocumentIdentifiers(
  ctx: RequestContext,
  schema: ResourceSchema,
  parts: { document: ParsedResource; related: RelatedRows },
): Promise<void> {
  const linkages = [...parts.document.relationships].map(([name, linkage]) => {
    const relation = schema.relations.get(name) as Relation
    return [`/data/relationships/${name}`, { linkage, relation }] as const
  })
  return checkIdentifiers(ctx, parts.related, new Map(linkages))
}
