import type { Middleware } from 'koa'
import { mediaType } from './api.ts'

// How answers of the example are spoilt, for the kit to find it.

// biome-ignore lint/suspicious/noExplicitAny: documents that are spoilt
export type Spoilt = any

/** Changes the documents that reading these URLs answers. */
export const changing =
  (which: RegExp, change: (document: Spoilt) => void, status = 200): Middleware =>
  async (ctx, next) => {
    await next()
    if (ctx.method === 'GET' && ctx.status === status && which.test(decodeURIComponent(ctx.url))) rewrite(ctx, change)
  }

/** Changes the documents that these methods answer. */
export const answering =
  (methods: readonly string[], change: (document: Spoilt) => void): Middleware =>
  async (ctx, next) => {
    await next()
    if (methods.includes(ctx.method) && ctx.status < 300 && ctx.body) rewrite(ctx, change)
  }

/** Asks for something else than the client did. */
export const asking =
  (from: string | RegExp, to: string): Middleware =>
  (ctx, next) => {
    ctx.originalUrl = decodeURIComponent(ctx.originalUrl).replace(from, to)
    ctx.url = ctx.originalUrl
    return next()
  }

function rewrite(ctx: Parameters<Middleware>[0], change: (document: Spoilt) => void): void {
  const document = JSON.parse(String(ctx.body))
  const type = ctx.response.get('Content-Type') || mediaType
  change(document)
  ctx.body = JSON.stringify(document)
  ctx.set('Content-Type', type)
}

/** The primary resources of a document. */
export const itemsOf = ({ data }: Spoilt): Spoilt[] => [data ?? []].flat()
