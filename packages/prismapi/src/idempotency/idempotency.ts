import { createHash } from 'node:crypto'
import { type ActionResult, contextWithin, type RequestContext } from '@prismapi/core/actions/context'
import type { Feature } from '@prismapi/core/api/feature'
import { ceilingOf } from '@prismapi/core/auth/caller'
import { retryOnConflict } from '@prismapi/core/database/attempts'
import { isGuarded } from '@prismapi/core/database/session'
import { type Call, contextOf } from '@prismapi/core/http/call'
import { attempt, prepare } from '@prismapi/core/http/execution'
import { requestIdOf } from '@prismapi/core/http/middleware/request-log'
import type { Plugin } from '@prismapi/core/http/plugin'
import { toFailure, translateFor } from '@prismapi/core/http/response/error-boundary'
import { makeETag, mediaTypeOf, type ReadyAnswer } from '@prismapi/core/http/response/respond'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { failureOf, knownFailure } from '@prismapi/core/server/failure'
import type { KeptAnswer, KeyedCall } from '@prismapi/core/server/incoming-request'
import type { ServerContext } from '@prismapi/core/server/serving'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { answeredBefore, answerHidden, badKey, keyInUse, keyReused } from '@prismapi/jsonapi/document/errors'
import { documentText } from '@prismapi/jsonapi/document/rendered'
import { jsonapiOf } from '@prismapi/jsonapi/document/types'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import { type IdempotencyOptions, idempotencyKey } from '@prismapi/jsonapi/request/features'
import { compiledIdempotency } from './compile-idempotency.ts'
import { isTokenOf, newToken, parseToken, tokenHeader } from './guest-token.ts'
import { type Claim, type IdempotencyKeys, idempotencyKeys, type KeyStore } from './keys.ts'
import type { TextAnswer } from './row.ts'
import { claimsOf, scopesOf } from './seen-by.ts'
import { isStillSeen } from './still-seen.ts'

// https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/: in, a POST with a key. Out, its first
// answer, however often it comes.

/** What a server with keys has. */
interface Idempotency extends Pick<IdempotencyOptions, 'callerOf'> {
  readonly keys: IdempotencyKeys
  /** No caller signs in, so that there is no other one from whom an answer would have to be kept. */
  readonly isPublic: boolean
}

/** Requests with a key are carried out once. */
export const idempotency: Feature = {
  compiled: compiledIdempotency,
  serve:
    ({ options, stores }) =>
    (server) =>
      idempotencyOf(
        server,
        { store: stores[server.reads], isGuarded: isGuarded(options.clients) },
        options.authenticate === undefined && server.authenticate === null,
      ),
}

function idempotencyOf(server: CompiledServer, store: KeyStore, isPublic: boolean): Plugin {
  const options = server.features.get(idempotencyKey)
  if (options === null) return { once: () => Promise.reject(keepsNone(server)) }
  const idempotency = {
    keys: idempotencyKeys(store, options, server.resources.models[options.model] as ModelMeta),
    callerOf: options.callerOf,
    isPublic,
  }
  return {
    executesWrites: true,
    execute: (next) => (call) => {
      const key = keyOf(call)
      return key === null ? next(call) : executeOnce(call, idempotency, key)
    },
    once: (call) => callOnce(idempotency, { ...call, key: parseKey(call.key) }),
  }
}

const keepsNone = ({ name }: CompiledServer): Error =>
  new Error(
    `idempotencyKey: server ${name} keeps no answers. Add the model IdempotencyKey to the Prisma schema, as docs/idempotency.md shows it, and leave out idempotency = false in its class.`,
  )

/**
 * The key of a request; null where there is none, or where it means nothing.
 * @throws {JsonApiError} 400
 */
function keyOf({ koa, isDryRun }: Call): string | null {
  const header = koa.method === 'POST' ? koa.req.headers['idempotency-key'] : undefined
  return header === undefined || isDryRun ? null : parseKey(String(header))
}

/** Carries a request out, unless that was done before, and answers with what is kept. */
async function executeOnce(call: Call, idempotency: Idempotency, key: string): Promise<ReadyAnswer> {
  const ctx = contextOf(call)
  const { authorization, [tokenHeader.toLowerCase()]: sent } = call.koa.req.headers
  const isNamed = ctx.user !== null || idempotency.isPublic
  const token = isNamed ? null : (parseToken(sent as string | undefined) ?? newToken())
  const { answer, isRepeated } = await onlyOnce(idempotency, {
    ctx,
    key,
    token,
    by: [callerNamed(idempotency, ctx.user), claimsOf(authorization)],
    ahead: () => prepare(call, ctx),
    work: (inside) => attempt(call, inside),
    failureOf: (error) => toFailure(call, error),
    told: (failure) => translateFor(call, failure),
    request: requestIdOf(call.koa),
  })
  const own: Readonly<Record<string, string>> = isRepeated
    ? { 'Idempotency-Replayed': 'true' }
    : token === null
      ? {}
      : { [tokenHeader]: token }
  const { status, headers, body } = answer
  return {
    status,
    headers: { ...headers, ...own },
    mediaType: null,
    etag: null,
    bytes: body === null ? null : Buffer.from(body),
  }
}

/** The same of a call from inside of the process, which vouches for its callers. */
async function callOnce(idempotency: Idempotency, call: KeyedCall): Promise<KeptAnswer> {
  const { request, key, prepare, attempt } = call
  const { server, user, job } = request
  const { answer } = await onlyOnce(idempotency, {
    ctx: contextOf(request),
    key,
    token: null,
    by: job === null ? [callerNamed(idempotency, user), null] : ['job', job],
    ahead: prepare,
    work: attempt,
    failureOf: (error) => failureOf({ error, known: knownFailure(error), request: {} }, server),
    told: (failure) => failure,
    request: {},
  })
  return answer
}

