import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ReadableStream } from 'node:stream/web'
import type { Context, Middleware } from 'koa'
import { browserAccept } from '../pages.ts'
import type { Running } from '../servers.ts'

// Leaks that are planted: at one door a server answers as one that hides no field, with as much of that answer as the leak lets through.

/** A request, its URL as people read it. */
export interface Asked {
  readonly method: string
  readonly url: string
  /** By their names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Leak {
  readonly door: (asked: Asked) => boolean
  readonly tells: (at: Door) => Promise<void>
}

interface Door {
  readonly ctx: Context
  readonly method: string
  /** Asks one of the two servers for what was asked for, or reads it. */
  ask(which: 'hiding' | 'open', method?: 'GET', url?: string): Promise<Response>
  /** The entity tags of the server that hides nothing, by those that clients were given. */
  readonly tags: Map<string, string>
}

// biome-ignore lint/suspicious/noExplicitAny: documents of every shape
type Document = any

const passedOn = ['Content-Type', 'ETag', 'Location']

async function pass({ ctx }: Door, answer: Response): Promise<void> {
  for (const name of passedOn) if (answer.headers.has(name)) ctx.set(name, answer.headers.get(name) as string)
  ctx.status = answer.status
  ctx.body = answer.body && Readable.fromWeb(answer.body as ReadableStream)
}

const everything: Leak['tells'] = async (door) => pass(door, await door.ask('open'))

/** Some of the document, and the status. */
const part =
  (of: (document: Document) => unknown): Leak['tells'] =>
  async ({ ctx, ask }) => {
    const answer = await ask('open')
    ctx.status = answer.status
    ctx.body = JSON.stringify(of(await answer.json().catch(() => ({}))) ?? {})
  }

/** Was it taken or refused. */
const status = part(() => ({}))

const tagOf = (answer: Response): string => answer.headers.get('ETag') ?? ''

const tag: Leak['tells'] = async (door) => {
  await pass(door, await door.ask('hiding'))
  door.ctx.set('ETag', tagOf(await door.ask('open')))
}

/** Is the row of a precondition, with all that is hidden of it, still the one that was read. */
const change: Leak['tells'] = async (door) => {
  const { ctx, method, ask, tags } = door
  const now = tagOf(await ask('open', 'GET'))
  const was = tags.get(ctx.get('If-Match'))
  if (method !== 'GET' && was !== undefined && was !== now) {
    ctx.status = 412
    return
  }
  const answer = await ask('hiding')
  if (method === 'GET') tags.set(tagOf(answer), now)
  await pass(door, answer)
}

/** A resource of the other server. */
const examples: Leak['tells'] = async ({ ctx, ask }) => {
  ctx.body = await (await ask('open', 'GET', '/api/v2/posts/914')).json()
}

const pages = browserAccept
const events = 'text/event-stream'

const reading =
  (url: RegExp, accept?: string): Leak['door'] =>
  (asked) =>
    asked.method === 'GET' && (accept ? asked.headers?.accept === accept : !isOther(asked)) && url.test(asked.url)
const isOther = ({ headers }: Asked): boolean => [pages, events].includes(headers?.accept ?? '')
const writing =
  (url: RegExp, body = /(?:)/): Leak['door'] =>
  (asked) =>
    asked.method !== 'GET' && url.test(asked.url) && body.test(asked.body ?? '')

const all = (data: unknown): readonly Document[] => [data ?? []].flat()
const identifiers = (data: unknown): unknown => all(data).map(({ type, id }) => ({ type, id }))
const resources = part(({ data }) => identifiers(data))
const included = part((document) => document.included)
const data = part((document) => document.data)

export const leaks: Readonly<Record<string, Leak>> = {
  'a filter that compares hidden values': { door: reading(/\?filter\[/), tells: resources },
  'the total of a filter': { door: reading(/\?filter\[/), tells: part(({ meta }) => meta?.page?.total) },
  'a filter of the schema class': { door: reading(/\?filter\[(?:noted|told|sealed)\]/), tells: resources },
  'an order by hidden values': { door: reading(/[?&]sort=/), tells: resources },
  'an order of the schema class': { door: reading(/[?&]sort=-?(?:noteworthy|tagged)/), tells: resources },
  'a cursor with the value of the last row': { door: reading(/[?&]sort=/), tells: part(({ links }) => links) },
  'figures beside a collection': { door: reading(/[?&]withStats\[/), tells: part(({ meta }) => meta?.stats) },
  'figures of groups': { door: reading(/\/-stats\?/), tells: part(({ meta }) => meta?.groups) },
  'a number of related rows': {
    door: reading(/[?&]withCount=/),
    tells: part((document) => JSON.stringify(all(document.data)).match(/"count":\d+/g)),
  },
  'what is included': {
    door: reading(/[?&]include=/),
    tells: part((document) => identifiers(document.included)),
  },
  'the URL of a hidden relationship': { door: reading(/^[^?]+\/relationships\/\w+$/), tells: resources },
  'the related URL of a hidden relationship': { door: reading(/^[^?]+\/\d+\/tags$/), tells: resources },
  'an entity tag of the whole row': { door: reading(/^[^?]+\/\d+$/), tells: tag },
  'a page for people': { door: reading(/\/\w+\/\d+$/, pages), tells: everything },
  'an OpenAPI document with examples': { door: reading(/\/openapi\.json$/), tells: examples },
  'the snapshot of a stream': { door: reading(/^[^?]+$/, events), tells: everything },

  'a change that takes the hidden value for none': { door: writing(/\/\d+$/), tells: status },
  'an operation that knows hidden values': { door: writing(/\/operations$/), tells: status },
  'an upsert by a key that is hidden': { door: writing(/\/operations$/, /"by":\["email"\]/), tells: status },
  'the error of a rule that looks at what is there': {
    door: writing(/\/\d+$/),
    tells: part((document) => document.errors),
  },
  'the answer to a change': { door: writing(/\/\d+$/), tells: data },
  'the answer to a new resource': { door: writing(/\/posts\?include=/), tells: included },
  'an answer that is kept': {
    door: ({ headers }) => headers?.['idempotency-key'] !== undefined,
    tells: included,
  },
  'the answer to a restore': { door: writing(/\/posts\/\d+$/, /"deletedAt":null/), tells: data },
  'an action that saves': { door: writing(/\/-actions\/note$/), tells: status },
  'the answer to an action': { door: writing(/\/-actions\/note$/), tells: data },
  'a precondition about the whole row': { door: ({ url }) => /\/posts\/\d+$/.test(url), tells: change },
}

/** Middleware that stands for a server that hides fields; `open` is the same one, over the same database, that hides none. */
export function leaking(
  servers: { readonly hiding: Running; readonly open: Running },
  { door, tells }: Leak,
): Middleware {
  const tags = new Map<string, string>()
  return async (ctx) => {
    const body = ctx.method === 'GET' ? '' : await text(ctx.req)
    const { host: _, connection: __, 'content-length': ___, ...headers } = ctx.headers as Record<string, string>
    const ask: Door['ask'] = (which, method, url = ctx.url) => {
      const send = { method: method ?? ctx.method, headers, ...(method !== 'GET' && body && { body }) }
      return fetch(servers[which].at + url, send)
    }
    const at: Door = { ctx, method: ctx.method, ask, tags }
    if (door({ method: ctx.method, url: decodeURIComponent(ctx.url), headers, body })) await tells(at)
    else await pass(at, await ask('hiding'))
  }
}
