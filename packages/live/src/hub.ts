import { ceilingOf } from '@prismapi/core/auth/caller'
import type { Authenticate } from '@prismapi/core/http/api'
import { countedName } from '@prismapi/core/http/authentication'
import { Call } from '@prismapi/core/http/call'
import { refusalIn } from '@prismapi/core/http/response/error-boundary'
import { addressKey } from '@prismapi/core/http/throttling'
import { type Logger, loggedError } from '@prismapi/core/server/logger'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { unavailable } from '@prismapi/jsonapi/document/errors'
import type { User } from '@prismapi/jsonapi/model/register'
import { userId as idOf, type LiveOptions } from '@prismapi/jsonapi/request/features'
import type { Change, ChangeLog, Position } from './change-log.ts'
import { openConnection } from './connection.ts'
import { expiryOf } from './expiry-of.ts'
import { followLog, type LogFollower } from './follow-log.ts'
import { type Ending, keptMilliseconds, Stream, streamNameOf } from './stream.ts'
import { StreamCounts } from './stream-counts.ts'
import { type Log, Watch } from './watch.ts'
import type { Watched } from './watched-reader.ts'

export interface HubParts {
  readonly log: ChangeLog
  readonly logger: Logger
  /**
   * Finds the user of a request, if the server class does not. A lasting stream asks again, outside of the rate limit.
   */
  readonly authenticate: Authenticate
  /** Aborted when the process is about to end. */
  readonly draining?: AbortSignal | undefined
  /** Seconds for which changes are kept. */
  readonly keep: number
}

/** A client that watches, or that may come back. */
interface Subscriber {
  readonly stream: Stream
  readonly options: LiveOptions
  /** The user or the address that is counted. */
  readonly caller: string
  /** The id of the user; null for guests. */
  readonly userId: string | null
  /** The changes that may be of the user's row. */
  readonly userChanges: readonly string[]
  watched: Watched
  watch: Watch
  /** Equal for all callers that see the same at this URL. */
  key: string
  /** Ends that its connection is counted. */
  uncount: () => void
  /** To find what the client missed, the server reads the log from here. Null until the client leaves. */
  place: Position | null
  /** Since when the client is away; null while it is there, or on its way. */
  away: Away | null
  /** Resolves when the last question to `authenticate` for this stream has been dealt with. */
  asked: Promise<void>
}

interface Away {
  readonly since: number
  /** Gives the stream up. */
  readonly timer: NodeJS.Timeout
}

/** All streams of a process. */
export class Hub {
  private readonly subscribers = new Map<string, Subscriber>()
  private readonly watches = new Map<string, Watch>()
  private readonly counts = new StreamCounts()
  private readonly parts: HubParts
  private readonly log: LogFollower
  private readonly forWatches: Log

  constructor(parts: HubParts) {
    this.parts = parts
    this.log = followLog({
      ...parts,
      isWatched: () => this.watches.size > 0,
      onChanges: (changes, from) => {
        for (const watch of this.watches.values()) watch.notice(changes, from)
        const changed = new Set(changes.map(changeName))
        for (const each of this.subscribers.values())
          if (each.userChanges.some((name) => changed.has(name))) this.askAgain(each)
      },
      onTick: (now) => {
        for (const [key, watch] of this.watches) {
          // One whose last stream left while it was reading is idle later than that.
          if (watch.isIdle()) this.watches.delete(key)
          else watch.tick(now)
        }
      },
    })
    this.forWatches = {
      caughtUp: () => this.log.caughtUp(),
      changesAfter: async (position) => (await parts.log.after(position)).changes,
    }
    parts.draining?.addEventListener('abort', () => {
      for (const each of [...this.subscribers.values()]) this.end(each, 'draining')
    })
  }

  /** Is told of each request: the log of a process that only reads has an end, too. */
  prune(): void {
    this.log.prune()
  }

