import type { Context } from 'koa'

/** Browsers say where a request comes from; other clients say nothing. */
export function isFromHere({ req: { headers } }: Context): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin, host } = headers
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
}
