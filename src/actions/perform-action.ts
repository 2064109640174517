import { authorize } from '../auth/authorize.ts'
import { translated } from '../database/prisma/database-errors.ts'
import type { Transaction } from '../database/store.ts'
import type { Meta } from '../document/types.ts'
import type { ModelName } from '../model/register.ts'
import type { VisibleOptions } from '../model/visible-rows.ts'
import type { Row } from '../model/where.ts'
import { parseQuery } from '../query/parse.ts'
import type { Query } from '../query/query.ts'
import { find, findOrFail } from '../read/find.ts'
import { relatedRows } from '../read/related-rows.ts'
import { visibleRows } from '../read/visible-rows.ts'
import type { ActionOperation } from '../request/operation.ts'
import { type HandlerResult, MetaAnswer } from '../schema/actions.ts'
import { schemaOf } from '../schema/resource-schema.ts'
import { metaDocument } from '../serialize/documents.ts'
import { actionUrl } from '../serialize/links.ts'
import { makeRequest } from '../validation/request/make-request.ts'
import type { Values } from '../validation/request/request-facts.ts'
import { actionParameters, actionQueryValues } from '../validation/run/action-query.ts'
import { validateAction } from '../validation/run/validate-action.ts'
import { afterCommitOf } from '../write/hooks.ts'
import { saveRow } from '../write/save-row.ts'
import { checkUnchanged } from '../write/write.ts'
import { type ActionResult, noContent } from './action-result.ts'
import { checkSaved } from './check-fields.ts'
import { checkPrecondition } from './check-precondition.ts'
import { contextWithin, type RequestContext } from './context.ts'
import { onBrokenBy } from './on-broken.ts'
import { queryOf } from './query-of.ts'
import { checkKeys, type Rows, rowsDocument } from './rows-document.ts'

/** A custom action: what an application's schema declares beside reading and writing. */
export async function performAction(ctx: RequestContext, op: ActionOperation): Promise<ActionResult> {
  const row = op.id === null ? null : await findOrFail(ctx, op.schema, op.id)
  await authorize(ctx, op, { request: makeRequest(ctx, op, row), row, value: null })
  const query = await queryOf(ctx, op)
  if (row && op.action.method !== 'GET') await checkPrecondition(ctx, op, row)
  const input = await validateAction(ctx, op)
  const parameters = parametersOf(ctx, op)
  const onBroken = onBrokenBy(op.schema, input)
  if (op.action.method === 'GET') {
    // Nothing is to be undone: its document need not be read inside.
    const handling = (transaction: Transaction) => handle(ctx, op, { transaction, row, input, parameters })
    const result = await ctx.store.write(handling, onBroken)
    return answer(ctx, op, { result, query })
  }
  return ctx.store.write(async (transaction) => {
    const result = await handle(ctx, op, { transaction, row, input, parameters })
    // Inside, so that a document that is refused undoes what the action has written.
    return answer(contextWithin(ctx, transaction), op, { result, query })
  }, onBroken)
}

/** What the query, which is checked, says to the action itself. */
function parametersOf({ at, limits, server }: RequestContext, op: ActionOperation): Values {
  const allow = actionParameters(op.action)
  if (allow.size === 0) return noParameters
  return actionQueryValues(op, parseQuery(at, limits, { allow, ignoresUnknown: server.ignoresUnknownParameters }))
}

const noParameters: Values = Object.freeze({})

interface Outcome {
  readonly result: HandlerResult
  readonly query: Query
}

async function answer(ctx: RequestContext, op: ActionOperation, { result, query }: Outcome): Promise<ActionResult> {
  if (result === undefined) return noContent
  const { status, answers } = op.action
  const url = actionUrl(ctx, op)
  const { rows, meta } = answerOf(result)
  if (rows === undefined) return { status, document: metaDocument(ctx, { meta: meta ?? {}, url }) }
  const shown = await rowsDocument(ctx, schemaOf(ctx.server.schemas, answers), {
    ...{ rows, query, url },
    isWritten: op.action.method !== 'GET',
  })
  const document = meta ? { ...shown, meta: { ...shown.meta, ...meta } } : shown
  // As after a PATCH: the caller who did it may not see the outcome any more.
  const isHidden = rows !== null && document.data === null && !meta
  return isHidden ? noContent : { status, document }
}

interface Handling {
  readonly transaction: Transaction
  /** The row that was authorized; null on a collection. */
  readonly row: Row | null
  readonly input: Values
  /** The query parameters that the action takes. */
  readonly parameters: Values
}

/** An id of the action's own model, or what `find` of all models takes. */
type Found = [id: string] | [model: string, id: string | number, options?: VisibleOptions]

async function handle(
  ctx: RequestContext,
  { schema, action }: ActionOperation,
  { transaction, row, input, parameters }: Handling,
): Promise<HandlerResult> {
  if (row) await checkUnchanged(transaction, { ctx, schema }, row)
  const inside = contextWithin(ctx, transaction)
  const rows = visibleRows(inside, () => transaction.reader)
  const event = Object.freeze({
    user: ctx.user,
    services: ctx.server.services,
    row,
    input,
    query: parameters,
    document: ctx.body,
    db: transaction.client,
    ...rows,
    find: async (...[model, ...rest]: Found) =>
      rest.length === 0 ? find(inside, schema, model) : rows.find(model as ModelName, ...rest),
    save(model: string, saved: Row | null, columns: Row) {
      const subject = { ctx: inside, schema: schemaOf(ctx.server.schemas, model), related: relatedRows(inside) }
      const check = (before: Row | null) => checkSaved(inside, subject.schema, before, columns)
      // The row may be of another type, which has constraints of its own.
      const onBroken = onBrokenBy(subject.schema, input)
      return translated(() => saveRow(transaction, subject, { row: saved, columns, check }), onBroken)
    },
    afterCommit: afterCommitOf(ctx, transaction),
  })
  const result = (await action.handle(event)) as HandlerResult
  // Inside, so that a handler that answers nonsense has written nothing.
  const answered = answerOf(result).rows
  if (answered) checkKeys(schemaOf(ctx.server.schemas, action.answers), answered)
  return result
}

interface Answered {
  /** Undefined where the document has no primary data. */
  readonly rows: Rows | undefined
  readonly meta: Meta | null
}

const answerOf = (result: HandlerResult): Answered =>
  result instanceof MetaAnswer
    ? { rows: result.rows as Rows | undefined, meta: result.meta as Meta }
    : { rows: result, meta: null }
