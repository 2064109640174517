import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import type { Answer } from '../actions/answer.ts'
import { performOnce } from '../actions/perform-once.ts'
import { JsonApiError } from '../document/error.ts'
import { answeredBefore, badKey, keyInUse, keyReused } from '../document/errors.ts'
import { jsonapiOf } from '../document/profiles.ts'
import { documentText } from '../document/rendered.ts'
import type { RequestContext } from '../request/context.ts'
import type { IdempotencyOptions } from '../request/idempotency.ts'
import type { CompiledServer } from '../server/compile.ts'
import { type Claim, type IdempotencyKeys, idempotencyKeys } from '../store/idempotency/keys.ts'
import type { KeptAnswer } from '../store/idempotency/row.ts'
import type { Store } from '../store/store.ts'
import { toFailure } from './answering/error-boundary.ts'
import { etagOf } from './answering/etag.ts'
import { mediaTypeOf, respond } from './answering/respond.ts'
import { requestIdOf } from './around/request-id.ts'
import type { Api } from './build-context.ts'
import { tracingOf } from './observing/tracing-of.ts'

// https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/: in, a POST with a key. Out, its first
// answer, however often it comes.

/** What a server with keys has. */
export interface Idempotency extends Pick<IdempotencyOptions, 'callerOf'> {
  readonly keys: IdempotencyKeys
  /** Nobody signs in, so that there is no other caller from whom an answer would have to be kept. */
  readonly isPublic: boolean
}

export const idempotencyOf = ({ idempotency }: CompiledServer, store: Store, isPublic: boolean): Idempotency | null =>
  idempotency && { keys: idempotencyKeys(store, idempotency), callerOf: idempotency.callerOf, isPublic }

interface KeyedRequest {
  readonly key: string
  readonly ctx: RequestContext
  readonly work: (ctx: RequestContext) => Promise<Answer>
}

/**
 * The key of a request, without the quotes of a structured field; null where there is none, or where it means nothing.
 * @throws {JsonApiError} 400
 */
export function keyOf(koa: Context, { idempotency }: Api): string | null {
  const header = koa.method === 'POST' && idempotency ? koa.req.headers['idempotency-key'] : undefined
  // What is only explained is not carried out.
  if (header === undefined || tracingOf(koa)?.explaining?.endsAtAuthorization) return null
  const [, quoted, bare] = pattern.exec(String(header)) ?? []
  const key = quoted ?? bare
  if (key === undefined) throw badKey()
  return key
}

const pattern = /^(?:"([!#-[\]-~]{1,255})"|([!#-~][!-~]{0,254}))$/

/** Carries a request out, unless that was done before, and answers with what is kept. */
export async function answerOnce(koa: Context, api: Api, { key, ctx, work }: KeyedRequest): Promise<void> {
  const { keys, callerOf, isPublic } = api.idempotency as Idempotency
  const caller = ctx.user === null ? null : callerOf(ctx.user as never)
  const id = hash([ctx.server.name, caller, key])
  const claimed = await keys.claim({ id, fingerprint: fingerprintOf(ctx) })
  switch (claimed.kind) {
    case 'claimed':
      return send(koa, await carryOut(koa, { ctx, keys, work, claim: claimed.claim }))
    case 'answered':
      if (caller === null && !isPublic) throw answeredBefore()
      return send(koa, claimed.answer, { 'Idempotency-Replayed': 'true' })
    case 'running':
      throw keyInUse()
    case 'different':
      throw keyReused()
    default:
      return claimed satisfies never
  }
}

interface Claimed extends Omit<KeyedRequest, 'key'> {
  readonly keys: IdempotencyKeys
  readonly claim: Claim
}

async function carryOut(koa: Context, { ctx, keys, work, claim }: Claimed): Promise<KeptAnswer> {
  const { logger } = ctx.server
  const failed = (err: unknown) =>
    logger.warn({ ...requestIdOf(koa), err }, 'An Idempotency-Key is locked until its lease is over')
  try {
    return await performOnce(ctx, { keys, claim, work, render: rendererOf(ctx) })
  } catch (error) {
    const failure = error instanceof JsonApiError ? error : toFailure(koa, error, ctx.server)
    if (!isOutcome(failure)) {
      await keys.release(claim).catch(failed)
      throw failure
    }
    const document = { jsonapi: jsonapiOf(ctx.server.version, ctx.applied), errors: failure.errors }
    const answer = render({ status: failure.status, document, headers: failure.headers })
    await keys.keep(claim, answer).catch(failed)
    return answer
  }
}

// What was refused, or is worth another try, was not carried out: the same key may bring it again.
const isOutcome = ({ status }: JsonApiError): boolean => status >= 500 && status !== 503

function render({ status, document, headers }: Answer): KeptAnswer {
  const type = document && { 'Content-Type': mediaTypeOf(document.jsonapi) }
  return { status, headers: { ...headers, ...type }, body: document && documentText(document) }
}

/** With the ETag that it has without a key, too. */
const rendererOf =
  ({ server }: RequestContext) =>
  (answer: Answer): KeptAnswer => {
    const kept = render(answer)
    if (!server.etags || answer.version === undefined || kept.body === null) return kept
    return { ...kept, headers: { ...kept.headers, ETag: etagOf(answer.version, [Buffer.from(kept.body)]) } }
  }

function send(koa: Context, { status, headers, body }: KeptAnswer, more: Readonly<Record<string, string>> = {}): void {
  respond(koa, status, null, { ...headers, ...more })
  if (body === null) return
  koa.body = body
  koa.status = status
}

/** What makes two requests one and the same: not how their documents are laid out. */
const fingerprintOf = ({ method, at, applied, body }: RequestContext): string =>
  hash([method, at.url.pathname + at.search, applied, body ?? null])

const hash = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
