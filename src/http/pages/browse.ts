import type { Context } from 'koa'
import { askedByForm } from '../../browse/asked.ts'
import { type Browsed, browsePath, docsPath } from '../../browse/browsed.ts'
import { page } from '../../browse/page.ts'
import { toldTo } from '../../browse/told.ts'
import { openApiPath } from '../../openapi/server-paths.ts'
import type { Call } from '../call.ts'
import { jsonApiMediaType } from '../request/negotiate.ts'
import { answeredText } from '../response/answered-text.ts'
import { answerErrors } from '../response/error-boundary.ts'
import type { Handler, HttpStage } from '../stage.ts'
import { userOf } from '../stages/authenticate.ts'
import { contextFor } from '../stages/make-context.ts'
import { acceptSeal, sealOf, sessionOf } from './browser-session.ts'
import { redirect, respondHtml } from './html.ts'
import { prefersHtml } from './prefers-html.ts'

/**
 * Pages for browsers: the document is made as for every client, and a page shows it. Of all other requests only `Accept` is
 * looked at.
 */
export const browserPages: HttpStage = (next, { server }) => {
  if (!server.browsable) return next
  const isOwn = (path: string) => [openApiPath, docsPath].includes(path) || path.startsWith(`${browsePath}/`)
  return (call) => {
    const { method, headers } = call.koa.req
    if (method !== 'GET' && method !== 'HEAD') {
      acceptSeal(call.koa)
      return next(call)
    }
    if (call.path === null || !prefersHtml(headers.accept)) return next(call)
    return isOwn(call.path) ? next(call) : answerPage(call, next)
  }
}

async function answerPage(call: Call, next: Handler): Promise<void> {
  const { koa } = call
  const asked = askedByForm(koa.search)
  if (asked !== null) {
    redirect(koa, koa.path + asked)
    return
  }
  const { headers } = koa.req
  const session = headers.authorization === undefined ? sessionOf(koa) : null
  if (session !== null) headers.authorization = session
  headers.accept = jsonApiMediaType
  delete headers['if-none-match']
  delete headers['if-match']
  await next(call)
  const document = await documentOf(koa)
  if (document === null) return
  await answerErrors(() => show(call, { document, session }), call.api)(call)
}

interface Answered {
  readonly document: Browsed['document']
  readonly session: string | null
}

async function show(call: Call, { document, session }: Answered): Promise<void> {
  const { koa, api, operation } = call
  const { path, search, status } = koa
  const etag = koa.response.get('ETag') || null
  for (const name of ['ETag', 'Content-Length', 'Transfer-Encoding']) koa.remove(name)
  const user = await knownUser(call)
  const caller = status === 401 ? null : await callerOf(call, user)
  const browsed: Browsed = {
    ...{ server: api.server, path, search, status, document, etag, caller, operation },
    seal: session === null ? null : sealOf(session),
  }
  respondHtml(koa, status, await page(browsed, user))
}

/** What was answered; null where that is no document, or was sent already. */
async function documentOf(ctx: Context): Promise<Browsed['document'] | null> {
  if (ctx.res.headersSent || ctx.respond === false) return null
  const text = await answeredText(ctx)
  return text === null ? null : JSON.parse(text)
}

/** The user that the document was made for; a client whose token is refused is a guest. */
async function knownUser(call: Call): Promise<unknown> {
  if (call.user !== undefined) return call.user
  try {
    return await userOf(call)
  } catch {
    return null
  }
}

async function callerOf(call: Call, user: unknown): Promise<Browsed['caller']> {
  try {
    call.user = user
    const context = await contextFor(call)
    return { ctx: context, told: await toldTo(context) }
  } catch {
    // The document says what is wrong, as far as that is for clients to know.
    return null
  }
}
