import { conflict } from '@prismapi/jsonapi/document/errors'
import type { Meta } from '@prismapi/jsonapi/document/types'
import type { ModelName } from '@prismapi/jsonapi/model/register'
import type { VisibleOptions } from '@prismapi/jsonapi/model/visible-rows'
import type { Row } from '@prismapi/jsonapi/model/where'
import { parseQuery } from '@prismapi/jsonapi/query/parse'
import type { Query } from '@prismapi/jsonapi/query/query'
import type { ActionOperation } from '@prismapi/jsonapi/request/operation'
import { type Action, type HandlerResult, MetaAnswer } from '@prismapi/jsonapi/schema/actions'
import { schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { authorize } from '../auth/authorize.ts'
import { translated } from '../database/prisma/database-errors.ts'
import { find, findOrFail, relatedRows, visibleRows } from '../read/find.ts'
import type { RequestTransaction } from '../read/rows.ts'
import { metaDocument } from '../serialize/documents.ts'
import { actionUrl } from '../serialize/links.ts'
import { makeRequest } from '../validation/request/make-request.ts'
import type { Values } from '../validation/request/request-base.ts'
import { actionParameters, actionQueryValues } from '../validation/run/query-rules.ts'
import { validateAction } from '../validation/run/validate-action.ts'
import { afterCommitOf } from '../write/hooks.ts'
import { saveRow } from '../write/save-row.ts'
import { checkUnchanged } from '../write/write.ts'
import { checkSaved } from './check-fields.ts'
import { type ActionResult, noContent, type RequestContext } from './context.ts'
import { checkPrecondition, constraintErrorOfAction, type Judged, writeJudged } from './judged.ts'
import { queryOf } from './reading.ts'
import { checkKeys, type GivenRows, rowsDocument } from './rows-document.ts'

/** A custom action: what an application's schema declares beside reading and writing. */
export async function performAction(ctx: RequestContext, op: ActionOperation): Promise<ActionResult> {
  const judged = await judgeAction(ctx, op)
  const { outcome, answered } = await writeJudged(ctx, judged, {
    judge: (within) => judgeAction(within, op),
    async write(transaction, within, now) {
      const outcome = { result: await handle(within, op, { transaction, ...now }), query: now.query }
      // The answer is read inside the transaction, so that a refused document undoes what the action wrote. A GET
      // action writes nothing.
      return { outcome, answered: op.action.method === 'GET' ? null : await answer(within, op, outcome) }
    },
  })
  return answered ?? answer(ctx, op, outcome)
}

interface JudgedAction extends Judged {
  /** The row that was authorized; null on a collection. */
  readonly row: Row | null
  readonly query: Query
  readonly input: Values
  /** The query parameters that the action takes. */
  readonly parameters: Values
}

/** What the client wants done, if it may, and its input is valid. */
async function judgeAction(ctx: RequestContext, op: ActionOperation): Promise<JudgedAction> {
  const row = op.id === null ? null : await findOrFail(ctx, op.schema, op.id)
  await authorize(ctx, op, { request: makeRequest(ctx, op, row), row, value: null })
  const query = await queryOf(ctx, op)
  if (row && op.action.method !== 'GET') await checkPrecondition(ctx, op, row)
  const input = await validateAction(ctx, op)
  const parameters = parametersOf(ctx, op)
  return { row, query, input, parameters, onBroken: constraintErrorOfAction({ ctx, schema: op.schema }, input) }
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

interface Handling extends Omit<JudgedAction, keyof Judged | 'query'> {
  readonly transaction: RequestTransaction
}

/** An id of the action's own model, or what `find` of all models takes. */
type Found = [id: string] | [model: string, id: string | number, options?: VisibleOptions]

/** @param ctx inside of the transaction. */
async function handle(
  ctx: RequestContext,
  { schema, action }: ActionOperation,
  { transaction, row, input, parameters }: Handling,
): Promise<HandlerResult> {
  if (row) await checkUnchanged(transaction, { ctx, schema }, row)
  checkPossible(action, row)
  const rows = visibleRows(ctx, () => transaction.rows)
  const event = Object.freeze({
    user: ctx.user,
    params: ctx.server.params,
    services: ctx.server.services,
    row,
    input,
    query: parameters,
    document: ctx.body,
    db: transaction.client,
    asSystem: transaction.asSystem,
    ...rows,
    find: async (...[model, ...rest]: Found) =>
      rest.length === 0 ? find(ctx, schema, model) : rows.find(model as ModelName, ...rest),
    save(model: string, saved: Row | null, columns: Row) {
      const subject = { ctx, schema: schemaOf(ctx.server.schemas, model), related: relatedRows(ctx) }
      const check = (before: Row | null) => checkSaved(ctx, subject.schema, before, columns)
      // The row may be of another type, which has constraints of its own.
      const onBroken = constraintErrorOfAction(subject, input)
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

/** @throws {JsonApiError} 409 where the action says that it cannot be done with the row as it is now. */
export function checkPossible({ unless }: Action, row: Row | null): void {
  const reason = row && unless?.(row)
  if (reason) throw conflict(reason)
}

interface Answered {
  /** Undefined where the document has no primary data. */
  readonly rows: GivenRows | undefined
  readonly meta: Meta | null
}

const answerOf = (result: HandlerResult): Answered =>
  result instanceof MetaAnswer
    ? { rows: result.rows as GivenRows | undefined, meta: result.meta as Meta }
    : { rows: result, meta: null }
