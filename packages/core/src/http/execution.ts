import { documentTooLarge } from '@prismapi/jsonapi/document/errors'
import { type Extensions, upsertProfile } from '@prismapi/jsonapi/document/types'
import { checkQuery } from '@prismapi/jsonapi/query/check-query'
import { sizeParameter } from '@prismapi/jsonapi/request/hook-context'
import {
  type Address,
  findRouteAt,
  isReading,
  matchPath,
  type Operation,
  showsMany,
} from '@prismapi/jsonapi/request/operation'
import { Preparation } from '@prismapi/jsonapi/request/write-state'
import { naturalKey } from '@prismapi/jsonapi/schema/natural-key'
import { dispatch, executeOperation, prepareAhead } from '../actions/actions.ts'
import { dispatchOperations, executeOperations, prepareOperations } from '../actions/atomic/execute-operations.ts'
import { parseOperations } from '../actions/atomic/parse-operations.ts'
import { type AtomicShape, type AtomicTarget, methodOf } from '../actions/atomic/target.ts'
import type { ActionResult, RequestContext } from '../actions/context.ts'
import { checkWritePrice, priceOfWrite } from '../price/check-price.ts'
import type { CompiledServer } from '../server/compile.ts'
import { requestContext, type ServerContext } from '../server/serving.ts'
import type { Api } from './api.ts'
import { type Call, contextOf } from './call.ts'
import type { Execute, HttpStage } from './plugin.ts'
import { parsePrecondition, respondInTurns, respondReady } from './response/respond.ts'

/** Runs the serving phase, and makes the context that the actions are given. */
export const makeContext: HttpStage = (next) => async (call) => {
  call.context = await contextFor(call)
  await next(call)
}

/** The context of a call whose user is known. */
export function contextFor(call: Call): Promise<ServerContext> {
  const { koa, api, body, observer, operation, negotiated } = call
  const { plugins, server, transactions } = api
  const preparation = new Preparation()
  const asking = plugins.reduceRight((store, plugin) => plugin.store?.(store, call) ?? store, call.store)
  return requestContext({
    request: call,
    method: koa.method,
    body,
    // A write has taken it before it begins: nothing waits inside of a transaction.
    place: call.mayWrite ? null : call.place,
    store: transactions.joinable(asking, { preparation, by: call, requestId: call.requestId }),
    preparation,
    negotiated,
    precondition: operation && !isReading(operation) ? parsePrecondition(koa.req) : null,
    observer,
    limits: server.limits,
    taker: null,
    namesTargets: false,
  })
}

/** Parses the operations of an atomic request: 400, 403. */
export const parseAtomic: HttpStage = (next) => (call) => {
  // The form of a page may have said already what they are.
  if (!call.isAtomic || call.operations) return next(call)
  const ctx = contextOf(call)
  // Results show resources and nothing beside them: a query can ask for sparse fieldsets alone.
  checkQuery(ctx, { schemas: [], isCollection: false, relation: null, isRelationship: false })
  call.operations = parseOperations(ctx.body, atomicShape(ctx.server, ctx.negotiatedExtensions))
  return next(call)
}

/** The price of a write, before anything of it is carried out: observers learn it, and too high ones are refused. */
export const priceWrite: HttpStage = (next) => async (call) => {
  const { observer, operations, mayWrite } = call
  if (!mayWrite) return next(call)
  const ctx = contextOf(call)
  const points = priceOfWrite(ctx.body, operations?.length ?? 1)
  await observer?.priced?.({ points, limit: ctx.limits.cost, parameters: () => [] })
  checkWritePrice(ctx, points, operations ? '/atomic:operations' : '/data')
  await call.place?.take(points)
  return next(call)
}

/** Carries out what a call asks for: an operation, or those of an atomic request. */
const execute: Execute = (call) => {
  const ctx = contextOf(call)
  return call.operations ? executeOperations(ctx, call.operations) : executeOperation(ctx, operationOf(call))
}

/** The same, with what the plug-ins do around it. */
export const executeWith = (api: Api): Execute =>
  api.plugins.reduceRight<Execute>((next, plugin) => plugin.execute?.(next, api) ?? next, execute)

/** Runs the `preparing` hooks of work that will be a part of a transaction, before that one begins. */
export const prepare = (call: Call, ctx: RequestContext): Promise<void> =>
  call.operations ? prepareOperations(ctx, call.operations) : prepareAhead(ctx, operationOf(call))

