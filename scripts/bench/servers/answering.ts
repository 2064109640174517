import type { IncomingMessage, RequestListener } from 'node:http'
import Koa from 'koa'
import { readUrl } from './asked.ts'
import { origin } from './process.ts'
import { mediaType, toText, type Work } from './work/work.ts'

// The servers without a framework answer by `node:http`, or with `koa` as the last word of their command by Koa.

interface Answer {
  readonly status: number
  readonly body: string
  readonly location: string | null
}

export const answering = (work: Work): RequestListener => (process.argv.includes('koa') ? byKoa(work) : byNode(work))

const byNode =
  (work: Work): RequestListener =>
  async (request, response) => {
    const { status, body, location } = await answer(work, request)
    if (location !== null) response.setHeader('Location', location)
    response.writeHead(status, { 'Content-Type': mediaType, 'Content-Length': Buffer.byteLength(body) })
    response.end(body)
  }

const byKoa = (work: Work): RequestListener =>
  new Koa()
    .use(async (ctx) => {
      const { status, body, location } = await answer(work, ctx.req)
      ctx.set('Content-Type', mediaType)
      if (location !== null) ctx.set('Location', location)
      ctx.body = body
      ctx.status = status
    })
    .callback()

async function answer({ read, change }: Work, request: IncomingMessage): Promise<Answer> {
  const asked = readUrl(request.url ?? '')
  if (request.method === 'GET') return { status: 200, body: toText(await read(asked)), location: null }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { id, document } = await change(asked, JSON.parse(Buffer.concat(chunks).toString()).data)
  const isNew = asked.id === null
  const location = isNew ? `${origin}/api/bench/posts/${id}` : null
  return { status: isNew ? 201 : 200, body: toText(document), location }
}
