import { randomBytes } from 'node:crypto'
import type { CursorSeal } from '@prismapi/jsonapi/pagination/cursor-seal'
import type { Connection } from './connection.ts'
import type { EventResource, EventResources } from './read-watched.ts'

/** What a client was told of a resource, and by which of its events. */
interface Told {
  /** Null once it was told that the resource belongs no longer. */
  readonly digest: string | null
  readonly event: number
  /** The event that told of it first. */
  readonly first: number
}

interface Beginning {
  readonly text: string
  readonly shown: EventResources
  readonly known: Known
  /** The client went on from a place that is not known any more. */
  readonly isReset: boolean
}

/** What a watch has looked at, for its streams to tell of it. */
interface Batch {
  readonly shown: EventResources
  /** What belongs to what is watched from now on. */
  readonly known: Known
  /** What a stream is to tell of, in this order. */
  idsFor(stream: Stream): readonly string[]
  /** GET refuses what is watched. */
  readonly refused: 'gone' | 'too much' | null
}

/** What belongs to what is watched, by how it was when it was looked at. */
export type Known = ReadonlyMap<string, string>

/** For how long a client may be away, and then go on. */
export const keptMilliseconds = 300_000

/** Why a stream ends. */
export type Ending = 'expired' | 'draining' | 'gone'

/**
 * What one client knows, event by event. It outlives the connection: a client that comes back names its last event, and
 * gets the present state of all resources of later events.
 */
export class Stream {
  /** Null while the client is away. */
  connection: Connection | null = null
  /**
   * Only this watch may send to the stream. Results of an earlier watch are ignored: it read with rights that the
   * caller may have lost.
   */
  watch: object | null = null
  readonly name = randomBytes(12).toString('base64url')
  private readonly told = new Map<string, Told>()
  private event = 0
  /** Removed resources, oldest first: a client that returns may need its `remove` again. */
  private readonly removed: { readonly id: string; readonly event: number; readonly at: number }[] = []
  /** The server cannot resume before this event. */
  private forgotten = 0
  hasEnded = false
  /** Takes points from its caller, for what is read for it; null where prices are not counted. */
  pay: ((points: number) => void) | null = null
  /** What belonged when this stream was told last. */
  known: Known = new Map()
  /** How many checks of the caller are still running. Until they end, the stream sends nothing. */
  private questions = 0
  private held: (() => void)[] = []
  private readonly type: string
  private readonly seal: CursorSeal

  constructor(type: string, seal: CursorSeal) {
    this.type = type
    this.seal = seal
  }

  /** Tells nothing from now on, until it is known whether its caller is who it was. */
  hold(): void {
    this.questions++
  }

  /** Is told that one of the questions about its caller is answered. */
  release(): void {
    this.questions--
    if (this.questions > 0) return
    const { held } = this
    this.held = []
    // Who has left meanwhile is told when they are back.
    if (this.connection) for (const tell of held) tell()
  }

  /** Does not tell what it holds: it was read by rights that its caller has no more, or nobody is there. */
  discard(): void {
    this.held = []
  }

  /** Begins with what GET answers. */
  begin({ text, shown, known, isReset }: Beginning): void {
    this.whenSure(() => {
      if (isReset) this.send('reset', '{}')
      const event = this.send('snapshot', text)
      for (const [id, { digest }] of shown) this.told.set(id, { digest, event, first: event })
      this.known = known
    })
  }

  /** Goes on behind an event: tells of these what the client does not know. */
  resume(since: number, { ids, shown, known }: Pick<Batch, 'shown' | 'known'> & { ids: readonly string[] }): void {
    this.discard()
    this.whenSure(() => {
      for (const id of ids) {
        const now = shown.get(id) ?? null
        if ((this.told.get(id)?.event ?? 0) > since) this.tellAgain(since, id, now)
        else this.tell(id, now)
      }
      this.known = known
    })
  }

  take({ shown, known, idsFor, refused }: Batch): void {
    this.whenSure(() => {
      for (const id of idsFor(this)) this.tell(id, shown.get(id) ?? null)
      this.known = known
      if (refused) this.end('gone')
    })
  }

  /** The resources of which it knows something else. */
  differing(known: Known): readonly string[] {
    const ids = new Set<string>()
    for (const [id, digest] of known) if (this.known.get(id) !== digest) ids.add(id)
    for (const id of this.known.keys()) if (!known.has(id)) ids.add(id)
    for (const [id, { digest }] of this.told) if (digest !== (known.get(id) ?? null)) ids.add(id)
    return [...ids]
  }

  private whenSure(tell: () => void): void {
    if (this.questions > 0) this.held.push(tell)
    else if (this.connection) tell()
  }

  /** Tells of a resource what the client does not know yet. */
  private tell(id: string, now: EventResource | null): void {
    const told = this.told.get(id)
    const has = told?.digest ?? undefined
    if (now === null) {
      if (told && has !== undefined) this.remove(id, told)
    } else if (has === undefined ? this.known.get(id) !== now.digest || told !== undefined : has !== now.digest)
      this.upsert(id, now)
  }

  /**
   * The resources of events after that one, whose present state the client may not know, in the order of the events.
   */
  unknownSince(event: number): readonly string[] {
    const later = [...this.told].filter(([, told]) => told.event > event)
    return later.sort(([, a], [, b]) => a.event - b.event).map(([id]) => id)
  }

  /** Tells of one of these, whatever was told before. */
  private tellAgain(since: number, id: string, now: EventResource | null): void {
    const told = this.told.get(id)
    if (now) this.upsert(id, now)
    else if (told && told.first <= since) this.remove(id, told)
    else this.told.delete(id)
  }

  end(reason: Ending): void {
    const { connection } = this
    this.connection = null
    this.hasEnded = true
    connection?.end('end', JSON.stringify({ reason }), this.idOf(++this.event))
  }

  /** The number of the event that an id is of; null where it is none of this stream, or too long ago. */
  eventOf(id: string): number | null {
    const place = this.seal.open(sealed, id)
    if (typeof place !== 'string') return null
    const [name, event] = place.split(' ')
    return name === this.name && Number(event) >= this.forgotten ? Number(event) : null
  }

  private upsert(id: string, { text, digest }: { readonly text: string; readonly digest: string }): void {
    const event = this.send('upsert', text)
    this.told.set(id, { digest, event, first: this.told.get(id)?.first ?? event })
  }

  private remove(id: string, { first }: Told): void {
    const event = this.send('remove', JSON.stringify({ data: { type: this.type, id } }))
    this.told.set(id, { digest: null, event, first })
    this.removed.push({ id, event, at: Date.now() })
    this.forget()
  }

  /** What was removed so long ago that no client comes back for it. */
  private forget(): void {
    const until = Date.now() - keptMilliseconds
    while ((this.removed[0]?.at ?? until) < until) {
      const { id, event } = this.removed.shift() as { id: string; event: number }
      const told = this.told.get(id)
      if (told?.digest === null && told.event === event) this.told.delete(id)
      this.forgotten = event
    }
  }

  private send(name: string, data: string): number {
    this.event++
    this.connection?.send(name, data, this.idOf(this.event))
    return this.event
  }

  // As long whatever its number is, and encrypted: it tells no client how many events there were.
  private idOf(event: number): string {
    return this.seal.seal(sealed, `${this.name} ${String(event).padStart(15, '0')}`)
  }
}

const sealed = 'live'

/** The name of the stream that an event's id is of; null for what is no such id. */
export function streamNameOf(seal: CursorSeal, id: string): string | null {
  const place = seal.open(sealed, id)
  return typeof place === 'string' ? (place.split(' ')[0] ?? null) : null
}
