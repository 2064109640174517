import net from 'node:net'
import type { Request } from './workloads.ts'

const headerEnd = Buffer.from('\r\n\r\n')
const mediaType = 'application/vnd.api+json'

/** A request as bytes on the wire. */
export function toBytes({ method, path, body, token }: Request): Buffer {
  const length =
    body === undefined ? '' : `Content-Type: ${mediaType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  const bearer = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: bench.test\r\nAccept: ${mediaType}\r\n${bearer}${length}\r\n${body ?? ''}`,
  )
}

/**
 * A keep-alive connection that asks one thing at a time, and looks at no more of an answer than its status and length:
 * what the asking costs would be taken from the servers, who share the machine with it.
 */
export interface Connection {
  ask(request: Buffer): Promise<Answer>
  close(): void
}

export interface Answer {
  readonly status: number
  readonly bytes: number
}

export async function connect(port: number): Promise<Connection> {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true })
  let waiting: { resolve(answer: Answer): void; reject(error: Error): void } | null = null
  let head = Buffer.alloc(0)
  let left = 0
  let answer: Answer = { status: 0, bytes: 0 }
  socket.on('data', (chunk) => {
    if (left === 0) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      const end = head.indexOf(headerEnd)
      if (end < 0) return
      const length = /content-length: (\d+)/i.exec(head.toString('latin1', 0, end))
      if (!length) throw new Error('An answer without a Content-Length.')
      const bytes = end + headerEnd.length + Number(length[1])
      answer = { status: Number(head.toString('latin1', 9, 12)), bytes }
      left = bytes - head.length
      head = Buffer.alloc(0)
    } else left -= chunk.length
    if (left === 0) waiting?.resolve(answer)
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('The server closed the connection.')))
  await new Promise<void>((resolve, reject) => void socket.once('connect', resolve).once('error', reject))
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request)
      }),
    close: () => {
      waiting = null
      socket.destroy()
    },
  }
}