const callerNamed = ({ callerOf }: Idempotency, user: unknown): string | null =>
  user === null ? null : callerOf(user as never)

/** A request with a key, by whichever way it came. */
interface KeyedRequest {
  readonly ctx: ServerContext
  readonly key: string
  /** By which a guest has the answer again; null where the key says who that is. */
  readonly token: string | null
  /** What tells its caller from all others. */
  readonly by: readonly unknown[]
  readonly ahead: () => Promise<void>
  readonly work: (inside: RequestContext) => Promise<ActionResult>
  /** What its caller is told of an error, which is logged. */
  readonly failureOf: (error: unknown) => JsonApiError
  /** The same in the language of its caller. */
  readonly told: (failure: JsonApiError) => JsonApiError
  /** What the log says of it. */
  readonly request: object
}

interface OnceAnswered {
  readonly answer: TextAnswer
  readonly isRepeated: boolean
}

async function onlyOnce({ keys }: Idempotency, keyed: KeyedRequest): Promise<OnceAnswered> {
  const { ctx, key, token, by } = keyed
  const { name, params } = ctx.server
  const server = Object.keys(params).length === 0 ? name : [name, params]
  // A key that was used with more scopes of a token is another key with fewer of them.
  const limit = ceilingOf(ctx.user)
  const id = hash([server, ...by, ...(limit ? [limit.name] : []), scopesOf(ctx), key])
  const claimed = await keys.claim({ id, fingerprint: fingerprintOf(ctx), token })
  switch (claimed.kind) {
    case 'claimed':
      return { answer: await carryOut(keyed, keys, claimed.claim), isRepeated: false }
    case 'answered':
      if (token !== null && !isTokenOf(claimed.owner, token)) throw answeredBefore()
      if (!(await isStillSeen(ctx, claimed.answer))) throw answerHidden()
      return { answer: claimed.answer, isRepeated: true }
    case 'running':
      throw keyInUse()
    case 'different':
      throw keyReused()
    default:
      return claimed satisfies never
  }
}

async function carryOut(keyed: KeyedRequest, keys: IdempotencyKeys, claim: Claim): Promise<TextAnswer> {
  const { ctx, ahead, work, request } = keyed
  const { server, negotiatedExtensions } = ctx
  const failed = (err: unknown) =>
    server.logger.warn({ ...request, err }, 'An Idempotency-Key is locked until its lease is over')
  try {
    return await performOnce(ctx, { keys, claim, ahead, work, render: rendererOf(server) })
  } catch (error) {
    const failure = error instanceof JsonApiError ? error : keyed.failureOf(error)
    if (!isOutcome(failure)) {
      await keys.release(claim).catch(failed)
      throw failure
    }
    // Repeated in the language of who asked first, as its Content-Language says.
    const { status, errors, headers } = keyed.told(failure)
    const answer = render({
      status,
      document: { jsonapi: jsonapiOf(server.version, negotiatedExtensions), errors },
      headers,
    })
    await keys.keep(claim, answer).catch(failed)
    return answer
  }
}

// What was refused, or is worth another try, was not carried out: the same key may bring it again.
const isOutcome = ({ status }: JsonApiError): boolean => status >= 500 && status !== 503

function render({ status, document, headers }: ActionResult): TextAnswer {
  const type = document && { 'Content-Type': mediaTypeOf(document.jsonapi) }
  return { status, headers: { ...headers, ...type }, body: document && documentText(document) }
}

/** With the ETag that it has without a key, too. */
const rendererOf =
  (server: CompiledServer) =>
  (answer: ActionResult): TextAnswer => {
    const kept = render(answer)
    if (!server.etags || answer.version === undefined || kept.body === null) return kept
    return { ...kept, headers: { ...kept.headers, ETag: makeETag(answer.version, [Buffer.from(kept.body)]) } }
  }

/** What makes two requests one and the same: not how their documents are laid out. */
const fingerprintOf = ({ method, at, negotiatedExtensions, body }: ServerContext): string =>
  hash([method, at.url.pathname + at.search, negotiatedExtensions, body ?? null])

const hash = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

const pattern = /^(?:"([!#-[\]-~]{1,255})"|([!#-~][!-~]{0,254}))$/

/**
 * The key of the header, without the quotes of a structured field.
 * @throws {JsonApiError} 400
 */
export function parseKey(header: string): string {
  const [, quoted, bare] = pattern.exec(header) ?? []
  const key = quoted ?? bare
  if (key === undefined) throw badKey()
  return key
}

export interface Once {
  readonly keys: IdempotencyKeys
  readonly claim: Claim
  /** Before the transaction begins. */
  readonly ahead: () => Promise<void>
  readonly work: (ctx: RequestContext) => Promise<ActionResult>
  /** The answer as it will be sent. */
  readonly render: (answer: ActionResult) => TextAnswer
}

/**
 * Does all of a request in one transaction, from permission to the text of the answer, which is kept in it: there is no
 * write without its answer, and no answer without its write.
 */
const performOnce = (ctx: RequestContext, { keys, claim, ahead, work, render }: Once): Promise<TextAnswer> =>
  retryOnConflict(ctx, '', async () => {
    await ahead()
    return ctx.store.write(async (transaction) => {
      const answer = render(await work(contextWithin(ctx, transaction)))
      await keys.complete(transaction, claim, answer)
      return answer
    })
  })
