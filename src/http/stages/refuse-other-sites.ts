import type { Context } from 'koa'
import { forbidden } from '../../document/errors.ts'
import { say } from '../../document/text.ts'
import { hasBody } from '../request/body.ts'
import { isFromHere } from '../request/from-here.ts'
import type { HttpStage } from '../stage.ts'

/**
 * Refuses an action that a page of another site has a browser ask for, in the name of its user: 403. What has a document, or is no POST,
 * a browser asks of another site only where CORS allows it.
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

/** Does it have what a browser sends by itself: a cookie, or a password that it keeps. Who has a token has been given it. */
function isInUsersName({ req: { headers } }: Context): boolean {
  const { cookie, authorization } = headers
  return authorization === undefined ? cookie !== undefined : !/^bearer /i.test(authorization)
}

/** The application's CORS has said by now that this site may act for the user. */
const mayUseCredentials = ({ response }: Context): boolean =>
  response.get('Access-Control-Allow-Credentials') === 'true'
