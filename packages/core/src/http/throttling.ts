import { isIPv6, type Socket } from 'node:net'
import { unavailable } from '@prismapi/jsonapi/document/errors'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { Context } from 'koa'

/** Batches the requests that arrive in one turn of the event loop: they do their second half together. */
export interface Batching {
  /**
   * Resolved at the end of this turn; null while a single client is connected, which would wait for nothing. Of
   * requests that show many resources no more than four go on together: each keeps its rows until it has answered, and
   * where the database answers at once, that is before the next four read theirs. When they have taken long, others get
   * their turn first.
   */
  join(socket: Socket, showsMany: boolean): Promise<void> | null
}

const mostOfMany = 4

/** So long may they keep the event loop from everything else, before they let it go on. */
const turnMilliseconds = 20

/**
 * Node hands over the requests of all sockets that became readable one by one. Those that only plan at first, and read,
 * render and answer after the one `setImmediate` that they share, do that work back to back: the same code and the same
 * statements while they are in the processor's caches, and one wake-up of each peer. Writes do so, too: on SQLite each
 * ends the snapshot that rows are read from, and of those together all rows are read before the first of them is
 * changed. Nothing is shared but the moment.
 */
export function makeBatching(): Batching {
  const open = new WeakSet<Socket>()
  let sockets = 0
  const large = makeLine(mostOfMany)
  const small = makeLine(Number.POSITIVE_INFINITY)
  const count = (socket: Socket) => {
    if (open.has(socket) || socket.destroyed) return
    open.add(socket)
    sockets++
    socket.once('close', () => sockets--)
  }
  return {
    join(socket, showsMany) {
      count(socket)
      if (sockets < 2) return null
      return showsMany ? large() : small()
    },
  }
}

interface Batch {
  readonly promise: Promise<void>
  readonly begin: () => void
  joined: number
}

/** Batches of so many, one after the other: in one turn of the event loop as long as that does not take long. */
function makeLine(most: number): () => Promise<void> {
  const line: Batch[] = []
  let began = 0
  const turn = () => {
    began = performance.now()
    next()
  }
  const next = () => {
    line.shift()?.begin()
    // When all that the batch does without waiting is done: a tick that is asked for by a microtask comes after them
    // all.
    if (line.length > 0) queueMicrotask(() => process.nextTick(goOn))
  }
  const goOn = () => {
    if (performance.now() - began < turnMilliseconds) next()
    else setImmediate(turn)
  }
  return () => {
    let last = line.at(-1)
    if (last === undefined || last.joined === most) {
      if (line.length === 0) setImmediate(turn)
      last = makeBatch()
      line.push(last)
    }
    last.joined++
    return last.promise
  }
}

function makeBatch(): Batch {
  let begin = () => {}
  const promise = new Promise<void>((resolve) => {
    begin = resolve
  })
  return { promise, begin, joined: 0 }
}

/** Watches over the requests of a server, so that each is answered in time. */
interface Deadlines<Item> {
  start(item: Item): Deadline
}

/** A request that is not answered yet. */
interface Deadline {
  end(): void
}

const none: Deadlines<unknown> = Object.freeze({ start: () => ({ end() {} }) })

/**
 * All requests have the same time, so the first that is still here is the next that is late: one timer does for all,
 * and a request that is in time costs two steps in a queue.
 *
 * The queue is a ring. A map that is filled and emptied copies itself again and again, and each copy that is left
 * behind leads the garbage collector to the next, with the requests that were in it and their documents.
 */
export function makeDeadlines<Item extends object>(
  milliseconds: number,
  onLate: (item: Item) => void,
): Deadlines<Item> {
  if (milliseconds > longestTimer) return none
  const queue = makeRing<WatchedRequest<Item>>()
  let isLooking = false
  const lookAfter = (wait: number) => {
    isLooking = true
    setTimeout(look, wait).unref()
  }
  const look = () => {
    isLooking = false
    const now = performance.now()
    for (let first = queue.first(); first !== undefined; first = queue.first()) {
      const left = first.at + milliseconds - now
      if (first.item !== null && left > 0) {
        lookAfter(Math.ceil(left))
        return
      }
      queue.shift()
      if (first.item !== null) onLate(first.item)
    }
  }
  return {
    start(item) {
      while (queue.first()?.item === null) queue.shift()
      const request = new WatchedRequest(item)
      queue.push(request)
      if (!isLooking) lookAfter(milliseconds)
      return request
    },
  }
}