  /** Answers with a stream. @throws {JsonApiError} as GET does; 429, 503 for too many of them */
  async open(watched: Watched, options: LiveOptions, nth = 1): Promise<void> {
    const { call } = watched
    if (this.parts.draining?.aborted) throw unavailable(1)
    if (nth > mostTries) throw new Error(otherEachTime)
    const user = call.user as User | null
    const userId = user === null ? null : options.callerOf(user)
    const caller = userId === null ? `address ${addressKey(call.koa.ip)}` : countedName(call.api.server, userId)
    const key = keyOf(call, userId)
    const place = this.placeOf(call, key)
    if (place) this.disconnect(place.subscriber)
    const uncount = this.counts.enter(caller, options)
    try {
      await this.log.start()
      const begun = { options, caller, userId, key, watched, uncount, userChanges: userChangesOf(user, options) }
      const subscriber = place?.subscriber ?? this.subscribe(begun)
      subscriber.stream.hold()
      try {
        const now = await this.read(subscriber, watched, place?.event ?? null)
        if (now === call) {
          this.connect(subscriber, watched, uncount)
          return
        }
        this.giveUp(subscriber)
        uncount()
        await this.open({ ...watched, call: now }, options, nth + 1)
      } catch (error) {
        if (subscriber.stream.connection === null) {
          if (place) this.setAway(subscriber)
          else this.drop(subscriber)
        }
        throw error
      } finally {
        subscriber.stream.release()
      }
    } catch (error) {
      uncount()
      throw error
    }
  }

  /** The stream of a client that comes back, and the event behind which it goes on; null where they are not known. */
  private placeOf({ koa, api }: Call, key: string): { readonly subscriber: Subscriber; readonly event: number } | null {
    const last = koa.req.headers['last-event-id']
    if (typeof last !== 'string') return null
    const subscriber = this.subscribers.get(streamNameOf(api.server.cursorSeal, last) ?? '')
    if (subscriber?.key !== key || subscriber.stream.hasEnded) return null
    // Timers may be late.
    if (subscriber.away && subscriber.away.since < Date.now() - keptMilliseconds) return null
    const event = subscriber.stream.eventOf(last)
    return event === null ? null : { subscriber, event }
  }

  private subscribe(begun: Omit<Subscriber, 'stream' | 'watch' | 'place' | 'away' | 'asked'>): Subscriber {
    const { watched, key } = begun
    const watch = this.watchFor(key, watched)
    const stream = new Stream(watch.schema.type, watched.call.api.server.cursorSeal)
    const subscriber: Subscriber = { ...begun, stream, watch, place: null, away: null, asked: Promise.resolve() }
    this.subscribers.set(stream.name, subscriber)
    return subscriber
  }

  /**
   * Reads the first state of a stream, or the state after an event. Then it asks who the caller is, because their right
   * may have been withdrawn since the request came. Returns the call with its present user, or the same call if the
   * stream may send what was read.
   */
  private async read(subscriber: Subscriber, { call, op }: Watched, event: number | null): Promise<Call> {
    const { stream, userId, place } = subscriber
    const watch = this.watchFor(subscriber.key, { call, op })
    if (subscriber.away) clearTimeout(subscriber.away.timer)
    subscriber.away = null
    subscriber.watch = watch
    stream.watch = watch
    if (event !== null) await watch.resume(stream, call, { event, place })
    else await watch.open(stream, call, call.koa.req.headers['last-event-id'] !== undefined)
    const user = userId === null ? null : await this.userOf(call)
    const isSame = stream.watch === watch && userKeyOf(user) === userKeyOf(call.user)
    return isSame ? call : callOf(call, user)
  }

  private watchFor(key: string, watched: Watched): Watch {
    const watch = this.watches.get(key) ?? new Watch(watched, this.forWatches)
    this.watches.set(key, watch)
    return watch
  }

