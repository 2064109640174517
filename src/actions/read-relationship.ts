import type { DataDocument } from '../document/types.ts'
import type { Query } from '../query/query.ts'
import { readPivotMeta } from '../read/loading/pivot-meta.ts'
import type { Resource } from '../read/resource.ts'
import { isToMany, type Relation } from '../schema/relation-kinds.ts'
import { schemaOf } from '../schema/resource-schema.ts'
import { relationshipDocument } from '../serialize/documents.ts'
import { resourceUrl } from '../serialize/links.ts'
import type { RequestContext } from './context.ts'
import { readMembers, readTarget, targetQuery } from './read-relation.ts'

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
  const { resources, page, count } = await readMembers(ctx, parent, { relation, schema, query: inner })
  const { fields } = query
  const pivotMeta =
    relation.kind === 'manyThrough'
      ? await readPivotMeta(ctx, { relation, fields }, { parent, targets: resources })
      : null
  return relationshipDocument(ctx, resources, { relation, query, self, page, count, pivotMeta })
}
