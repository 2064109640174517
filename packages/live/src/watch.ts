import { type Call, pathOf } from '@prismapi/core/http/call'
import { pointsOfResource } from '@prismapi/core/price/price'
import { loggedError } from '@prismapi/core/server/logger'
import type { JsonApiError } from '@prismapi/jsonapi/document/error'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Change, Position } from './change-log.ts'
import type { EventResources } from './read-watched.ts'
import type { Known, Stream } from './stream.ts'
import { type Watched, WatchedReader } from './watched-reader.ts'

/** The log of changes, as a watch needs it. */
export interface Log {
  /** Resolved once everything that was committed until now has been told of. */
  caughtUp(): Promise<void>
  /** What was committed behind a position, as far as it is read at once. */
  changesAfter(position: Position): Promise<readonly Change[]>
}

/** What was read of the rows that may have changed, or of all. */
interface Found {
  readonly shown: EventResources
  /** GET refuses what is watched, because it is no more, or because it is too much. */
  readonly refused: 'gone' | 'too much' | null
}

/** What time brings about, with no change, is looked at so often. */
const clockMilliseconds = 30_000
const retryMilliseconds = 1000
/** To limit load, changes start a full read at most every 5 × the time of the first one, between 50 and 500 ms. */
const restFactor = 5
const [shortestPeriod, longestPeriod] = [50, 500]

/**
 * What the streams of one URL watch, whose callers see the same: one read of a change serves them all. Rows of the type
 * that changed are read by their ids at once. If other rows may have come or gone, everything is read beside that, at
 * fixed times: so neither reveals how many hidden rows changed.
 */
export class Watch {
  readonly streams = new Set<Stream>()
  private readonly watched: Watched
  private readonly reader: WatchedReader
  private readonly log: Log
  /** What belongs to it; null before that was looked at. */
  private known: Known | null = null
  /** At most the bytes of text that belong to it: rows that changed count twice until everything is read again. */
  private bytes = 0
  private pending: Change[] = []
  /** Where the log was before what is pending, and before what is being looked at. */
  private pendingFrom: Position | null = null
  private lookingFrom: Position | null = null
  private isLooking = false
  private needsFullRead = false
  /** Rows of which nothing has changed that the callers see: they are looked at together with all others. */
  private readonly withUnseenChange = new Map<string, Row>()
  /** The rows that were looked at since a look at all of them began; null where there is none. */
  private readDuringFullRead: Set<string> | null = null
  private readonly began = Date.now()
  /** Between two looks at all: it depends on how long the first one took, and not on what changes. */
  private period = shortestPeriod
  private slot = 0
  private retryAt = 0
  private work: Promise<unknown> = Promise.resolve()
  private queued = 0
  /**
   * When it last looked for changes by time alone. Other reads do not put that off, because the delay would reveal
   * them.
   */
  private clockAt = Date.now()

  constructor(watched: Watched, log: Log) {
    this.watched = watched
    this.reader = new WatchedReader(watched)
    this.log = log
  }

  /** The type whose resources are watched. */
  get schema(): ResourceSchema {
    return this.reader.schema
  }

  /** Where the log was before all that its streams do not know yet; null where they know all. */
  get place(): Position | null {
    return this.lookingFrom ?? this.pendingFrom
  }

  /** Begins the stream of a request with what GET answers. @throws {JsonApiError} as GET does */
  open(stream: Stream, call: Call, isReset: boolean): Promise<void> {
    return this.enqueue(async () => {
      await this.reader.charge(call)
      const known = await this.begin()
      const { text, shown } = await this.reader.snapshot(call)
      if (stream.watch !== this) return
      stream.begin({ text, shown, known, isReset })
      this.streams.add(stream)
    })
  }

  /**
   * Continues after an event, for a client that was away since the log was at that place: the log only gives the order
   * of what is sent. The stream may be given up while it waits for its turn.
   *
   * @throws {JsonApiError} as GET does
   */
  resume(stream: Stream, call: Call, { event, place }: { event: number; place: Position | null }): Promise<void> {
    return this.enqueue(async () => {
      await this.reader.charge(call)
      const known = await this.begin()
      const changes = place === null ? [] : await this.log.changesAfter(place)
      const ids = inOrder(
        stream.unknownSince(event),
        this.reader.rowsOf(changes).withSeenChange.keys(),
        stream.differing(known),
      )
      const keys = ids.map((id) => this.schema.id.parse(id)).filter((key) => key !== null)
      const shown = await this.reader.readOrNothing(keys, this.refuse)
      if (stream.watch !== this) return
      stream.resume(event, { ids, shown, known })
      this.streams.add(stream)
    })
  }