  private connect(subscriber: Subscriber, watched: Watched, uncount: () => void): void {
    // It may have begun while this stream was being read.
    if (this.parts.draining?.aborted) throw unavailable(1)
    const { stream, options } = subscriber
    const { koa, observer } = watched.call
    const connection = openConnection({
      koa,
      heartbeat: options.heartbeat,
      onSent: (event) => observer?.streamed?.({ kind: 'sent', event }),
      onClose: () => {
        observer?.streamed?.({ kind: 'closed' })
        uncount()
        clearTimeout(expiry)
        clearInterval(questions)
        if (stream.hasEnded) this.drop(subscriber)
        else if (stream.connection === connection) this.disconnect(subscriber)
      },
    })
    observer?.streamed?.({ kind: 'opened' })
    // Two requests that go on behind one event may come at once.
    stream.connection?.close()
    subscriber.watched = watched
    subscriber.uncount = uncount
    stream.connection = connection
    stream.pay = this.billFor(subscriber, watched.call)
    const questions = setInterval(() => this.askAgain(subscriber), questionMilliseconds).unref()
    const expiry = this.endAtExpiry(subscriber, expiryOf(koa.req.headers.authorization))
  }

  /**
   * Takes the price of a stream's reads from its caller's points, once a second. Without points left, the client gets
   * 429.
   */
  private billFor(subscriber: Subscriber, { observer, api }: Call): Stream['pay'] {
    if (!observer?.priced) return null
    const { connection } = subscriber.stream
    let owed = 0
    let timer: NodeJS.Timeout | null = null
    const take = async () => {
      timer = null
      const points = owed
      owed = 0
      try {
        await observer.priced?.({ points, limit: api.server.limits.cost, parameters: () => [] })
      } catch (error) {
        if (!(error instanceof JsonApiError))
          this.parts.logger.warn({ err: loggedError(error) }, 'A stream could not be priced')
        connection?.close()
      }
    }
    return (points) => {
      owed += points
      if (timer === null) timer = setTimeout(take, billMilliseconds).unref()
    }
  }

  /** The client has left, or has come back by another connection: nothing is read for it from now on. */
  private disconnect(subscriber: Subscriber): void {
    const { stream, watch } = subscriber
    const { connection } = stream
    if (connection === null) return
    subscriber.uncount()
    subscriber.place = watch.place ?? this.log.position()
    stream.connection = null
    stream.discard()
    connection.close()
    this.setAway(subscriber)
  }

  /** Its client may come back for a while. */
  private setAway(subscriber: Subscriber): void {
    subscriber.watch.leave(subscriber.stream)
    if (!this.subscribers.has(subscriber.stream.name)) return
    const timer = setTimeout(() => this.drop(subscriber), keptMilliseconds).unref()
    subscriber.away = { since: Date.now(), timer }
    this.dropOldest(subscriber)
  }

  private endAtExpiry(subscriber: Subscriber, expires: number | null): NodeJS.Timeout | undefined {
    const left = expires === null ? Infinity : Math.max(0, expires - Date.now())
    return left >= longestTimer ? undefined : setTimeout(() => this.end(subscriber, 'expired'), left).unref()
  }

  /**
   * Asks who the caller is, after earlier questions are answered: of two answers at once, the later could be the older.
   * Until then the stream sends nothing.
   */
  private askAgain(subscriber: Subscriber): void {
    if (subscriber.away) return
    subscriber.stream.hold()
    subscriber.asked = subscriber.asked.then(() => this.ask(subscriber)).finally(() => subscriber.stream.release())
  }

