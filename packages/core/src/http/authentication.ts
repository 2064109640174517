import { forbidden } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { Context } from 'koa'
import type { CompiledServer } from '../server/compile.ts'
import type { Call } from './call.ts'
import type { HttpStage } from './plugin.ts'
import { hasBody } from './request/body.ts'
import { refusalIn } from './response/error-boundary.ts'

/** To count callers separately: a server with its own `authenticate` may use the same ids for other people. */
export const countedName = ({ name, authenticate }: CompiledServer, caller: string): string =>
  authenticate === null ? `user ${caller}` : `user of ${name} ${caller}`

/** Finds out who is asking, before the body is read: 401 for credentials that are wrong. */
export const authenticate: HttpStage = (next) => async (call) => {
  await findUser(call)
  return next(call)
}

/**
 * The user whom a page is made for; whom `authenticate` refuses with a 4xx of whatever kind is a guest.
 *
 * @throws whatever else `authenticate` throws: without its database nobody knows who is asking.
 */
export async function knownUser(call: Call): Promise<unknown> {
  if (call.user !== undefined) return call.user
  try {
    return await findUser(call)
  } catch (error) {
    if (refusalIn(error)) return null
    throw error
  }
}

/** The user of a call, who is known from now on; null for a guest. */
export async function findUser(call: Call): Promise<unknown> {
  const { koa, api, observer } = call
  const user = observer ? observer.stage('authenticate', () => api.authenticate(koa)) : api.authenticate(koa)
  call.user = (await user) ?? null
  return call.user
}

/**
 * Refuses an action that a page of another site has a browser ask for, in the name of its user: 403. What has a
 * document, or is no POST, a browser asks of another site only where CORS allows it.
 */
export const refuseOtherSites: HttpStage = (next, { server }) => {
  if ([...server.schemas.byType.values()].every(({ actions }) => actions.size === 0)) return next
  return (call) => {
    const { koa, operation } = call
    const isSimple = operation?.kind === 'action' && koa.method === 'POST' && !hasBody(koa.req)
    if (isSimple && isInUsersName(koa) && !isFromHere(koa) && !mayUseCredentials(koa))
      throw forbidden(say`Only pages of this server ask for that.`)
    return next(call)
  }
}

/** Does it have what a browser sends by itself: a cookie, or a password that it keeps. A token is no such thing. */
function isInUsersName({ req: { headers } }: Context): boolean {
  const { cookie, authorization } = headers
  return authorization === undefined ? cookie !== undefined : !/^bearer /i.test(authorization)
}

/**
 * Has the application's CORS said by now that this site may act for the user. It may say to every site which one that
 * is: a browser compares.
 */
export function mayUseCredentials({ req: { headers }, response }: Context): boolean {
  const allowed = response.get('Access-Control-Allow-Origin')
  return response.get('Access-Control-Allow-Credentials') === 'true' && allowed !== '' && allowed === headers.origin
}

/** Browsers say where a request comes from; other clients say nothing. */
export function isFromHere({ req: { headers } }: Context): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin, host } = headers
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
}
