import { authorize } from '../auth/authorize.ts'
import type { Transaction } from '../database/store.ts'
import type { Row } from '../model/where.ts'
import { find, findOrFail } from '../read/find.ts'
import type { ActionOperation } from '../request/operation.ts'
import { withParts } from '../request/with-parts.ts'
import { type HandlerResult, MetaAnswer } from '../schema/actions.ts'
import { schemaOf } from '../schema/resource-schema.ts'
import { metaDocument } from '../serialize/documents.ts'
import { actionUrl } from '../serialize/links.ts'
import { makeRequest } from '../validation/request/make-request.ts'
import type { Values } from '../validation/request/request-facts.ts'
import { validateAction } from '../validation/run/validate-action.ts'
import { afterCommitOf } from '../write/hooks.ts'
import { checkUnchanged } from '../write/write.ts'
import { type ActionResult, noContent } from './action-result.ts'
import { checkPrecondition } from './check-precondition.ts'
import type { RequestContext } from './context.ts'
import { queryOf } from './query-of.ts'
import { checkKeys, rowsDocument } from './rows-document.ts'

/** A custom action: what an application's schema declares beside reading and writing. */
export async function performAction(ctx: RequestContext, op: ActionOperation): Promise<ActionResult> {
  const row = op.id === null ? null : await findOrFail(ctx, op.schema, op.id)
  await authorize(ctx, op, { request: makeRequest(ctx, op, row), row, value: null })
  const query = queryOf(ctx, op)
  if (row && op.action.method !== 'GET') checkPrecondition(ctx, op.schema, row)
  const input = await validateAction(ctx, op)
  const result = await ctx.store.write((transaction) => handle(ctx, op, { transaction, row, input }))
  if (result === undefined) return noContent
  const { status, answers } = op.action
  const url = actionUrl(ctx, op)
  if (result instanceof MetaAnswer) return { status, document: metaDocument(ctx, { meta: result.meta, url }) }
  const document = await rowsDocument(ctx, schemaOf(ctx.server.schemas, answers), { rows: result, query, url })
  // As after a PATCH: whoever did it may not see the outcome any more.
  const isHidden = result !== null && document.data === null
  return isHidden ? noContent : { status, document }
}

interface Handling {
  readonly transaction: Transaction
  /** The row that was authorized; null on a collection. */
  readonly row: Row | null
  readonly input: Values
}

async function handle(
  ctx: RequestContext,
  { schema, action }: ActionOperation,
  { transaction, row, input }: Handling,
): Promise<HandlerResult> {
  const { client, reader } = transaction
  if (row) await checkUnchanged(transaction, { ctx, schema }, row)
  const inside = withParts(ctx, { store: { ...ctx.store, reader } })
  const event = Object.freeze({
    user: ctx.user,
    row,
    input,
    document: ctx.body,
    db: client,
    find: async (other: string) => find(inside, schema, other),
    services: ctx.server.services,
    afterCommit: afterCommitOf(ctx, transaction),
  })
  const result = (await action.handle(event)) as HandlerResult
  // Inside, so that a handler that answers nonsense has written nothing.
  if (result && !(result instanceof MetaAnswer)) checkKeys(schemaOf(ctx.server.schemas, action.answers), result)
  return result
}
