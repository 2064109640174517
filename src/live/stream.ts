import { randomBytes } from 'node:crypto'
import type { CursorSeal } from '../pagination/cursor-seal.ts'
import type { Connection } from './connection.ts'
import type { EventResources } from './read-watched.ts'

/** What a client was told of a resource, and by which of its events. */
interface Told {
  /** Null once it was told that the resource belongs no longer. */
  readonly digest: string | null
  readonly event: number
  /** The event that told of it first. */
  readonly first: number
}

/** What a stream has to do with one resource. */
interface Tellable {
  readonly id: string
  /** Null where it does not belong to what is watched. */
  readonly now: { readonly text: string; readonly digest: string } | null
  /** How it was when the stream looked last; undefined where it did not belong then. */
  readonly before: string | undefined
}

/** For how long a client may be away, and then go on. */
export const keptMilliseconds = 300_000

/** Why a stream ends. */
export type Ending = 'expired' | 'draining' | 'gone'

/**
 * What one client knows, event by event. It outlives its connection: a client that comes back says which event was the last one,
 * and is told what has become of all resources that later ones were about.
 */
export class Stream {
  /** Null while the client is away. */
  connection: Connection | null = null
  /** The watch that tells it of changes; what another one has begun to read before is by rights that its caller has no more. */
  teller: object | null = null
  readonly name = randomBytes(12).toString('base64url')
  private readonly told = new Map<string, Told>()
  private event = 0
  /** What was removed, the latest last, and the event behind which nothing of it is forgotten. */
  private readonly removed: { readonly id: string; readonly event: number; readonly at: number }[] = []
  private forgotten = 0
  hasEnded = false
  private readonly type: string
  private readonly seal: CursorSeal

  constructor(type: string, seal: CursorSeal) {
    this.type = type
    this.seal = seal
  }

  /** The resources that the client has, or had a moment ago. */
  ids(): readonly string[] {
    return [...this.told.keys()]
  }

  snapshot(text: string, shown: EventResources): void {
    this.told.clear()
    const event = this.send('snapshot', text)
    for (const [id, { digest }] of shown) this.told.set(id, { digest, event, first: event })
  }

  reset(): void {
    this.send('reset', '{}')
  }

  /** Tells of a resource what the client does not know yet. */
  tell({ id, now, before }: Tellable): void {
    const told = this.told.get(id)
    const has = told?.digest ?? undefined
    if (now === null) {
      if (told && has !== undefined) this.remove(id, told)
    } else if (has === undefined ? before !== now.digest || told !== undefined : has !== now.digest)
      this.upsert(id, now)
  }

  /** The resources that the client may not know as they are, because events behind that one were about them. */
  unknownSince(event: number): readonly string[] {
    return [...this.told].filter(([, told]) => told.event > event).map(([id]) => id)
  }

  /** Tells of one of these, whatever was told before. */
  tellAgain(since: number, { id, now }: Tellable): void {
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

  /** Ends it without a word: the client comes back, and is answered anew. */
  cut(): void {
    this.hasEnded = true
    this.connection?.close()
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