/** One attempt, without retry, for work that is a part of a transaction. */
export const attempt = (call: Call, ctx: RequestContext): Promise<ActionResult> =>
  call.operations ? dispatchOperations(ctx, call.operations) : dispatch(ctx, operationOf(call))

function operationOf({ operation }: Call): Operation {
  if (operation === null)
    throw new Error('http/jsonapi.ts: nothing is to be executed. Move the stage behind checkMethod.')
  return operation
}

/** The last stage: sends what `execute` answers. */
export const respondWith =
  (execute: Execute): HttpStage =>
  (_, { server }) =>
  async (call) => {
    const answer = await execute(call)
    if ('bytes' in answer) return respondReady(call.koa, answer)
    const version = server.etags ? answer.version : undefined
    return respondInTurns(call.koa, { checkSize: sizeCheck(call), ...answer, version })
  }

/** What a read answers with has an end. A write is done by now, whatever it answers with. */
function sizeCheck(call: Call): ((bytes: number) => void) | undefined {
  const { operation } = call
  if (!operation || !isReading(operation)) return undefined
  const { at, limits } = contextOf(call)
  return (bytes) => {
    if (bytes > limits.documentBytes) throw documentTooLarge(sizeParameter(at), limits.documentBytes)
  }
}

/** Waits for the requests that arrived together with this one, so that they read and answer back to back. */
export const joinBatch: HttpStage =
  (next, { batching }) =>
  (call) => {
    const { koa, operation } = call
    const batch = operation && batching.join(koa.req.socket, isLarge(operation, koa.querystring))
    return batch ? batch.then(() => next(call)) : next(call)
  }

/** One resource may bring many others, where the URL asks for them. */
const isLarge = (operation: Operation, query: string): boolean =>
  showsMany(operation) || (isReading(operation) && query !== '')

/** What a server's endpoints make of the operations of an atomic request. */
export function atomicShape(server: CompiledServer, negotiated: Extensions): AtomicShape {
  const { schemas, limits } = server
  const schemaOf = (type: string) => schemas.byType.get(type)
  return {
    maxOperations: limits.operations,
    hasUpsert: negotiated.profile.includes(upsertProfile),
    isType: (type) => schemas.byType.has(type),
    isRelationship: (type, name) => schemaOf(type)?.relations.has(name) ?? false,
    isNaturalKey(type, fields) {
      const schema = schemaOf(type)
      return schema !== undefined && naturalKey(schema, fields) !== null
    },
    supports: (op, target) => Object.hasOwn(findRouteAt(schemas, toAddress(target))?.kinds ?? {}, methodOf[op]),
    targetOf: (href) => parseTarget(server, href),
  }
}

function toAddress({ type, id, lid, relationship }: AtomicTarget): Address {
  const name = id ?? lid
  if (name === null) return { pattern: '/:type', params: { type } }
  if (relationship === null) return { pattern: '/:type/:id', params: { type, id: name } }
  return {
    pattern: '/:type/:id/relationships/:relation',
    params: { type, id: name, relation: relationship },
  }
}

/** A URL, relative or not, of what operations can change; null for every other. */
function parseTarget({ baseUrl, schemas }: CompiledServer, href: string): AtomicTarget | null {
  const self = `${baseUrl}/operations`
  if (!URL.canParse(href, self)) return null
  const url = new URL(href, self)
  const base = new URL(baseUrl)
  if (url.origin !== base.origin || !url.pathname.startsWith(`${base.pathname}/`) || url.search || url.hash) return null
  const match = matchPath(url.pathname.slice(base.pathname.length))
  return match && toTarget(match, schemas)
}

function toTarget(
  { pattern, params: { type = '', id = '', relation = '' } }: Address,
  schemas: CompiledServer['schemas'],
): AtomicTarget | null {
  const schema = schemas.byType.get(type)
  if (!schema) return null
  switch (pattern) {
    case '/:type':
      return { type, id: null, lid: null, relationship: null }
    case '/:type/:id':
      return { type, id, lid: null, relationship: null }
    case '/:type/:id/relationships/:relation':
      return schema.relations.has(relation) ? { type, id, lid: null, relationship: relation } : null
    default:
      return null
  }
}
