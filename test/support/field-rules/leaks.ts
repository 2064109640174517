import { text } from 'node:stream/consumers'
import type { Middleware } from 'koa'
import type { Running } from '../servers.ts'

// Leaks that are planted: at one door a server answers as one that hides no field, with as much of that answer as the leak lets through.

export interface Leak {
  readonly door: (method: string, url: string) => boolean
  /** What is let through: which resources, in which order; the entity tag alone; whether it was taken or refused. */
  readonly tells: 'resources' | 'tag' | 'status'
}

const reading =
  (url: RegExp): Leak['door'] =>
  (method, asked) =>
    method === 'GET' && url.test(asked)
const writing =
  (url: RegExp): Leak['door'] =>
  (method, asked) =>
    method !== 'GET' && url.test(asked)

export const leaks: Readonly<Record<string, Leak>> = {
  'a filter that compares hidden values': { door: reading(/\?filter\[/), tells: 'resources' },
  'an order by hidden values': { door: reading(/[?&]sort=/), tells: 'resources' },
  'the URL of a hidden relationship': { door: reading(/^[^?]+\/relationships\/\w+$/), tells: 'resources' },
  'an entity tag of the whole row': { door: reading(/^[^?]+\/\d+$/), tells: 'tag' },
  'a change that takes the hidden value for none': { door: writing(/\/\d+$/), tells: 'status' },
  'an operation that knows hidden values': { door: writing(/\/operations$/), tells: 'status' },
}

/** Middleware before a server that hides fields; `open` is the same one, over the same database, that hides none. */
export const leaking =
  (open: Running, { door, tells }: Leak): Middleware =>
  async (ctx, next) => {
    if (!door(ctx.method, decodeURIComponent(ctx.url))) return next()
    const { host: _, connection: __, 'content-length': ___, ...headers } = ctx.headers
    const body = ctx.method === 'GET' ? {} : { body: await text(ctx.req) }
    const answer = await fetch(open.at + ctx.url, { method: ctx.method, headers: headers as never, ...body })
    const document = (await answer.json().catch(() => ({}))) as Parameters<typeof identifiersOf>[0]
    if (tells === 'tag') {
      await next()
      return ctx.set('ETag', answer.headers.get('ETag') ?? '')
    }
    ctx.status = answer.status
    ctx.body = tells === 'status' ? '{}' : JSON.stringify({ data: identifiersOf(document) })
  }

const identifiersOf = ({ data }: { readonly data?: unknown }): readonly unknown[] =>
  [data ?? []].flat().map((each) => {
    const { type, id } = each as { type?: unknown; id?: unknown }
    return { type, id }
  })
