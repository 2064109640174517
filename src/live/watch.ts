import type { Call } from '../http/call.ts'
import { pathOf } from '../http/request/request-url.ts'
import { loggedError } from '../http/response/logged-error.ts'
import type { Row } from '../model/where.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { Change } from './change-log.ts'
import type { EventResources } from './read-watched.ts'
import type { Stream } from './stream.ts'
import { type Watched, WatchedReader } from './watched-reader.ts'

/** The streams that are told, and what belonged to what they watch when they were told before. */
interface Told {
  readonly streams: readonly Stream[]
  readonly known: ReadonlyMap<string, string>
}

/** What time brings about, with no change, is looked at so often. */
const clockMilliseconds = 30_000

/**
 * What streams of one URL watch, whose callers see the same: what has changed is read once for all of them. It does one thing
 * after the other.
 */
export class Watch {
  readonly streams = new Set<Stream>()
  private readonly watched: Watched
  private readonly reader: WatchedReader
  /** What belongs to it, by how it was when it was looked at; null before that. */
  private known: ReadonlyMap<string, string> | null = null
  private pending: Change[] = []
  private isWhole = false
  private work: Promise<unknown> = Promise.resolve()
  private isScheduled = false
  private queued = 0
  /** When it looked last for what time brings about: other looks do not put that off, as they would tell of themselves. */
  private clockAt = Date.now()

  constructor(watched: Watched) {
    this.watched = watched
    this.reader = new WatchedReader(watched)
  }

  /** The type whose resources are watched. */
  get schema(): ResourceSchema {
    return this.reader.schema
  }

  /** Begins the stream of a request with what GET answers. @throws {JsonApiError} as GET does */
  open(
    stream: Stream,
    call: Call,
    begin: (snapshot: { readonly text: string; readonly shown: EventResources }) => void,
  ): Promise<void> {
    return this.enqueue(async () => {
      await this.reader.charge(call)
      await this.begin()
      begin(await this.reader.snapshot())
      stream.teller = this
      this.streams.add(stream)
    })
  }

  /**
   * Goes on behind an event, for a client that was away. `begin` connects it. Answers with whether it did: the stream may have been given
   * up, or have been moved to another watch, while it waited for that. @throws {JsonApiError} as GET does
   */
  resume(stream: Stream, event: number, begin: () => void): Promise<boolean> {
    return this.enqueue(async () => {
      await this.begin()
      const ids = stream.unknownSince(event)
      const keys = ids.map((id) => this.schema.id.parse(id)).filter((key) => key !== null)
      const shown = await this.reader.readOrNothing(keys, (error) => {
        if (this.watched.op.kind !== 'view' || error.status === 400) throw error
      })
      if (stream.teller !== this || stream.hasEnded) return false
      begin()
      for (const id of ids) stream.tellAgain(event, { id, now: shown.get(id) ?? null, before: undefined })
      return true
    })
  }

  /** Takes a stream over from another watch, because its caller sees something else now. */
  adopt(stream: Stream, from: Watch): Promise<void> {
    from.streams.delete(stream)
    stream.teller = this
    // The stream may have shown another part of what these see. What the other watch comes to know from now on, it does not tell it.
    const known = from.known ?? new Map<string, string>()
    return this.enqueue(async () => {
      await this.look(null, [], { streams: [stream], known })
      if (stream.teller === this && !stream.hasEnded) this.streams.add(stream)
    })
  }

  /** Whether it has no streams, and none is on its way. */
  isIdle(): boolean {
    return this.streams.size === 0 && this.queued === 0
  }

  /** Is told of changes, of which it looks at those that it may depend on. */
  notice(changes: readonly Change[]): void {
    for (const change of changes) this.pending.push(change)
    this.schedule()
  }

  /** Is told that time goes by. */
  tick(now: number): void {
    if (!this.reader.dependsOnTime || now - this.clockAt < clockMilliseconds) return
    this.clockAt = now
    this.lookAtAll()
  }

  private lookAtAll(): void {
    this.isWhole = true
    this.schedule()
  }

