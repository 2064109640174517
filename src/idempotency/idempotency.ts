import { createHash } from 'node:crypto'
import type { ActionResult } from '../actions/action-result.ts'
import { prepareOperations } from '../actions/atomic/execute-operations.ts'
import type { Feature } from '../api/feature.ts'
import { isGuarded } from '../database/session.ts'
import { JsonApiError } from '../document/error.ts'
import { answeredBefore, answerHidden, keyInUse, keyReused } from '../document/errors.ts'
import { jsonapiOf } from '../document/profiles.ts'
import { documentText } from '../document/rendered.ts'
import { type Call, contextOf } from '../http/call.ts'
import { requestIdOf } from '../http/middleware/request-id.ts'
import type { Plugin } from '../http/plugin.ts'
import { toFailure, toldTo } from '../http/response/error-boundary.ts'
import { etagOf } from '../http/response/etag.ts'
import type { TextAnswer } from '../http/response/respond.ts'
import { mediaTypeOf } from '../http/response/respond.ts'
import { attempt } from '../http/stages/execute.ts'
import type { ModelMeta } from '../model/meta.ts'
import { type IdempotencyOptions, idempotencyKey } from '../request/idempotency.ts'
import type { CompiledServer } from '../server/compile.ts'
import type { ServerContext } from '../server/server-context.ts'
import { compiledIdempotency } from './compile-idempotency.ts'
import { type Claim, type IdempotencyKeys, idempotencyKeys, type KeyStore } from './keys.ts'
import { parseKey } from './parse-key.ts'
import { performOnce } from './perform-once.ts'
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
        options.authenticate === undefined,
      ),
}

function idempotencyOf(server: CompiledServer, store: KeyStore, isPublic: boolean): Plugin | null {
  const options = server.features.get(idempotencyKey)
  if (options === null) return null
  const idempotency = {
    keys: idempotencyKeys(store, options, server.resources.models[options.model] as ModelMeta),
    callerOf: options.callerOf,
    isPublic,
  }
  return {
    execute: (next) => (call) => {
      const key = keyOf(call)
      return key === null ? next(call) : executeOnce(call, idempotency, key)
    },
  }
}

/**
 * The key of a request; null where there is none, or where it means nothing.
 * @throws {JsonApiError} 400
 */
function keyOf({ koa, isDryRun }: Call): string | null {
  const header = koa.method === 'POST' ? koa.req.headers['idempotency-key'] : undefined
  return header === undefined || isDryRun ? null : parseKey(String(header))
}

/** Carries a request out, unless that was done before, and answers with what is kept. */
async function executeOnce(call: Call, { keys, callerOf, isPublic }: Idempotency, key: string): Promise<TextAnswer> {
  const ctx = contextOf(call)
  const caller = ctx.user === null ? null : callerOf(ctx.user as never)
  const id = hash([ctx.server.name, caller, claimsOf(call.koa.req.headers.authorization), scopesOf(ctx), key])
  const claimed = await keys.claim({ id, fingerprint: fingerprintOf(ctx) })
  switch (claimed.kind) {
    case 'claimed':
      return carryOut(call, keys, claimed.claim)
    case 'answered':
      if (caller === null && !isPublic) throw answeredBefore()
      if (!(await isStillSeen(ctx, claimed.answer))) throw answerHidden()
      return { ...claimed.answer, headers: { ...claimed.answer.headers, 'Idempotency-Replayed': 'true' } }
    case 'running':
      throw keyInUse()
    case 'different':
      throw keyReused()
    default:
      return claimed satisfies never
  }
}

async function carryOut(call: Call, keys: IdempotencyKeys, claim: Claim): Promise<TextAnswer> {
  const ctx = contextOf(call)
  const { server, negotiatedExtensions } = ctx
  const failed = (err: unknown) =>
    server.logger.warn({ ...requestIdOf(call.koa), err }, 'An Idempotency-Key is locked until its lease is over')
  try {
    const { operations } = call
    const ahead = operations ? () => prepareOperations(ctx, operations) : undefined
    return await performOnce(ctx, {
      keys,
      claim,
      ahead,
      work: (inside) => attempt(call, inside),
      render: rendererOf(server),
    })
  } catch (error) {
    const failure = error instanceof JsonApiError ? error : toFailure(call, error)
    if (!isOutcome(failure)) {
      await keys.release(claim).catch(failed)
      throw failure
    }
    // Repeated in the language of who asked first, as its Content-Language says.
    const { status, errors, headers } = toldTo(call, failure)
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
    return { ...kept, headers: { ...kept.headers, ETag: etagOf(answer.version, [Buffer.from(kept.body)]) } }
  }

/** What makes two requests one and the same: not how their documents are laid out. */
const fingerprintOf = ({ method, at, negotiatedExtensions, body }: ServerContext): string =>
  hash([method, at.url.pathname + at.search, negotiatedExtensions, body ?? null])

const hash = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
