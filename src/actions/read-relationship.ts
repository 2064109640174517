import type { DataDocument } from '../document/types.ts'
import { checkQuery } from '../query/check-query.ts'
import type { Query } from '../query/query.ts'
import type { RequestContext } from '../request/context.ts'
import type { RelationOperation } from '../request/operation.ts'
import { isToMany, type Relation, schemaOf, targetSchemas } from '../schema/resource-schema.ts'
import { relationshipDocument } from '../serialize/documents.ts'
import { resourceUrl } from '../serialize/links.ts'
import type { Resource } from '../store/resource.ts'
import { readMembers, readTarget, targetQuery } from './read-relation.ts'

/** The query of a relationship URL; a write takes none of what cuts or orders a collection. */
export function relationshipQuery(
  ctx: RequestContext,
  { relation }: RelationOperation,
  purpose: 'read' | 'write',
): Query {
  const schemas = targetSchemas(ctx.server.schemas, relation)
  return checkQuery(ctx, {
    schemas,
    isCollection: purpose === 'read' && isToMany(relation),
    relation,
    isRelationship: true,
  })
}

/** Reads a relationship, and answers with its linkage. */
export async function readRelationship(
  ctx: RequestContext,
  parent: Resource,
  shown: { relation: Relation; query: Query },
): Promise<DataDocument> {
  const { relation, query } = shown
  const self = resourceUrl(ctx, parent)
  const inner = targetQuery(query, relation)
  if (!isToMany(relation)) {
    const target = await readTarget(ctx, parent, { relation, query: inner })
    return relationshipDocument(ctx, target, { relation, query, self, page: null })
  }
  const schema = schemaOf(ctx.server.schemas, relation.model)
  const { resources, page } = await readMembers(ctx, parent, { relation, schema, query: inner })
  return relationshipDocument(ctx, resources, { relation, query, self, page })
}