  /** Takes a stream over from another watch, because its caller sees something else now. */
  adopt(stream: Stream, from: Watch): Promise<void> {
    from.streams.delete(stream)
    stream.watch = this
    stream.discard()
    return this.enqueue(async () => {
      const found = await this.find(null)
      await this.log.caughtUp()
      if (stream.watch === this) this.streams.add(stream)
      const known = this.tellAll(found, [stream], new Set())
      this.known ??= known
    })
  }

  /** The client of a stream has left. */
  leave(stream: Stream): void {
    this.streams.delete(stream)
    if (stream.watch === this) stream.watch = null
  }

  /** Whether it has no streams, and none is on its way. */
  isIdle(): boolean {
    return this.streams.size === 0 && this.queued === 0 && this.readDuringFullRead === null
  }

  /** Is told of changes behind a position. */
  notice(changes: readonly Change[], from: Position): void {
    this.pendingFrom ??= from
    for (const change of changes) this.pending.push(change)
  }

  /** Is told that time goes by, and looks at what may have changed. */
  tick(now: number): void {
    const slot = Math.floor((now - this.began) / this.period)
    const isSlot = slot !== this.slot
    this.slot = slot
    if (this.reader.dependsOnTime && now - this.clockAt >= clockMilliseconds) {
      this.clockAt = now
      this.needsFullRead = true
    }
    if (this.known === null || this.streams.size === 0 || now < this.retryAt) return
    const mayLookAtOthers = isSlot && this.readDuringFullRead === null
    const changes = this.pending
    const rows = this.rowsOf(changes, mayLookAtOthers)
    // Start the full read first, so that it does not wait behind the read of single rows.
    if (mayLookAtOthers && this.needsFullRead) this.run(async () => this.beginFullRead())
    if (rows.size > 0) this.lookAtRows(rows, changes)
  }

  /**
   * The rows to read now: changed rows of which callers see the changes, and others with them, so these cause no delay.
   */
  private rowsOf(changes: readonly Change[], mayLookAtOthers: boolean): ReadonlyMap<string, Row> {
    if (this.isLooking) return new Map()
    this.pending = []
    const { withSeenChange, withUnseenChange, hasOthers } = this.reader.rowsOf(changes)
    this.needsFullRead ||= hasOthers
    for (const [id, row] of withUnseenChange) this.withUnseenChange.set(id, row)
    this.lookingFrom = this.pendingFrom
    this.pendingFrom = null
    const rows = new Map(withSeenChange)
    if (!mayLookAtOthers || this.needsFullRead) return rows
    for (const [id, row] of [...this.withUnseenChange].sort(([a], [b]) => (a < b ? -1 : 1))) rows.set(id, row)
    this.withUnseenChange.clear()
    return rows
  }

  private lookAtRows(rows: ReadonlyMap<string, Row>, changes: readonly Change[]): void {
    this.isLooking = true
    this.run(async () => {
      try {
        await this.lookAt(rows)
        if (changes.length > 0) this.observeLag(changes)
      } finally {
        this.isLooking = false
        this.lookingFrom = null
      }
    })
  }

  private async lookAt(rows: ReadonlyMap<string, Row>): Promise<void> {
    const ids = [...rows.keys()]
    this.bill(pointsOfResource * ids.length)
    const found = await this.find([...rows.values()])
    for (const id of ids) this.readDuringFullRead?.add(id)
    await this.log.caughtUp()
    if (found.refused) {
      this.known = this.tellAll(found, [...this.streams], new Set())
      return
    }
    const known = merged(this.known ?? new Map(), ids, found.shown)
    this.known = known
    for (const stream of this.streams) stream.take({ ...found, known, idsFor: () => ids })
    // Reads by id do not count the rest. Above a limit, the watch reads the whole collection, and that read is refused.
    this.bytes += bytesOf(found.shown)
    if (known.size > this.reader.most || this.bytes > this.reader.mostBytes) this.needsFullRead = true
  }

