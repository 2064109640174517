import type { Context } from 'koa'
import { askedByForm } from '../../browse/asked.ts'
import { type Browsed, browsePath, docsPath } from '../../browse/browsed.ts'
import { page } from '../../browse/page.ts'
import { toldTo } from '../../browse/told.ts'
import { openApiPath } from '../../openapi/server-paths.ts'
import type { Operation } from '../../request/operation.ts'
import { answeredText } from '../answering/answered-text.ts'
import { serverBoundary } from '../answering/error-boundary.ts'
import { type Api, requestContext, userOf } from '../build-context.ts'
import { jsonApiMediaType } from '../incoming/negotiate.ts'
import { isReadable } from '../incoming/request-url.ts'
import type { Handle } from '../observing/tracing-of.ts'
import { matchPath, toOperation } from '../routes.ts'
import { acceptSeal, sealOf, sessionOf } from './browser-session.ts'
import { redirect, respondHtml } from './html.ts'
import { prefersHtml } from './prefers-html.ts'

/**
 * The handling of a server's requests, with pages for browsers: the document is made as for everybody, and a page shows it.
 * Everybody else is asked for `Accept` once more and nothing else.
 */
export function browsable(api: Api, handle: Handle): Handle {
  const { server } = api
  if (!server.browsable) return handle
  const isOwn = (path: string) => [openApiPath, docsPath].includes(path) || path.startsWith(`${browsePath}/`)
  return (ctx) => {
    const { method, headers } = ctx.req
    if (method !== 'GET' && method !== 'HEAD') {
      acceptSeal(ctx)
      return handle(ctx)
    }
    if (!prefersHtml(headers.accept) || !isReadable(ctx)) return handle(ctx)
    return isOwn(ctx.path.slice(server.basePath.length)) ? handle(ctx) : answerPage(ctx, api, handle)
  }
}

async function answerPage(ctx: Context, api: Api, handle: Handle): Promise<void> {
  const asked = askedByForm(ctx.search)
  if (asked !== null) {
    redirect(ctx, ctx.path + asked)
    return
  }
  const { headers } = ctx.req
  const session = headers.authorization === undefined ? sessionOf(ctx) : null
  if (session !== null) headers.authorization = session
  headers.accept = jsonApiMediaType
  delete headers['if-none-match']
  delete headers['if-match']
  await handle(ctx)
  const document = await documentOf(ctx)
  if (document === null) return
  await serverBoundary(api.server)(ctx, () => show(ctx, api, { document, session }))
}

interface Answered {
  readonly document: Browsed['document']
  readonly session: string | null
}

async function show(ctx: Context, api: Api, { document, session }: Answered): Promise<void> {
  const { path, search, status } = ctx
  const etag = ctx.response.get('ETag') || null
  for (const name of ['ETag', 'Content-Length', 'Transfer-Encoding']) ctx.remove(name)
  const user = await knownUser(ctx, api)
  const caller = status === 401 ? null : await callerOf(ctx, api, user)
  const browsed: Browsed = {
    ...{ server: api.server, path, search, status, document, etag, caller },
    operation: operationOf(ctx, api),
    seal: session === null ? null : sealOf(session),
  }
  respondHtml(ctx, status, await page(browsed, user))
}

/** What was answered; null where that is no document, or was sent already. */
async function documentOf(ctx: Context): Promise<Browsed['document'] | null> {
  if (ctx.res.headersSent || ctx.respond === false) return null
  const text = await answeredText(ctx)
  return text === null ? null : JSON.parse(text)
}

/** Who was found out to be asking; whose token is refused is nobody. */
async function knownUser(ctx: Context, api: Api): Promise<unknown> {
  if ('viewer' in ctx.state) return ctx.state.viewer
  try {
    return await userOf(ctx, api)
  } catch {
    return null
  }
}

/** Authentication that is not repeated for the page around the document. */
export const rememberingViewer = (api: Api): Api =>
  api.server.browsable
    ? {
        ...api,
        async authenticate(ctx) {
          const user = (await api.authenticate(ctx)) ?? null
          ctx.state.viewer = user
          return user
        },
      }
    : api

async function callerOf(ctx: Context, api: Api, user: unknown): Promise<Browsed['caller']> {
  try {
    const context = await requestContext(ctx, api, { user, body: undefined })
    return { ctx: context, told: toldTo(context) }
  } catch {
    // The document says what is wrong, as far as that is for clients to know.
    return null
  }
}

function operationOf({ path }: Context, { server }: Api): Operation | null {
  const match = matchPath(path.slice(server.basePath.length))
  try {
    return match && toOperation(server.schemas, { method: 'GET', path, ...match })
  } catch {
    return null
  }
}