  /** Ends the stream of a caller that is another one now, and moves that of a caller whose rights have changed. */
  private async ask(subscriber: Subscriber): Promise<void> {
    const { stream, options, userId } = subscriber
    const { connection } = stream
    // The client is still opening or resuming, and the server reads with the old rights: drop it, and the open starts
    // again.
    if (connection === null) {
      if (!subscriber.away) this.drop(subscriber)
      return
    }
    try {
      const user = await this.userNow(subscriber)
      const id = user == null ? user : options.callerOf(user as User)
      if (stream.connection !== connection) return
      if (id !== userId) this.end(subscriber, 'expired')
      else if (userKeyOf(user) !== userKeyOf(subscriber.watched.call.user)) await this.changeWatch(subscriber, user)
    } catch (error) {
      this.parts.logger.warn({ err: loggedError(error) }, 'The user of a stream could not be asked again')
      // Nobody knows whether its caller may be told more: the client comes back, and is asked who it is.
      if (stream.connection === connection) this.giveUp(subscriber)
    }
  }

  /** Who is asking now: null for a guest, undefined where the application refuses whoever it is. */
  private async userNow({ watched }: Subscriber): Promise<unknown> {
    try {
      return await this.userOf(watched.call)
    } catch (error) {
      if (refusalIn(error)) return undefined
      throw error
    }
  }

  private async userOf({ koa, api }: Call): Promise<unknown> {
    return (await (api.server.authenticate ?? this.parts.authenticate)(koa)) ?? null
  }

  private async changeWatch(subscriber: Subscriber, user: unknown): Promise<void> {
    const { stream, watched, watch, userId } = subscriber
    // Others may be told by the call as it was.
    const call = callOf(watched.call, user)
    subscriber.watched = { ...watched, call }
    subscriber.key = keyOf(call, userId)
    subscriber.watch = this.watchFor(subscriber.key, subscriber.watched)
    await subscriber.watch.adopt(stream, watch)
  }

  /** Of the clients that are away, so many of each caller, and of all, may come back. */
  private dropOldest({ caller, options }: Subscriber): void {
    const away = [...this.subscribers.values()]
      .filter((each) => each.away !== null)
      .sort((a, b) => Number(a.away?.since) - Number(b.away?.since))
    const own = away.filter((each) => each.caller === caller)
    for (const each of own.slice(0, -options.streamsPerCaller)) this.drop(each)
    for (const each of away.slice(0, -options.streams)) this.drop(each)
  }

  private end(subscriber: Subscriber, reason: Ending): void {
    subscriber.stream.end(reason)
    this.drop(subscriber)
  }

  /** Its client comes back, and begins anew. */
  private giveUp(subscriber: Subscriber): void {
    subscriber.stream.connection?.close()
    this.drop(subscriber)
  }

  private drop({ stream, watch, away }: Subscriber): void {
    if (away) clearTimeout(away.timer)
    this.subscribers.delete(stream.name)
    watch.leave(stream)
  }
}

const changeName = ({ model, key }: Pick<Change, 'model' | 'key'>): string => `${model} ${key}`

/**
 * The keys of changes to a user's own row: the id, or the key that identifies the user; and the empty key of all rows.
 */
function userChangesOf(user: User | null | undefined, { users: model, callerOf }: LiveOptions): readonly string[] {
  if (user == null) return []
  const keys = ['', idOf(user) ?? '', callerOf(user)]
  return keys.map((key) => changeName({ model, key }))
}

const callOf = (call: Call, user: unknown): Call => Object.assign(new Call(call.koa, call.api), call, { user })

const mostTries = 3
const otherEachTime =
  'authenticate() says something else of one user each time it is asked, so a stream cannot know whether their rights have changed. Leave out of its answer what changes by itself, such as the time.'

const [questionMilliseconds, billMilliseconds, longestTimer] = [60_000, 1000, 2 ** 31 - 1]

/**
 * Requests with equal keys get equal responses: the key has the URL and the user. The user's id is part of it as well,
 * because JSON leaves out what a class has behind getters.
 */
const keyOf = ({ koa, api, user }: Call, userId: string | null): string =>
  JSON.stringify([api.server.name, koa.originalUrl, userId, userKeyOf(user)])

// What a user may do at most is no member of them: it travels with them.
const userKeyOf = (user: unknown): string =>
  JSON.stringify([user ?? null, ceilingOf(user)?.name], (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
