import { unavailable } from '@prismapi/jsonapi/document/errors'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { Context } from 'koa'
import { addressKey } from './throttling.ts'

/** What costs more points is dear. On SQLite a thread reads it, unless the application says otherwise. */
const dearPoints = 20_000

/** How many dear requests go on at the same time, and how many wait for that. */
export interface DearLimits {
  readonly atOnce: number
  readonly atOnceOfClient: number
  readonly waiting: number
  readonly waitingOfClient: number
}

type Asking = Pick<Context, 'ip' | 'res'>

/**
 * The dear requests of all clients: a few go on, the others wait. Each keeps the database, and what it has read, for as
 * long as it takes: sixteen at once would keep all others waiting. A client is known by its address.
 */
export class DearRequests {
  private readonly limits: DearLimits
  private readonly going = new Set<Place>()
  /** In the order in which they came. */
  private readonly waiting = new Map<Place, Wait>()

  constructor(limits: DearLimits) {
    this.limits = limits
  }

  /** That of a request, which takes none as long as it is not dear. */
  placeFor(koa: Asking): Place {
    return new Place(koa, this)
  }

  /** @throws {JsonApiError} 503 where too many wait already */
  enter(place: Place): Awaitable<void> {
    if (this.isFree(place)) return void this.going.add(place)
    const { waiting, waitingOfClient } = this.limits
    if (this.waiting.size >= waiting || ofClient(this.waiting.keys(), place) >= waitingOfClient) throw unavailable(1)
    return new Promise((resolve, reject) => void this.waiting.set(place, { resolve, reject }))
  }

  leave(place: Place): void {
    this.going.delete(place)
    this.end(place)
    for (const [next, { resolve }] of this.waiting) {
      if (next.isLate()) this.end(next)
      if (!this.waiting.has(next) || !this.isFree(next)) continue
      this.waiting.delete(next)
      this.going.add(next)
      resolve()
    }
  }

  /** Nobody waits for its answer any more. */
  private end(place: Place): void {
    const wait = this.waiting.get(place)
    this.waiting.delete(place)
    wait?.reject(unavailable(1))
  }

  private isFree(place: Place): boolean {
    const { atOnce, atOnceOfClient } = this.limits
    return this.going.size < atOnce && ofClient(this.going, place) < atOnceOfClient
  }
}

interface Wait {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

function ofClient(places: Iterable<Place>, { client }: Place): number {
  let count = 0
  for (const each of places) if (each.client === client) count++
  return count
}

/**
 * The place of one request among those that go on.
 *
 * @internal
 */
export class Place {
  private readonly koa: Asking
  private readonly all: DearRequests
  private taken: { readonly end: Awaitable<void> } | null = null
  private key: string | null = null

  constructor(koa: Asking, all: DearRequests) {
    this.koa = koa
    this.all = all
  }

  get client(): string {
    this.key ??= addressKey(this.koa.ip)
    return this.key
  }

  /** Has it been answered, or has the client gone? */
  isLate(): boolean {
    return this.koa.res.headersSent || this.koa.res.destroyed
  }

  /**
   * Waits until there is a place, where so many points are dear.
   *
   * @throws {JsonApiError} 503 where too many wait already
   */
  take(points: number): Awaitable<void> {
    if (points <= dearPoints) return undefined
    this.taken ??= { end: this.all.enter(this) }
    return this.taken.end
  }

  /** Gives it to the next one. */
  leave(): void {
    if (this.key !== null) this.all.leave(this)
  }
}
