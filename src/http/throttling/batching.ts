import type { Socket } from 'node:net'

/** Batches the requests that arrive in one turn of the event loop: they do their second half together. */
export interface Batching {
  /**
   * Resolved at the end of this turn; null while a single client is connected, which would wait for nothing. Of requests
   * that show many resources no more than four go on together: each keeps its rows until it has answered, and where the
   * database answers at once, that is before the next four read theirs. When they have taken long, others get their turn first.
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
 * ends the snapshot that rows are read from, and of those together all rows are read before the first of them is changed.
 * Nothing is shared but the moment.
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
    // When all that the batch does without waiting is done: a tick that is asked for by a microtask comes after them all.
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
