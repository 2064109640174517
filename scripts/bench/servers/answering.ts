import type { IncomingMessage, RequestListener } from 'node:http'
import Koa from 'koa'
import { type Asked, readUrl } from './asked.ts'
import { origin } from './process.ts'
import { one, type Row } from './texts.ts'

// The servers without a framework answer by `node:http`, or with `koa` as the last word of their command by Koa.

export interface Answering {
  readonly read: (asked: Asked) => string | Promise<string>
  readonly change: (asked: Asked, body: string) => Row | Promise<Row>
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly location: string | null
}

const mediaType = 'application/vnd.api+json'

export const answering = (work: Answering): RequestListener =>
  process.argv.includes('koa') ? byKoa(work) : byNode(work)

const byNode =
  (work: Answering): RequestListener =>
  async (request, response) => {
    const { status, body, location } = await answer(work, request)
    if (location !== null) response.setHeader('Location', location)
    response.writeHead(status, { 'Content-Type': mediaType, 'Content-Length': Buffer.byteLength(body) })
    response.end(body)
  }

const byKoa = (work: Answering): RequestListener =>
  new Koa()
    .use(async (ctx) => {
      const { status, body, location } = await answer(work, ctx.req)
      ctx.set('Content-Type', mediaType)
      if (location !== null) ctx.set('Location', location)
      ctx.body = body
      ctx.status = status
    })
    .callback()

async function answer({ read, change }: Answering, request: IncomingMessage): Promise<Answer> {
  const asked = readUrl(request.url ?? '')
  if (request.method === 'GET') return { status: 200, body: await read(asked), location: null }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const row = await change(asked, Buffer.concat(chunks).toString())
  const isNew = asked.id === null
  const location = isNew ? `${origin}/api/bench/posts/${row[0]}` : null
  return { status: isNew ? 201 : 200, body: one('bench', row), location }
}
