import { createHash } from 'node:crypto'
import { notAcceptable } from '../../document/errors.ts'
import { memo } from '../../model/memo.ts'
import { callerOf } from '../../openapi/caller.ts'
import { openApiDocument } from '../../openapi/document.ts'
import { boundedCache } from '../../request/bounded-cache.ts'
import type { CompiledServer } from '../../server/compile.ts'
import type { ServerContext } from '../../server/server-context.ts'
import type { Api } from '../api.ts'
import { contextOf } from '../call.ts'
import { parseMediaType, splitUnquoted } from '../request/media-type.ts'
import { jsonApiMediaType } from '../request/negotiate.ts'
import { compose, type Handler, type HttpStage } from '../stage.ts'
import { authenticate } from '../stages/authenticate.ts'
import { makeContext } from '../stages/make-context.ts'
import { readExamples } from './openapi-examples.ts'
import { answerMethods, refuseParameters } from './page-requests.ts'

/** The OpenAPI document of a server for the caller: what they may do, and nothing of what they may not. */
export const openApi = (api: Api): Handler =>
  compose(api, [negotiateJson, authenticate, refuseQuery, makeContext, answerDocument])

const negotiateJson: HttpStage = (next) => (call) => {
  const { koa } = call
  if (answerMethods(koa)) return
  koa.vary(['Accept', 'Authorization'])
  checkAccept(koa.get('Accept'))
  return next(call)
}

const refuseQuery: HttpStage = (next) => (call) => {
  refuseParameters(call.koa, call.api.server)
  return next(call)
}

const answerDocument: HttpStage = () => async (call) => {
  const { koa } = call
  const { text, etag } = await documentFor(contextOf(call))
  koa.set('X-Content-Type-Options', 'nosniff')
  koa.set('Cache-Control', 'private, no-cache')
  koa.set('ETag', etag)
  if (isKnown(koa.get('If-None-Match'), etag)) {
    koa.status = 304
    return
  }
  koa.set('Content-Type', 'application/json')
  koa.body = text
}

interface Kept {
  readonly text: string
  readonly etag: string
}

// A document is large, and the same for all who may do the same: those that were asked for last are kept.
const keptDocuments = 8
const keptOf = memo((_: CompiledServer) => boundedCache<Kept>(keptDocuments))

async function documentFor(ctx: ServerContext): Promise<Kept> {
  const { server } = ctx
  const caller = await callerOf(ctx)
  const examples = server.openapi.examples ? await readExamples(ctx, caller) : noExamples
  const key = examples.size === 0 ? caller.key : hashOf(caller.key + JSON.stringify([...examples]))
  return keptOf(server).get(key, () => {
    const text = JSON.stringify(openApiDocument(server, caller, examples))
    return { text, etag: `"${hashOf(text)}"` }
  })
}

const noExamples = new Map<string, never>()
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

// Not `ctx.fresh`: fetch adds `Cache-Control: no-cache`, which is for caches, to whatever has an `If-None-Match`.
const isKnown = (header: string, etag: string): boolean =>
  splitUnquoted(header, ',').some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)

// Clients that read the API ask for everything in its media type; tools ask for JSON, or for OpenAPI by one of its names.
const accepted: ReadonlySet<string> = new Set([
  '*/*',
  'application/*',
  'application/json',
  'application/openapi+json',
  'application/vnd.oai.openapi+json',
  jsonApiMediaType,
])

/** @throws {JsonApiError} 406 where the client names media types, and none that a description of an API may have. */
function checkAccept(header: string): void {
  const ranges = splitUnquoted(header, ',').filter((part) => part !== '')
  const isAccepted = (part: string) => {
    const range = parseMediaType(part)
    const isRefused = range?.parameters.some(([name, value]) => name === 'q' && Number(value) === 0)
    return range !== null && !isRefused && accepted.has(range.name)
  }
  if (ranges.length > 0 && !ranges.some(isAccepted)) throw notAcceptable()
}
