import type { ServerResponse } from 'node:http'
import { parseMediaType, splitUnquoted } from '@prismapi/core/http/request/headers'
import { unavailable } from '@prismapi/jsonapi/document/errors'
import { createEventBuffer } from 'better-sse'
import type { Context } from 'koa'

/** The connection of a stream: what is written goes out at once. */
export interface Connection {
  send(event: string, data: string, id: string): void
  /** The last event, behind which nothing comes. */
  end(event: string, data: string, id: string): void
  /** Ends it without a word. */
  close(): void
}

/** A reader may be behind by so many bytes. */
const mostBehind = 1_048_576

/** Answers with a stream. `onClose` is told once, whether the client or the server ended it. */
export function openConnection({
  koa,
  heartbeat,
  onSent,
  onClose,
}: {
  readonly koa: Context
  /** Seconds between two comment lines. */
  readonly heartbeat: number
  readonly onSent: (event: string) => void
  readonly onClose: () => void
}): Connection {
  const { res } = koa
  // Its client has gone, or was told that it took too long.
  if (res.headersSent || res.destroyed) throw unavailable(1)
  koa.respond = false
  koa.status = 200
  res.writeHead(200, headers(koa))
  res.flushHeaders()
  const beat = setInterval(() => write(res, ':\n\n'), heartbeat * 1000)
  res.on('error', () => {})
  res.once('close', () => {
    clearInterval(beat)
    onClose()
  })
  // A large event takes its time; what comes behind it does not have to wait.
  let largest = 0
  res.on('drain', () => {
    largest = 0
  })
  const send = (event: string, data: string, id: string) => {
    if (res.writableEnded || res.destroyed) return
    if (res.writableLength - largest > mostBehind) {
      res.destroy()
      return
    }
    const text = eventText(event, data, id)
    largest = Math.max(largest, text.length)
    write(res, text)
    onSent(event)
  }
  return {
    send,
    end(event, data, id) {
      send(event, data, id)
      res.end()
    },
    close: () => void res.destroy(),
  }
}

/** Answers HEAD as the GET of a stream begins. */
export function answerHead(koa: Context): void {
  koa.respond = false
  koa.status = 200
  koa.res.writeHead(200, headers(koa)).end()
}

const headers = ({ res }: Context) => ({
  'Content-Type': eventStream,
  'Cache-Control': 'no-store',
  Vary: [...new Set([res.getHeader('Vary') ?? [], 'Accept'].flat().map(String))].join(', '),
  'X-Content-Type-Options': 'nosniff',
  // What is between the client and this server must not wait for the end.
  'X-Accel-Buffering': 'no',
})

function write(res: Compressed, text: string): void {
  if (res.writableEnded || res.destroyed) return
  res.write(text)
  res.flush?.()
}

/** Middleware that compresses keeps what is written until there is more of it, or until it is told. */
interface Compressed extends ServerResponse {
  flush?(): void
}

const buffer = createEventBuffer({ serializer: String })

function eventText(event: string, data: string, id: string): string {
  const text = buffer.push(data, event, id).read()
  buffer.clear()
  return text
}

/** What events are sent as. */
const eventStream = 'text/event-stream'

/** Whether a client would rather have a stream than a document: by a weight that none of the other ranges has. */
export function wantsStream(accept: string | undefined): boolean {
  if (!accept?.toLowerCase().includes(eventStream)) return false
  let [stream, others] = [0, 0]
  for (const part of splitUnquoted(accept, ',')) {
    const media = parseMediaType(part)
    if (media === null) continue
    const weight = Number(media.parameters.find(([name]) => name === 'q')?.[1] ?? 1)
    if (media.name === eventStream) stream = Math.max(stream, weight)
    else if (documents.has(media.name)) others = Math.max(others, weight)
  }
  return stream > others
}

const documents: ReadonlySet<string> = new Set(['application/vnd.api+json', 'application/*', '*/*'])