  /** Reads all, while rows that change meanwhile are looked at beside that. */
  private beginFullRead(): void {
    this.needsFullRead = false
    this.withUnseenChange.clear()
    this.readDuringFullRead = new Set()
    const streams = [...this.streams]
    this.bill(this.reader.points)
    const look = async () => {
      const found = await this.find(null)
      // Wait outside the queue, so that reads of changed rows do not wait for the full read.
      await this.log.caughtUp()
      await this.enqueue(async () => {
        this.known = this.tellAll(found, streams, this.readDuringFullRead ?? new Set())
        this.bytes = bytesOf(found.shown)
        this.readDuringFullRead = null
      })
    }
    look().catch((err: unknown) => {
      this.readDuringFullRead = null
      this.fail(err)
    })
  }

  /** Sends everything but the rows that were read later. Returns what is known then; null where nothing is. */
  private tellAll({ shown, refused }: Found, streams: readonly Stream[], later: ReadonlySet<string>): Known | null {
    const known = new Map(digestsOf(shown))
    for (const id of later) {
      const digest = this.known?.get(id)
      if (digest === undefined) known.delete(id)
      else known.set(id, digest)
    }
    const isTold = (id: string) => refused !== null || !later.has(id)
    // In an order of their own: it tells nothing of what was looked at before.
    const idsFor = (stream: Stream) => (refused === 'too much' ? [] : stream.differing(known).filter(isTold).sort())
    for (const stream of refused ? new Set([...streams, ...this.streams]) : streams) {
      if (stream.watch !== this) continue
      stream.take({ shown, refused, known, idsFor })
      if (refused) this.streams.delete(stream)
    }
    return refused ? null : known
  }

  /** Has those pay whom something is read for, in equal parts. */
  private bill(points: number): void {
    const share = Math.ceil(points / this.streams.size)
    for (const stream of this.streams) stream.pay?.(share)
  }

  private observeLag(changes: readonly Change[]): void {
    const first = changes.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY)
    this.watched.call.observer?.streamed?.({ kind: 'looked', seconds: (Date.now() - first) / 1000 })
  }

  private async find(keys: readonly Row[] | null): Promise<Found> {
    let refused: Found['refused'] = null
    const shown = await this.reader.readOrNothing(keys, ({ status }) => {
      if (status === 400) refused = 'too much'
      else if (this.watched.op.kind !== 'view') refused = 'gone'
    })
    return { shown, refused }
  }

  /**
   * What belongs now, read for the first time if nobody has watched. A resource may be gone since its client was here.
   */
  private async begin(): Promise<Known> {
    if (this.known) return this.known
    const began = performance.now()
    const shown = await this.reader.readOrNothing(null, this.refuse)
    const known = digestsOf(shown)
    this.bytes = bytesOf(shown)
    this.period = Math.max(shortestPeriod, Math.min(longestPeriod, restFactor * (performance.now() - began)))
    this.known = known
    return known
  }

  private readonly refuse = (error: JsonApiError): void => {
    if (this.watched.op.kind !== 'view' || error.status === 400) throw error
  }

  private run(work: () => Promise<void>): void {
    this.enqueue(work).catch((err: unknown) => this.fail(err))
  }

  private fail(err: unknown): void {
    const { server } = this.watched.call.api
    server.logger.warn({ err: loggedError(err), path: pathOf(this.watched.call.koa) }, 'Changes could not be read')
    this.needsFullRead = true
    this.retryAt = Date.now() + retryMilliseconds
  }

  private enqueue<T>(work: () => Promise<T>): Promise<T> {
    this.queued++
    const done = this.work.then(work).finally(() => this.queued--)
    this.work = done.catch(() => {})
    return done
  }
}

const bytesOf = (shown: EventResources): number => {
  let bytes = 0
  for (const { text } of shown.values()) bytes += text.length
  return bytes
}

const digestsOf = (shown: EventResources): Known => new Map([...shown].map(([id, { digest }]) => [id, digest]))

function merged(known: Known, ids: readonly string[], shown: EventResources): Known {
  const now = new Map(known)
  for (const id of ids) {
    const digest = shown.get(id)?.digest
    if (digest === undefined) now.delete(id)
    else now.set(id, digest)
  }
  return now
}

/** What was told before, what has changed in the order of the changes, and the rest in an order of its own. */
function inOrder(told: readonly string[], changed: Iterable<string>, differing: readonly string[]): readonly string[] {
  const ids = new Set(told)
  const others = new Set(differing)
  for (const id of changed) {
    if (!ids.delete(id) && !others.has(id)) continue
    ids.add(id)
  }
  return [...new Set([...ids, ...[...others].sort()])]
}
