import type { Socket } from 'node:net'

/** Lets the requests of one turn of the event loop do their second half together. */
export interface Turns {
  /**
   * Resolved at the end of this turn; null while a single client is connected, who has nobody to wait for. Of those who
   * show many resources no more than sixteen go on together: each keeps its rows until it has answered, and where the
   * database answers at once, that is before the next sixteen read theirs.
   */
  end(socket: Socket, showsMany: boolean): Promise<void> | null
}

const mostOfMany = 16

/**
 * Node hands over the requests of all sockets that became readable one by one. Those that only plan at first, and read,
 * render and answer after the one `setImmediate` that they share, do that work back to back: the same code and the same
 * statements while they are in the processor's caches, and one wake-up of each peer. Writes do so, too: on SQLite each
 * ends the snapshot that rows are read from, and of sixteen together all rows are read before the first of them is changed.
 * Nothing is shared but the moment.
 */
export function makeTurns(): Turns {
  const open = new WeakSet<Socket>()
  let sockets = 0
  const large = makeTurn(mostOfMany)
  const small = makeTurn(Number.POSITIVE_INFINITY)
  const count = (socket: Socket) => {
    if (open.has(socket) || socket.destroyed) return
    open.add(socket)
    sockets++
    socket.once('close', () => sockets--)
  }
  return {
    end(socket, showsMany) {
      count(socket)
      if (sockets < 2) return null
      return showsMany ? large() : small()
    },
  }
}

/** Joins the turn that is open, and opens another one behind it when so many have. */
function makeTurn(most: number): () => Promise<void> {
  let open: Promise<void> | null = null
  let joined = 0
  const begin = () => {
    joined = 0
    const turn = new Promise<void>((resolve) => {
      setImmediate(() => {
        if (open === turn) open = null
        resolve()
      })
    })
    return turn
  }
  return () => {
    if (open === null || joined === most) open = begin()
    joined++
    return open
  }
}