  private schedule(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    this.enqueue(async () => {
      this.isScheduled = false
      await this.lookAtPending()
    }).catch((err: unknown) => this.fail(err))
  }

  private fail(err: unknown): void {
    const { server } = this.watched.call.api
    server.logger.warn({ err: loggedError(err), path: pathOf(this.watched.call.koa) }, 'Changes could not be read')
    this.isWhole = true
    setTimeout(() => this.schedule(), 1000).unref()
  }

  private async lookAtPending(): Promise<void> {
    if (this.known === null || this.streams.size === 0) return
    const changes = this.pending
    this.pending = []
    const { shown, hidden, hasOthers } = this.reader.rowsOf(changes)
    const isWhole = this.isWhole || hasOthers
    this.isWhole = false
    const rows = new Map([...shown, ...hidden])
    if (!isWhole && rows.size === 0) return
    const began = performance.now()
    if (isWhole) await this.look(null, [...shown.keys()])
    else await this.look([...rows.values()], [...rows.keys()])
    const first = changes.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY)
    if (changes.length > 0)
      this.watched.call.observer?.streamed?.({ kind: 'looked', seconds: (Date.now() - first) / 1000 })
    // A watch that looks at everything leaves most of the time to other watches.
    const pause = isWhole ? Math.min(500, 4 * (performance.now() - began)) : 0
    if (pause > 20) await new Promise((resolve) => setTimeout(resolve, pause))
  }

  /** Reads rows again, or all, and tells all streams: at first of those that have changed, in that order. */
  private async look(rows: readonly Row[] | null, changed: readonly string[], told: Told = this.all()): Promise<void> {
    const { known } = told
    let isGone = false
    let isTooMuch = false
    const shown = await this.reader.readOrNothing(rows, ({ status }) => {
      isTooMuch = status === 400
      isGone = this.watched.op.kind !== 'view'
    })
    const streams = told.streams.filter(({ teller }) => teller === this)
    if (isTooMuch) return this.cut(streams)
    const all = rows === null || isGone
    // The others in an order of their own: it tells nothing of what was looked at before.
    const others = all ? [...new Set([...known.keys(), ...shown.keys()])].sort() : []
    for (const stream of streams)
      for (const id of all ? new Set([...changed, ...others, ...stream.ids()]) : changed)
        stream.tell({ id, now: shown.get(id) ?? null, before: known.get(id) })
    // What another watch has known says nothing of these streams.
    if (known === this.known) this.known = all ? digestsOf(shown) : merged(known, changed, shown)
    else this.known ??= digestsOf(shown)
    // No limit counts rows that are read by their ids: the watch reads all of them, which the limit refuses.
    if (this.known.size > this.reader.most && !all) this.lookAtAll()
    if (!isGone) return
    for (const stream of streams) {
      stream.end('gone')
      this.streams.delete(stream)
    }
  }

  /** It has grown beyond what a request may ask for: clients that come back are told so, those of one that moves in and all others. */
  private cut(streams: readonly Stream[]): void {
    this.known = null
    for (const stream of new Set([...this.streams, ...streams])) {
      stream.cut()
      this.streams.delete(stream)
    }
  }

  private all(): Told {
    return { streams: [...this.streams], known: this.known ?? new Map() }
  }

  private async begin(): Promise<void> {
    this.known ??= digestsOf(await this.reader.readFirst())
  }

  private enqueue<T>(work: () => Promise<T>): Promise<T> {
    this.queued++
    const done = this.work.then(work).finally(() => this.queued--)
    this.work = done.catch(() => {})
    return done
  }
}

const digestsOf = (shown: EventResources): ReadonlyMap<string, string> =>
  new Map([...shown].map(([id, { digest }]) => [id, digest]))

function merged(known: ReadonlyMap<string, string>, ids: readonly string[], shown: EventResources) {
  const now = new Map(known)
  for (const id of ids) {
    const digest = shown.get(id)?.digest
    if (digest === undefined) now.delete(id)
    else now.set(id, digest)
  }
  return now
}
