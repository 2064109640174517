import { unavailable } from '../document/errors.ts'
import type { Authenticate } from '../http/api.ts'
import { Call } from '../http/call.ts'
import { refusalIn } from '../http/response/error-boundary.ts'
import { loggedError } from '../http/response/logged-error.ts'
import { addressKey } from '../http/throttling/address-key.ts'
import type { User } from '../model/register.ts'
import type { LiveOptions } from '../request/live.ts'
import { userId as idOf } from '../request/user-id.ts'
import type { Logger } from '../server/logger.ts'
import type { Change, ChangeLog } from './change-log.ts'
import { openConnection } from './connection.ts'
import { expiryOf } from './expiry-of.ts'
import { followLog, type LogFollower } from './follow-log.ts'
import { type Ending, keptMilliseconds, Stream, streamNameOf } from './stream.ts'
import { StreamCounts } from './stream-counts.ts'
import { Watch } from './watch.ts'
import type { Watched } from './watched-reader.ts'

export interface HubParts {
  readonly log: ChangeLog
  readonly logger: Logger
  /** Tells the user of a request; asked again while a stream lasts, without a limit of rates. */
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
  leave: () => void
  /** Until when the client may come back; null while it is there. */
  until: number | null
  /** Resolved when it is known what was asked last about its user. */
  asked: Promise<void>
}

/** All streams of a process. */
export class Hub {
  private readonly subscribers = new Map<string, Subscriber>()
  private readonly watches = new Map<string, Watch>()
  private readonly counts = new StreamCounts()
  private readonly parts: HubParts
  private readonly log: LogFollower

  constructor(parts: HubParts) {
    this.parts = parts
    this.log = followLog({
      ...parts,
      isWatched: () => this.subscribers.size > 0 || this.watches.size > 0,
      onChanges: (changes) => {
        for (const watch of this.watches.values()) watch.notice(changes)
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
        for (const each of this.subscribers.values()) if (each.until !== null && each.until < now) this.drop(each)
      },
    })
    parts.draining?.addEventListener('abort', () => {
      for (const each of [...this.subscribers.values()]) this.end(each, 'draining')
    })
  }

  /** Is told of each request: the log of a process that only reads has an end, too. */
  prune(): void {
    this.log.prune()
  }

  /** Answers with a stream. @throws {JsonApiError} as GET does; 429, 503 for too many of them */
  async open(watched: Watched, options: LiveOptions): Promise<void> {
    const { koa, api, user } = watched.call
    if (this.parts.draining?.aborted) throw unavailable(1)
    const userId = user == null ? null : options.callerOf(user as User)
    const caller = userId === null ? `address ${addressKey(koa.ip)}` : `user ${userId}`
    const key = keyOf(watched.call, userId)
    const seal = api.server.cursorSeal
    const last = koa.req.headers['last-event-id']
    const known = typeof last === 'string' ? this.subscribers.get(streamNameOf(seal, last) ?? '') : undefined
    const event = known?.key === key && !known.stream.hasEnded ? known.stream.eventOf(String(last)) : null
    // Its client has opened another connection.
    if (known && event !== null) {
      known.leave()
      known.stream.connection?.close()
    }
    const leave = this.counts.enter(caller, options)
    try {
      await this.log.start()
      if (known && event !== null) {
        const begin = () => this.connect(known, watched, leave)
        if (await this.watchFor(key, watched).resume(known.stream, event, begin)) return
      }
      const watch = this.watchFor(key, watched)
      const stream = new Stream(watch.schema.type, seal)
      const own = { stream, options, caller, userId, userChanges: userChangesOf(user as User | null, options) }
      const subscriber: Subscriber = { ...own, watched, watch, key, leave, until: null, asked: Promise.resolve() }
      await watch.open(stream, watched.call, (snapshot) => {
        this.connect(subscriber, watched, leave)
        if (last !== undefined) stream.reset()
        stream.snapshot(snapshot.text, snapshot.shown)
      })
    } catch (error) {
      leave()
      throw error
    }
  }

  private watchFor(key: string, watched: Watched): Watch {
    const watch = this.watches.get(key) ?? new Watch(watched)
    this.watches.set(key, watch)
    return watch
  }

