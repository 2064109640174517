import { all, not } from '@prismapi/jsonapi/condition/build'
import type { Linkage } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import { type BelongsTo, exclusiveKeys, type MorphTo, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { allColumns, childrenOf, idWhere, planLevel } from '../../read/plan.ts'
import { identifiersOf } from '../input.ts'
import type { TakeOver } from './link-change.ts'
import type { Planning } from './plan-links.ts'

interface Wanted {
  readonly relation: Relation
  readonly linkage: Linkage
}

/**
 * Finds the row that loses its partner in a one-to-one, because the written row gets it. A row that a scope hides keeps
 * its partner, so the database refuses the write.
 *
 * @param row whose relation it is; null for a new one.
 * @returns null where the relation takes nothing from others.
 */
export async function planTakeOver(
  { ctx, related }: Planning,
  { schema, row }: { readonly schema: ResourceSchema; readonly row: Row | null },
  { relation, linkage }: Wanted,
): Promise<TakeOver | null> {
  const [identifier] = identifiersOf(linkage)
  const model = identifier && ctx.server.schemas.byType.get(identifier.type)?.model.name
  const key = exclusiveKeys(relation).find((each) => each.model === model)
  if (!identifier || !key) return null
  const change = { relation: relation as BelongsTo | MorphTo, field: key.field, clears: key.clears }
  const partner = await related.target(identifier)
  if (!partner) return { ...change, ended: [] }
  const where = all(childrenOf(key, schema.model, partner), row && not(idWhere(schema, row)))
  const ended = await ctx.rows.read('related', planLevel(schema, allColumns(schema), where))
  return { ...change, ended: ended.map((each) => ({ row: each, at: null })) }
}