class WatchedRequest<Item> implements Deadline {
  /** Null when it was answered. */
  item: Item | null
  readonly at = performance.now()

  constructor(item: Item) {
    this.item = item
  }

  end(): void {
    this.item = null
  }
}

interface Ring<Item> {
  first(): Item | undefined
  shift(): void
  push(item: Item): void
}

function makeRing<Item>(): Ring<Item> {
  let items: (Item | undefined)[] = new Array(64).fill(undefined)
  let head = 0
  let size = 0
  return {
    first: () => items[head],
    shift() {
      items[head] = undefined
      head = (head + 1) % items.length
      size--
    },
    push(item) {
      if (size === items.length) {
        items = [...items.slice(head), ...items.slice(0, head), ...new Array(size).fill(undefined)]
        head = 0
      }
      items[(head + size) % items.length] = item
      size++
    },
  }
}

/** Node fires a timer with a longer delay at once, so this is the maximum. */
const longestTimer = 2 ** 31 - 1

/** Watches over answers until their clients have read them. */
export interface SlowReaders {
  /** Has the client left so much unread that nothing more is done for it? */
  isFull(koa: Context): boolean
  /**
   * Watches over the answer of a context; false where its client has left too much of it unread.
   *
   * @param isDone the answer tells of a write: it is kept in any case, so that the client does not write again
   */
  watch(koa: Context, isDone: boolean): boolean
}

export interface PatienceWithReaders {
  /** A client that takes nothing for so long is cut off. */
  readonly silenceMilliseconds: number
  /** So is one that takes less, from its first silence on. */
  readonly bytesPerSecond: number
  /** How many bytes the answers to one address have, as long as they are not read. */
  readonly mostBytes: number
}

/** What the system's own buffers hold is read, as far as the process can tell. */
const watchedBytes = 65_536

/**
 * An answer is kept until its client has read it, and a client that reads nothing, or a byte now and then, would have
 * the server keep it without an end.
 */
export function makeSlowReaders({ silenceMilliseconds, bytesPerSecond, mostBytes }: PatienceWithReaders): SlowReaders {
  const unread = new Map<string, number>()
  return {
    isFull: ({ ip }) => (unread.get(addressKey(ip)) ?? 0) >= mostBytes,
    watch(koa, isDone) {
      const { res } = koa
      const bytes = koa.length ?? 0
      if (bytes <= watchedBytes || koa.method === 'HEAD') return true
      const client = addressKey(koa.ip)
      const before = unread.get(client) ?? 0
      if (before > 0 && before + bytes > mostBytes && !isDone) return false
      unread.set(client, before + bytes)
      // What the connection takes counts as a sign of life, also while it takes a part of what was written.
      res.setTimeout(silenceMilliseconds, () => res.destroy())
      const timer = setTimeout(() => res.destroy(), silenceMilliseconds + (bytes / bytesPerSecond) * 1000)
      timer.unref()
      res.once('close', () => {
        clearTimeout(timer)
        const left = (unread.get(client) ?? 0) - bytes
        if (left > 0) unread.set(client, left)
        else unread.delete(client)
      })
      return true
    },
  }
}

/**
 * What a guest is counted by: the address, and of IPv6 the network, whose 64 bits of hosts belong to one customer.
 *
 * @example
 * addressKey('::ffff:192.0.2.1') // '192.0.2.1'
 * addressKey('2001:db8::17') // '2001:db8:0:0'
 */
export function addressKey(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [bare = ''] = address.split('%')
  const [left = '', right] = bare.split('::')
  const head = groups(left)
  const tail = right === undefined ? [] : groups(right)
  // An IPv4 address at the end stands for two groups.
  const width = tail.length + (bare.includes('.') ? 1 : 0)
  const all = right === undefined ? head : [...head, ...Array(8 - head.length - width).fill('0'), ...tail]
  return all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')
}

const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))

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
