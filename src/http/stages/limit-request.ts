import type { Context } from 'koa'
import { badRequest, tooManyHeaders, uriTooLong } from '../../document/errors.ts'
import { say } from '../../document/text.ts'
import { isReadable } from '../request/request-url.ts'
import type { HttpStage } from '../stage.ts'

/** Refuses request targets that are no URL, or too long, and too many headers: 400, 414, 431. */
export const limitRequest: HttpStage = (next, { server }) => {
  const { urlLength, headers } = server.limits
  return (call) => {
    const { koa } = call
    checkUrl(koa, urlLength)
    if (koa.req.rawHeaders.length > headers * 2) throw tooManyHeaders(headers)
    return next(call)
  }
}

function checkUrl(koa: Context, limit: number): void {
  if (!isReadable(koa)) throw badRequest(say`The request target is no URL.`)
  if (koa.originalUrl.length > limit) throw uriTooLong()
  try {
    if (koa.path.includes('%')) decodeURIComponent(koa.path)
  } catch {
    throw badRequest(say`The path has a malformed percent-encoding.`)
  }
}
