import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip, createGzip, gunzipSync } from 'node:zlib'
import { notAcceptable } from '../../document/errors.ts'
import type { Api } from '../../http/api.ts'
import { contextOf } from '../../http/call.ts'
import { answerMethods, typesNamed } from '../../http/page-requests.ts'
import { parseMediaType, splitUnquoted } from '../../http/request/media-type.ts'
import { jsonApiMediaType } from '../../http/request/negotiate.ts'
import { compose, type Handler, type HttpStage } from '../../http/stage.ts'
import { authenticate } from '../../http/stages/authenticate.ts'
import { makeContext } from '../../http/stages/make-context.ts'
import { memo } from '../../model/memo.ts'
import { boundedCache } from '../../request/bounded-cache.ts'
import type { CompiledServer } from '../../server/compile.ts'
import type { ServerContext } from '../../server/server-context.ts'
import { callerOf } from '../caller.ts'
import { type DocumentOptions, documentParts } from '../document.ts'
import { documentText } from '../document-text.ts'
import { readExamples } from './read-examples.ts'

/**
 * The OpenAPI document of a server for the caller: what they may do, and nothing of what they may not.
 *
 * @param form what its paths are appended to, and whether it is for a viewer; by default it is for clients of the public origin.
 */
export const openApi = (api: Api, form: Form = {}): Handler =>
  compose(api, [negotiateJson, authenticate, checkQuery, makeContext, answerDocument(form)])

type Form = Pick<DocumentOptions, 'origin' | 'isUnfolded'>

const negotiateJson: HttpStage = (next) => (call) => {
  const { koa } = call
  if (answerMethods(koa)) return
  koa.vary(['Accept', 'Authorization'])
  checkAccept(koa.get('Accept'))
  return next(call)
}

const checkQuery: HttpStage = (next) => (call) => {
  typesNamed(call.koa, call.api.server)
  return next(call)
}

const answerDocument =
  (form: Form): HttpStage =>
  () =>
  async (call) => {
    const { koa, api } = call
    const { gzipped, length, etag } = await documentFor(contextOf(call), typesNamed(koa, api.server), form)
    koa.set('X-Content-Type-Options', 'nosniff')
    koa.set('Cache-Control', 'private, no-cache')
    koa.set('ETag', etag)
    if (isKnown(koa.get('If-None-Match'), etag)) {
      koa.status = 304
      return
    }
    koa.body = length < sentAtOnce ? gunzipSync(gzipped) : Readable.from([gzipped]).compose(createGunzip())
    koa.set('Content-Type', 'application/json')
    koa.length = length
  }

const sentAtOnce = 1_048_576

interface Kept {
  readonly gzipped: Buffer
  /** Of the text, in bytes. */
  readonly length: number
  readonly etag: string
}

// A document is large, and the same for all who may do the same: those that were asked for last are kept.
const keptDocuments = 8
const keptOf = memo((_: CompiledServer) => boundedCache<{ made: Promise<Kept> | null }>(keptDocuments))

async function documentFor(ctx: ServerContext, types: ReadonlySet<string> | null, form: Form): Promise<Kept> {
  const { server } = ctx
  const caller = await callerOf(ctx)
  const examples = server.openapi.examples ? await readExamples(ctx, caller) : noExamples
  const key = hashOf(JSON.stringify([caller.key, [...examples], types && [...types].sort(), form]))
  const kept = keptOf(server).get(key, () => ({ made: null }))
  kept.made ??= keep(documentText(documentParts(server, caller, { examples, types, ...form })))
  try {
    return await kept.made
  } catch (error) {
    kept.made = null
    throw error
  }
}

/** Compresses a text while it is made, so that its whole is never in memory, and other requests go on in between. */
async function keep(pieces: Iterable<string>): Promise<Kept> {
  const hash = createHash('sha256')
  let length = 0
  function* counted(): Generator<string> {
    for (const piece of pieces) {
      hash.update(piece)
      length += Buffer.byteLength(piece)
      yield piece
    }
  }
  const gzipped = await buffer(Readable.from(counted()).compose(createGzip()))
  return { gzipped, length, etag: `"${hash.digest('base64url')}"` }
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