  private connect(subscriber: Subscriber, watched: Watched, leave: () => void): void {
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
        leave()
        clearTimeout(expiry)
        clearInterval(questions)
        if (stream.hasEnded) this.drop(subscriber)
        if (stream.connection !== connection) return
        stream.connection = null
        subscriber.until = Date.now() + keptMilliseconds
        this.dropOldest(subscriber)
      },
    })
    observer?.streamed?.({ kind: 'opened' })
    // Two requests that go on behind one event may come at once.
    stream.connection?.close()
    subscriber.watched = watched
    subscriber.leave = leave
    subscriber.until = null
    stream.connection = connection
    this.subscribers.set(stream.name, subscriber)
    // The log may have told of a change of this user while the stream began, and reached known subscribers only.
    if (subscriber.userId !== null) this.askAgain(subscriber)
    const questions = setInterval(() => this.askAgain(subscriber), questionMilliseconds).unref()
    const expiry = this.endAtExpiry(subscriber, expiryOf(koa.req.headers.authorization))
  }

  private endAtExpiry(subscriber: Subscriber, expires: number | null): NodeJS.Timeout | undefined {
    const left = expires === null ? Infinity : Math.max(0, expires - Date.now())
    return left >= longestTimer ? undefined : setTimeout(() => this.end(subscriber, 'expired'), left).unref()
  }

  /** Asks who the caller is, behind the questions before: of two answers at once, the later one could be the older. */
  private askAgain(subscriber: Subscriber): void {
    subscriber.asked = subscriber.asked.then(() => this.ask(subscriber))
  }

  /** Ends the stream of a caller that is another one now, and moves that of a caller whose rights have changed. */
  private async ask(subscriber: Subscriber): Promise<void> {
    const { stream, watched, options, userId } = subscriber
    if (stream.connection === null) {
      this.drop(subscriber)
      return
    }
    try {
      const user = await this.userNow(subscriber)
      const id = user == null ? user : options.callerOf(user as User)
      if (id !== userId) this.end(subscriber, 'expired')
      else if (userKeyOf(user) !== userKeyOf(watched.call.user)) await this.move(subscriber, user)
    } catch (error) {
      this.parts.logger.warn({ err: loggedError(error) }, 'The user of a stream could not be asked again')
    }
  }

  /** Who is asking now: null for a guest, undefined where the application refuses whoever it is. */
  private async userNow({ watched }: Subscriber): Promise<unknown> {
    try {
      return (await this.parts.authenticate(watched.call.koa)) ?? null
    } catch (error) {
      if (refusalIn(error)) return undefined
      throw error
    }
  }

  private async move(subscriber: Subscriber, user: unknown): Promise<void> {
    const { stream, watched, watch, userId } = subscriber
    const { koa, api } = watched.call
    // Others may be told by the call as it was.
    const call = Object.assign(new Call(koa, api), watched.call, { user })
    subscriber.watched = { ...watched, call }
    subscriber.key = keyOf(call, userId)
    subscriber.watch = this.watchFor(subscriber.key, subscriber.watched)
    try {
      await subscriber.watch.adopt(stream, watch)
    } catch (error) {
      // It begins anew.
      stream.connection?.close()
      this.drop(subscriber)
      throw error
    }
  }

  /** Of the clients that are away, so many of each caller, and of all, may come back. */
  private dropOldest({ caller, options }: Subscriber): void {
    const away = [...this.subscribers.values()]
      .filter(({ until }) => until !== null)
      .sort((a, b) => Number(a.until) - Number(b.until))
    const own = away.filter((each) => each.caller === caller)
    for (const each of own.slice(0, -options.streamsPerCaller)) this.drop(each)
    for (const each of away.slice(0, -options.streams)) this.drop(each)
  }

  private end(subscriber: Subscriber, reason: Ending): void {
    subscriber.stream.end(reason)
    this.drop(subscriber)
  }

  private drop({ stream, watch }: Subscriber): void {
    this.subscribers.delete(stream.name)
    watch.streams.delete(stream)
    stream.teller = null
  }
}

const changeName = ({ model, key }: Pick<Change, 'model' | 'key'>): string => `${model} ${key}`

/** Their own row, whether its key is the user's id or what tells the user from others; and all rows at once, whose key is empty. */
function userChangesOf(user: User | null | undefined, { users: model, callerOf }: LiveOptions): readonly string[] {
  if (user == null) return []
  const keys = ['', idOf(user) ?? '', callerOf(user)]
  return keys.map((key) => changeName({ model, key }))
}

const [questionMilliseconds, longestTimer] = [60_000, 2 ** 31 - 1]

/**
 * Requests with equal keys have equal answers: what a server looks at is the URL, what is negotiated, and the user, who is named by the
 * id as well: JSON tells nothing of what a class has behind its getters.
 */
const keyOf = ({ koa, api, negotiated, user }: Call, userId: string | null): string =>
  JSON.stringify([api.server.name, koa.originalUrl, negotiated, userId, userKeyOf(user)])

const userKeyOf = (user: unknown): string =>
  JSON.stringify(user, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)) ?? ''
