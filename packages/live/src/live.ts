import type { Feature, ServeParts } from '@prismapi/core/api/feature'
import { actorOf } from '@prismapi/core/auth/caller'
import { frameworkClients } from '@prismapi/core/database/prisma/sessions'
import { frameworkSession, isGuarded, type Session, type Signature } from '@prismapi/core/database/session'
import type { Store } from '@prismapi/core/database/store'
import { findUser } from '@prismapi/core/http/authentication'
import type { Call } from '@prismapi/core/http/call'
import type { HttpStage, Plugin } from '@prismapi/core/http/plugin'
import type { CompiledServer } from '@prismapi/core/server/compile'
import type { IncomingRequest } from '@prismapi/core/server/incoming-request'
import { notAcceptable } from '@prismapi/jsonapi/document/errors'
import { noExtensions } from '@prismapi/jsonapi/document/types'
import type { User } from '@prismapi/jsonapi/model/register'
import { type LiveOptions, liveKey } from '@prismapi/jsonapi/request/features'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import { changeLog } from './change-log.ts'
import { compiledLive } from './compile-live.ts'
import { answerHead, wantsStream } from './connection.ts'
import { Hub } from './hub.ts'
import { isWatchable, type Watchable } from './read-watched.ts'
import { history } from './trail/history.ts'
import { trailContext, trailStore } from './trail/trail-store.ts'
import { WatchedReader } from './watched-reader.ts'

/** On each server with `live`: sends changes to clients, and records in the log which user made them. */
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
      located: liveStage(hub, own),
      store: storeOf({ hub, options: own, narrowed, session: isOwn ? frameworkSession : undefined }),
      ...(own.trail && { page: history(own), pageContext: pageContext(narrowed) }),
    }
  }
}

/** The requests for the log itself: their store shows what their callers may see of it. */
type Narrowed = WeakSet<IncomingRequest>

const pageContext =
  (narrowed: Narrowed): NonNullable<Plugin['pageContext']> =>
  (call, ctx) => {
    if (narrowed.has(call)) return ctx
    const { operation } = call
    const isOfOne = operation && 'id' in operation && operation.id !== null
    return trailContext(ctx, isOfOne ? { schema: operation.schema, id: operation.id } : null)
  }

interface LiveStore {
  readonly hub: Hub
  readonly options: LiveOptions
  readonly narrowed: Narrowed
  /** By which the log is read of a guarded database. */
  readonly session: Session | undefined
}

/** Of the log, callers see what they may; what is written is signed. */
const storeOf =
  ({ hub, options, narrowed, session }: LiveStore): NonNullable<Plugin['store']> =>
  (given, request) => {
    hub.prune()
    let store = given
    if (request.operation?.schema.model.name === 'Change') {
      store = trailStore(store, request, session)
      narrowed.add(request)
    }
    return request.mayWrite && !request.isWithin ? signedStore(store, () => signatureOf(request, options)) : store
  }

const liveStage =
  (hub: Hub, options: LiveOptions): HttpStage =>
  (next) =>
  async (call) => {
    const { operation, koa } = call
    call.hasStream = hasStream(operation)
    hub.prune()
    if (!call.mayWrite && streamMethods.has(koa.method) && operation && wantsStream(koa.req.headers.accept))
      await stream(hub, options, call)
    else await next(call)
  }

const streamMethods: ReadonlySet<string> = new Set(['GET', 'HEAD'])

const hasStream = (operation: Operation | null): operation is Watchable =>
  isWatchable(operation) && operation.schema.model.name !== 'Change'

async function stream(hub: Hub, options: LiveOptions, call: Call): Promise<void> {
  const { operation } = call
  if (!hasStream(operation)) throw notAcceptable()
  call.negotiated = noExtensions
  await findUser(call)
  const watched = { call, op: operation }
  if (call.koa.method === 'GET') return hub.open(watched, options)
  const reader = new WatchedReader(watched)
  await reader.charge(call)
  await reader.snapshot(call)
  answerHead(call.koa)
}

const signatureOf = ({ requestId, user, job }: IncomingRequest, { callerOf }: LiveOptions): Signature => ({
  request: requestId,
  user: job ?? (user == null ? null : signedBy(user as User, callerOf)),
})

/** Who has written: the user, and before it who acts in its name, `3 for 7`. */
function signedBy(user: User, callerOf: LiveOptions['callerOf']): string {
  const actor = actorOf(user)
  return actor === null ? callerOf(user) : `${callerOf(actor as User)} for ${callerOf(user)}`
}

/** The store of a request whose changes are logged with its user. */
function signedStore(store: Store, signatureOf: () => Signature): Store {
  const { single } = store
  return {
    ...store,
    write: (work, onBroken) =>
      store.write(async (transaction) => {
        const signature = signatureOf()
        const outer = transaction.signature
        try {
          return await transaction.signed(signature, () => work({ ...transaction, signature }))
        } finally {
          // What follows is written by who has begun the transaction; where that has failed, it is undone.
          if (outer) await transaction.signed(outer, async () => {}).catch(() => {})
        }
      }, onBroken),
    single: single && {
      ...single,
      insert: async (plan) => single.insert({ ...plan, signature: signatureOf() }),
      update: async (plan) => single.update({ ...plan, signature: signatureOf() }),
      remove: async (plan) => single.remove({ ...plan, signature: signatureOf() }),
    },
  }
}
