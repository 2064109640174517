import { authorize } from '../auth/authorize.ts'
import { typeCan } from '../auth/can.ts'
import { viewableOnly } from '../auth/viewable.ts'
import { planCollection, scopesFor } from '../read/plan.ts'
import { hookRequest } from '../request/hook-request.ts'
import type { CollectionOperation } from '../request/operation.ts'
import { collectionDocument, resourceDocument } from '../serialize/documents.ts'
import { typeUrl } from '../serialize/links.ts'
import { makeReadRequest } from '../validation/request/make-request.ts'
import { type ActionResult, ok } from './action-result.ts'
import type { RequestContext } from './context.ts'
import { queryOf } from './query-of.ts'
import { readCollection } from './read-collection.ts'

export async function fetchMany(ctx: RequestContext, op: CollectionOperation): Promise<ActionResult> {
  const { schema } = op
  await authorize(ctx, op, { request: makeReadRequest(ctx, op), row: null, value: null })
  const query = await queryOf(ctx, op)
  const where = [schema.hooks.indexQuery(hookRequest(ctx)), viewableOnly(ctx, schema)]
  const { resources, page, stats } = await readCollection(
    ctx,
    planCollection({ schema, query, scopes: scopesFor(ctx, query), where }),
    query,
  )
  const url = typeUrl(ctx, schema.type)
  if (query.isSingular) return ok(resourceDocument(ctx, resources[0] ?? null, { query, url }))
  const can = schema.showsCan ? await typeCan(ctx, schema) : null
  return ok(collectionDocument(ctx, resources, { query, url, page, can, stats }))
}
