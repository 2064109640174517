import type { Socket } from 'node:net'

/** Lets the requests of one turn of the event loop do their second half together. */
export interface Turns {
  /** Resolved at the end of this turn; null while a single client is connected, who has nobody to wait for. */
  end(socket: Socket): Promise<void> | null
}

/**
 * Node hands over the requests of all sockets that became readable one by one. Those that only plan at first, and read,
 * render and answer after the one `setImmediate` that they share, do that work back to back: the same code and the same
 * statements while they are in the processor's caches, and one wake-up of each peer. Writes do so, too: on SQLite each commit ends
 * what readers have cached of the file, and of sixteen together all rows are read before the first of them is changed. Nothing
 * is shared but the moment.
 */
export function makeTurns(): Turns {
  const open = new WeakSet<Socket>()
  let sockets = 0
  let turn: Promise<void> | null = null
  const count = (socket: Socket) => {
    if (open.has(socket)) return
    open.add(socket)
    sockets++
    socket.once('close', () => sockets--)
  }
  const next = () =>
    new Promise<void>((resolve) => {
      setImmediate(() => {
        turn = null
        resolve()
      })
    })
  return {
    end(socket) {
      count(socket)
      if (sockets < 2) return null
      turn ??= next()
      return turn
    },
  }
}
