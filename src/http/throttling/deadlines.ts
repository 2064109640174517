/** Watches over the requests of a server, so that each is answered in time. */
export interface Deadlines<Item> {
  start(item: Item): Watched
}

/** A request that is not answered yet. */
export interface Watched {
  end(): void
}

const none: Deadlines<unknown> = Object.freeze({ start: () => ({ end() {} }) })

/**
 * All requests have the same time, so the first that is still here is the next that is late: one timer does for all, and
 * a request that is in time costs two steps in a queue.
 *
 * The queue is a ring. A map that is filled and emptied copies itself again and again, and each copy that is left behind
 * leads the garbage collector to the next, with the requests that were in it and their documents.
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

class WatchedRequest<Item> implements Watched {
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

/** Node's timers would take more for no time at all. */
const longestTimer = 2 ** 31 - 1
