import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip, createGzip, gunzipSync } from 'node:zlib'
import type { Api } from '@prismapi/core/http/api'
import { authenticate } from '@prismapi/core/http/authentication'
import { type Call, contextOf } from '@prismapi/core/http/call'
import { makeContext } from '@prismapi/core/http/execution'
import { compose, type Handler, type HttpStage } from '@prismapi/core/http/plugin'
import { parseMediaType, splitUnquoted } from '@prismapi/core/http/request/headers'
import { answerMethods, parseTypes } from '@prismapi/core/http/routing'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { type OpenApiVersion, openApiVersions } from '@prismapi/core/server/open-api-part'
import type { ServerContext } from '@prismapi/core/server/serving'
import { badParameter, notAcceptable } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import { jsonApiMediaType } from '@prismapi/jsonapi/document/types'
import { inTurns } from '@prismapi/jsonapi/model/awaitable'
import { boundedCache, memo } from '@prismapi/jsonapi/model/memo'
import { parseParameters } from '@prismapi/jsonapi/query/parameters'
import type { SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { callerOf } from '../caller.ts'
import { openApiOptionsOf } from '../compile-openapi.ts'
import { type DocumentOptions, documentParts } from '../document.ts'
import { documentText } from '../document-text.ts'
import { readExamples } from './read-examples.ts'

/**
 * The OpenAPI document of a server for the caller: only what they may do.
 *
 * @param form what its paths are appended to, and whether it is for a viewer. By default, it is for clients of the
 * public origin.
 */
export const openApi = (api: Api, form: Form = {}): Handler =>
  compose(api, [negotiateJson, authenticate, checkQuery, makeContext, answerDocument(form)])

type Form = Pick<DocumentOptions, 'origin' | 'isUnfolded'>
type VersionedForm = Form & Pick<DocumentOptions, 'openapi'>

const negotiateJson: HttpStage = (next) => (call) => {
  const { koa } = call
  if (answerMethods(koa)) return
  koa.vary(['Accept', 'Authorization'])
  checkAccept(koa.get('Accept'))
  return next(call)
}

const checkQuery: HttpStage = (next) => (call) => {
  const { koa, api } = call
  parseTypes(koa, api.server, [versionName])
  parseVersion(koa, api.server)
  return next(call)
}

const versionName = 'openapi'

/** @throws {JsonApiError} 400 */
function parseVersion({ search }: Call['koa'], { limits }: CompiledServer): OpenApiVersion {
  const [asked, ...others] = parseParameters({ search }, limits).filter(({ key }) => key === versionName)
  const version = openApiVersions.find((each) => each === (asked ? asked.value : '3.1'))
  if (version !== undefined && others.length === 0) return version
  throw badParameter(
    versionName,
    say`Query parameter ${versionName} must be one version of OpenAPI: ${openApiVersions.join(', ')}.`,
  )
}

const answerDocument =
  (form: Form): HttpStage =>
  () =>
  async (call) => {
    const { koa, api } = call
    const { gzipped, length, etag } = await documentFor(contextOf(call), parseTypes(koa, api.server, [versionName]), {
      ...form,
      openapi: parseVersion(koa, api.server),
    })
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
// By its types: a server whose base path has parameters is another value for each base path.
const keptOf = memo((_: SchemaRegistry) => boundedCache<{ made: Promise<Kept> | null }>(keptDocuments))

async function documentFor(ctx: ServerContext, types: ReadonlySet<string> | null, form: VersionedForm): Promise<Kept> {
  const { server } = ctx
  const caller = await callerOf(ctx)
  const examples = openApiOptionsOf(server).examples ? await readExamples(ctx, caller) : noExamples
  const key = hashOf(JSON.stringify([caller.key, [...examples], types && [...types].sort(), form, server.params]))
  const kept = keptOf(server.schemas).get(key, () => ({ made: null }))
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
  async function* counted(): AsyncGenerator<string> {
    for await (const piece of inTurns(pieces)) {
      if (piece === '') continue
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

// Clients of the API ask for everything in its media type; tools ask for JSON, or for OpenAPI by one of its names.
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
