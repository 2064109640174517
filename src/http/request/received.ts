import type { IncomingMessage, ServerResponse } from 'node:http'
import { badRequest, payloadTooLarge } from '../../document/errors.ts'
import { say } from '../../document/text.ts'

/** The body of a request, which is kept from the moment it comes. */
export interface Received {
  /**
   * All of its bytes, as they were sent.
   *
   * @throws {JsonApiError} 400 where the client leaves before its end, 413
   */
  read(limitBytes: number): Promise<Buffer>
  /** What has come is forgotten, and so is what comes. */
  drop(): void
}

/** So much is taken before anything asks for it; then the client waits. */
const unaskedBytes = 65_536
const firstRoom = 4096

/**
 * Writes a body into one buffer while it comes. A client may send each byte as a chunk of its own, of which Node makes an object of
 * some hundred bytes: a stream that is not read keeps them, and so does a list. So this begins before anything waits for something else.
 */
export function receive(req: IncomingMessage, res: ServerResponse): Received {
  // It says so only where somebody reads it.
  if (req.readableEnded) return gone
  let bytes: Buffer = Buffer.alloc(0)
  let length = 0
  let isDropped = false
  let asked: { readonly limitBytes: number; readonly fail: (error: Error) => void } | null = null

  const drop = () => {
    isDropped = true
    bytes = Buffer.alloc(0)
  }
  const refuse = (error: Error) => {
    drop()
    asked?.fail(error)
  }
  const take = (chunk: Buffer) => {
    if (isDropped) return
    const end = length + chunk.length
    if (asked && end > asked.limitBytes) return refuse(payloadTooLarge(asked.limitBytes))
    if (length === 0) bytes = chunk
    else {
      if (end > bytes.length) bytes = withRoom(bytes.subarray(0, length), Math.max(2 * length, end, firstRoom))
      chunk.copy(bytes, length)
    }
    length = end
    if (asked === null && length > unaskedBytes) req.pause()
  }
  req.on('data', take)
  req.once('close', () => {
    if (!req.readableEnded) refuse(truncated())
  })
  // What is answered before all of it has come is read away, as Node does with what no listener reads.
  res.once('close', () => {
    drop()
    req.resume()
  })

  return {
    drop,
    read: (limitBytes) =>
      new Promise((resolve, reject) => {
        const settle = () => resolve(bytes.subarray(0, length))
        asked = { limitBytes, fail: reject }
        if (req.destroyed && !req.readableEnded) return refuse(truncated())
        if (length > limitBytes) return refuse(payloadTooLarge(limitBytes))
        if (req.readableEnded) return settle()
        req.once('end', settle)
        req.resume()
      }),
  }
}

const truncated = () => badRequest(say`The request ended before its body was complete.`)

function withRoom(bytes: Buffer, length: number): Buffer {
  const room = Buffer.allocUnsafeSlow(length)
  bytes.copy(room)
  return room
}

const gone: Received = {
  drop() {},
  async read() {
    throw new Error(
      'The request body is gone: a middleware before api.middleware() has read it. Mount api.middleware() before it.',
    )
  },
}
