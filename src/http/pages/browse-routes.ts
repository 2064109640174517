import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { assetOf } from '../../browse/assets.ts'
import { browsePath, docsPath } from '../../browse/browsed.ts'
import { type DocsViewer, docsAsset, docsHref, docsPage, docsViewer } from '../../browse/docs.ts'
import { layout } from '../../browse/layout.ts'
import { JsonApiError } from '../../document/error.ts'
import { badRequest, notAcceptable } from '../../document/errors.ts'
import { openApiPath } from '../../openapi/server-paths.ts'
import { type Api, userOf } from '../build-context.ts'
import { readBytes } from '../incoming/body.ts'
import { endSession, refuseOthers, sessionOf, startSession, toAuthorization } from './browser-session.ts'
import { docsPolicy, redirect, respondHtml } from './html.ts'
import { answerOpenApi } from './openapi.ts'
import { answerMethods } from './server-page.ts'

/** The pages that belong to no type: the reference, signing in and out, and the files that pages need. */
export function browseRoutes(api: Api): Middleware {
  const { server } = api
  const router = new Router({ prefix: server.basePath })
  // A type that is called so keeps its URL.
  if (!server.schemas.byType.has('docs')) {
    router.all(docsPath, (ctx, next) => answerDocs(ctx, api, next))
    router.all(docsPath + openApiPath, (ctx) => answerToldDocument(ctx, api))
    router.all(`${docsPath}/assets/:name`, async (ctx, next) => {
      const viewer = await docsViewer()
      const text = viewer && (await docsAsset(viewer, ctx.params.name ?? ''))
      return text === null ? next() : respondAsset(ctx, { type: 'text/javascript; charset=utf-8', text })
    })
  }
  if (server.browsable) {
    router.all(`${browsePath}/assets/:name`, (ctx, next) => {
      const asset = assetOf(ctx.params.name ?? '')
      return asset ? respondAsset(ctx, asset) : next()
    })
    router.all(`${browsePath}/sign-in`, (ctx) => signIn(ctx, api))
    router.all(`${browsePath}/sign-out`, (ctx) => signOut(ctx, api))
  }
  return router.routes() as unknown as Middleware
}

async function answerDocs(ctx: Context, { server }: Api, next: () => Promise<unknown>): Promise<unknown> {
  const viewer: DocsViewer | null = await docsViewer()
  if (!viewer) return next()
  if (answerMethods(ctx)) return
  if (!ctx.accepts('html')) throw notAcceptable()
  return respondHtml(ctx, 200, docsPage(server, viewer), docsPolicy)
}

/** The OpenAPI document for who is signed in on the pages; what is tried is sent to where the page comes from. */
async function answerToldDocument(ctx: Context, api: Api): Promise<void> {
  refuseOthers(ctx)
  const session = ctx.req.headers.authorization === undefined ? sessionOf(ctx) : null
  if (session !== null) ctx.req.headers.authorization = session
  await answerOpenApi(ctx, api)
  if (typeof ctx.body === 'string') ctx.body = JSON.stringify({ ...JSON.parse(ctx.body), servers: [{ url: '/' }] })
}

function respondAsset(ctx: Context, { type, text }: { readonly type: string; readonly text: string }): void {
  if (answerMethods(ctx)) return
  ctx.body = text
  ctx.set('Content-Type', type)
  ctx.set('X-Content-Type-Options', 'nosniff')
  ctx.set('Cache-Control', 'private, max-age=31536000, immutable')
}

const sending: readonly string[] = ['POST']

async function signIn(ctx: Context, api: Api): Promise<void> {
  if (answerMethods(ctx, sending)) return
  refuseOthers(ctx)
  const form = await readForm(ctx)
  const authorization = toAuthorization(form.get('token') ?? '')
  const refusal = authorization === null ? 'This is no token.' : await refusalOf(ctx, api, authorization)
  if (authorization !== null && refusal === null) {
    startSession(ctx, api.server, authorization)
    return redirect(ctx, backOf(api, form))
  }
  const parts = { server: api.server, title: 'Sign in', content: null, user: null, seal: null, back: backOf(api, form) }
  const docs = await docsHref(api.server)
  respondHtml(ctx, 401, layout({ ...parts, docs, refusal: refusal ?? 'This is no token.' }))
}

async function signOut(ctx: Context, api: Api): Promise<void> {
  if (answerMethods(ctx, sending)) return
  refuseOthers(ctx)
  const form = await readForm(ctx)
  endSession(ctx, api.server)
  redirect(ctx, backOf(api, form))
}

/** Why the application does not know who sends this; null where it does. */
async function refusalOf(ctx: Context, api: Api, authorization: string): Promise<string | null> {
  ctx.req.headers.authorization = authorization
  try {
    return (await userOf(ctx, api)) === null ? 'Nobody is known by this token.' : null
  } catch (error) {
    if (error instanceof JsonApiError && error.status === 401) return error.message
    throw error
  }
}

const plainTarget = /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/

/** Only to a page of this server, which is found out as a browser would: without the dots. */
function backOf({ server: { basePath } }: Api, form: URLSearchParams): string {
  const back = form.get('back') ?? ''
  if (!plainTarget.test(back)) return basePath
  const { pathname, search } = new URL(back, 'http://localhost')
  return pathname === basePath || pathname.startsWith(`${basePath}/`) ? pathname + search : basePath
}

const longestForm = 16_384

async function readForm(ctx: Context): Promise<URLSearchParams> {
  if (!ctx.is('urlencoded')) throw badRequest('Expecting a form.')
  return new URLSearchParams((await readBytes(ctx, longestForm)).toString())
}
