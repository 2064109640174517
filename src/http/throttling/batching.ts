import type { Socket } from 'node:net'

/** Batches the requests that arrive in one turn of the event loop: they do their second half together. */
export interface Batching {
  /**
   * Resolved at the end of this turn; null while a single client is connected, which would wait for nothing. Of requests
   * that show many resources no more than sixteen go on together: each keeps its rows until it has answered, and where the
   * database answers at once, that is before the next sixteen read theirs.
   */
  join(socket: Socket, showsMany: boolean): Promise<void> | null
}

const mostOfMany = 16

/**
 * Node hands over the requests of all sockets that became readable one by one. Those that only plan at first, and read,
 * render and answer after the one `setImmediate` that they share, do that work back to back: the same code and the same
 * statements while they are in the processor's caches, and one wake-up of each peer. Writes do so, too: on SQLite each
 * ends the snapshot that rows are read from, and of sixteen together all rows are read before the first of them is changed.
 * Nothing is shared but the moment.
 */
export function makeBatching(): Batching {
  const open = new WeakSet<Socket>()
  let sockets = 0
  const large = makeBatch(mostOfMany)
  const small = makeBatch(Number.POSITIVE_INFINITY)
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

/** Joins the batch that is open, and opens another one when so many have joined. */
function makeBatch(most: number): () => Promise<void> {
  let open: Promise<void> | null = null
  let joined = 0
  const begin = () => {
    joined = 0
    const batch = new Promise<void>((resolve) => {
      setImmediate(() => {
        if (open === batch) open = null
        resolve()
      })
    })
    return batch
  }
  return () => {
    if (open === null || joined === most) open = begin()
    joined++
    return open
  }
}
