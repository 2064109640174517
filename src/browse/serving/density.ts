import type { Context } from 'koa'
import type { Call } from '../../http/call.ts'
import { answerMethods } from '../../http/page-requests.ts'
import { backTo } from '../frame/back.ts'
import { refuseOthers } from './browser-session.ts'
import { redirect } from './html.ts'
import { readForm } from './read-form.ts'

const cookieName = 'prismapi-density'
const aYear = 31_536_000

export const isCompact = (ctx: Context): boolean => ctx.cookies.get(cookieName) === 'compact'

/** Keeps how close the rows of tables stand, and leads back. The cookie says nothing else. */
export async function chooseDensity(call: Call): Promise<void> {
  const { koa: ctx, api } = call
  const { server } = api
  if (answerMethods(ctx, ['POST'])) return
  refuseOthers(ctx)
  const form = await readForm(call)
  const density = form.get('density') === 'compact' ? 'compact' : 'comfortable'
  const kept = `${cookieName}=${density}; Path=${server.basePath}; Max-Age=${aYear}; HttpOnly; SameSite=Lax`
  ctx.append('Set-Cookie', kept)
  redirect(ctx, backTo(server, form.get('back')) ?? server.basePath)
}
