import type { Context } from 'koa'
import { operationsOnce, performOperations } from '../actions/perform-operations.ts'
import { parseOperations } from '../document/atomic-operations.ts'
import { invalidJson, methodNotAllowed, unsupportedMediaType } from '../document/errors.ts'
import { atomicExtension } from '../document/profiles.ts'
import { checkQuery } from '../query/check-query.ts'
import type { RequestContext } from '../request/context.ts'
import { tellOperations } from './answering/deprecation.ts'
import { respond } from './answering/respond.ts'
import { atomicShape } from './atomic-shape.ts'
import { type Api, requestContext, userOf, writingApi } from './build-context.ts'
import { answerOnce, keyOf } from './idempotency.ts'
import { hasBody, readBody } from './incoming/body.ts'
import { checkContentType } from './incoming/negotiate.ts'
import { negotiate } from './incoming/negotiated.ts'

/** Several writes in one request, all of them or none: the extension `https://jsonapi.org/ext/atomic`. */
export async function answerOperations(koa: Context, api: Api): Promise<void> {
  if (koa.method === 'OPTIONS') {
    respond(koa, 204, null, { Allow: 'POST' })
    return
  }
  if (koa.method !== 'POST') throw methodNotAllowed(koa.method, koa.path, ['POST'])
  const ctx = await operationsContext(koa, api)
  checkUrl(ctx)
  const operations = parseOperations(ctx.body, atomicShape(ctx.server, ctx.applied))
  if (api.server.deprecates) tellOperations(koa, api.server, operations)
  const key = keyOf(koa, api)
  if (key !== null) return answerOnce(koa, api, { key, ctx, work: (inside) => operationsOnce(inside, operations) })
  const { status, document } = await performOperations(ctx, operations)
  respond(koa, status, document)
}

/** As for every request, but that the body has to be written in the extension. */
async function operationsContext(koa: Context, api: Api): Promise<RequestContext> {
  const { server } = api
  negotiate(koa, server)
  if (hasBody(koa.req)) {
    const { ext } = checkContentType(koa.get('Content-Type') || undefined, server.version, server.known)
    if (!ext.includes(atomicExtension)) throw unsupportedMediaType()
  }
  const user = await userOf(koa, api)
  if (!hasBody(koa.req)) throw invalidJson('Expecting JSON to decode.')
  const body = await readBody(koa, server.limits)
  return requestContext(koa, writingApi(koa, api), { user, body })
}

/** Results show resources and nothing beside them: sparse field sets are all that a query can ask for. */
function checkUrl(ctx: RequestContext): void {
  checkQuery(ctx, { schemas: [], isCollection: false, relation: null, isRelationship: false })
}
