import type { Feature, ServeParts } from '../api/feature.ts'
import { frameworkClients } from '../database/prisma/framework-clients.ts'
import { frameworkSession, isGuarded, type Session } from '../database/session.ts'
import type { Signature } from '../database/signature.ts'
import { notAcceptable } from '../document/errors.ts'
import { noExtensions } from '../document/profiles.ts'
import type { Call } from '../http/call.ts'
import { signedRequestId } from '../http/middleware/request-id.ts'
import type { Plugin } from '../http/plugin.ts'
import type { HttpStage } from '../http/stage.ts'
import { userOf } from '../http/stages/authenticate.ts'
import type { User } from '../model/register.ts'
import { type LiveOptions, liveKey } from '../request/live.ts'
import type { Operation } from '../request/operation.ts'
import type { CompiledServer } from '../server/compile.ts'
import { changeLog } from './change-log.ts'
import { compiledLive } from './compile-live.ts'
import { answerHead } from './connection.ts'
import { Hub } from './hub.ts'
import { isWatchable, type Watchable } from './read-watched.ts'
import { signedStore } from './signed-store.ts'
import { trailContext, trailStore } from './trail/trail-store.ts'
import { wantsStream } from './wants-stream.ts'
import { WatchedReader } from './watched-reader.ts'

/** Tells clients of changes as they happen, and the log by which user: on each server with `live`. */
export const live: Feature = { compiled: compiledLive, serve }

function serve({ servers, stores, options }: ServeParts): (server: CompiledServer) => Plugin | null {
  const { clients, logger, draining, authenticate = () => null } = options
  const living = servers.flatMap(({ features }) => features.get(liveKey) ?? [])
  if (living.length === 0) return () => null
  const keep = Math.max(...living.map((each) => each.keep))
  const isOwn = isGuarded(clients)
  const log = changeLog(isOwn ? frameworkClients(clients, stores.prisma) : clients, options.resources.provider)
  const hub = new Hub({ logger, draining, authenticate, keep, log })
  return ({ features }) => {
    const own = features.get(liveKey)
    if (!own) return null
    const narrowed: Narrowed = new WeakSet()
    return {
      located: liveStage({ hub, options: own, narrowed, session: isOwn ? frameworkSession : undefined }),
      ...(own.trail && { pageContext: pageContext(narrowed) }),
    }
  }
}

/** The requests for the log itself: their store shows what their callers may see of it. */
type Narrowed = WeakSet<Call>

const pageContext =
  (narrowed: Narrowed): NonNullable<Plugin['pageContext']> =>
  (call, ctx) => {
    if (narrowed.has(call)) return ctx
    const { operation } = call
    const isOfOne = operation && 'id' in operation && operation.id !== null
    return trailContext(ctx, isOfOne ? { schema: operation.schema, id: operation.id } : null)
  }

interface LiveStage {
  readonly hub: Hub
  readonly options: LiveOptions
  readonly narrowed: Narrowed
  /** By which the log is read of a guarded database. */
  readonly session: Session | undefined
}

const liveStage =
  ({ hub, options, narrowed, session }: LiveStage): HttpStage =>
  (next) =>
  async (call) => {
    const { operation, koa } = call
    call.hasStream = hasStream(operation)
    hub.prune()
    if (operation?.schema.model.name === 'Change') {
      call.store = trailStore(call, session)
      narrowed.add(call)
    }
    if (call.mayWrite) {
      call.store = signedStore(call.store, () => signatureOf(call, options))
      await next(call)
    } else if (withStream.has(koa.method) && operation && wantsStream(koa.req.headers.accept))
      await stream(hub, options, call)
    else await next(call)
  }

const withStream: ReadonlySet<string> = new Set(['GET', 'HEAD'])

const hasStream = (operation: Operation | null): operation is Watchable =>
  isWatchable(operation) && operation.schema.model.name !== 'Change'

async function stream(hub: Hub, options: LiveOptions, call: Call): Promise<void> {
  const { operation, api } = call
  if (!hasStream(operation)) throw notAcceptable()
  call.negotiated = noExtensions
  call.store = api.store
  await userOf(call)
  const watched = { call, op: operation }
  if (call.koa.method === 'GET') return hub.open(watched, options)
  const reader = new WatchedReader(watched)
  await reader.charge(call)
  await reader.snapshot(call)
  answerHead(call.koa)
}

const signatureOf = ({ koa, user }: Call, { callerOf }: LiveOptions): Signature => ({
  request: signedRequestId(koa),
  user: user == null ? null : callerOf(user as User),
})
