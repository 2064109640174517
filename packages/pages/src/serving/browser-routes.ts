import Router from '@koa/router'
import type { Feature } from '@prismapi/core/api/feature'
import type { Api } from '@prismapi/core/http/api'
import { findUser } from '@prismapi/core/http/authentication'
import type { Call } from '@prismapi/core/http/call'
import type { Handler, HttpStage } from '@prismapi/core/http/plugin'
import { refusalIn } from '@prismapi/core/http/response/error-boundary'
import { answerMethods, parseTypes } from '@prismapi/core/http/routing'
import type { CompiledServer } from '@prismapi/core/server/compile'
import type { OwnPage } from '@prismapi/core/server/page-part'
import { notAcceptable, notFound } from '@prismapi/jsonapi/document/errors'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import { typesTold } from '@prismapi/openapi/caller'
import { openApiPath } from '@prismapi/openapi/server-paths'
import { openApi } from '@prismapi/openapi/serving/serve-document'
import type { Middleware, ParameterizedContext } from 'koa'
import { compiledPages, type Docs, pagesOf } from '../compile-pages.ts'
import {
  backTo,
  browsePath,
  type Caller,
  countsPath,
  densityPath,
  didMark,
  docsPath,
  ownPath,
  searchPath,
  viewsPath,
  withOwn,
} from '../data/page-request.ts'
import { ownContent, pagesOfParts, partsOf } from '../feature-parts.ts'
import { type Asset, assetOf } from '../frame/assets.ts'
import { layout } from '../frame/layout.ts'
import { titleTold } from '../frame/rail.ts'
import type { Reader } from '../frame/reader.ts'
import type { Content } from '../html/html.ts'
import { countTypes } from '../map/map.ts'
import { searchEverything } from '../map/search.ts'
import { docsAsset, docsPage, isShownByType } from '../reference/page.ts'
import { search as searchWords } from '../texts/asking.ts'
import { signing as words } from '../texts/reading.ts'
import { errorTold, type Words, wordsIn } from '../texts/words.ts'
import {
  densityCookie,
  endSession,
  isCompact,
  refuseOthers,
  sealOf,
  startSession,
  takeSession,
  toAuthorization,
} from './browser-session.ts'
import { callerOf, userFor } from './caller.ts'
import { docsPolicy, languageFor, redirect, respondHtml } from './html.ts'
import { removeView, saveView } from './kept.ts'
import { outside } from './outside.ts'
import { readForm } from './read-form.ts'
import { renderPages } from './render-pages.ts'
import { respondAsset } from './respond-asset.ts'
import { declaredSignIn } from './sign-in.ts'

/** What the router's middleware knows of a request, beside Koa's context. */
interface PageState {
  prismapi: Call
}

/** Answers the pages that belong to no type: the reference, signing in and out, and the files that pages need. */
const browserRoutes =
  (linked: readonly CompiledServer[]): HttpStage =>
  (next, api) => {
    const answer = makeRouter(api, linked).routes() as unknown as Middleware<PageState>
    return async (call) => {
      const { koa } = call
      koa.state.prismapi = call
      await answer(koa as ParameterizedContext<PageState>, async () => next(call))
    }
  }

function makeRouter(api: Api, linked: readonly CompiledServer[]): Router<PageState> {
  const { server } = api
  const router = new Router<PageState>({ prefix: server.basePath })
  const page = (path: string, handler: Handler) => router.all(path, ({ state }) => handler(state.prismapi))
  const assets = (folder: string, find: (name: string) => Awaitable<Asset | null>) =>
    router.all(`${folder}/assets/:name`, async (ctx, next) => {
      const asset = await find(ctx.params.name ?? '')
      return asset ? respondAsset(ctx.state.prismapi.koa, asset) : next()
    })
  const { docs, isBrowsable } = pagesOf(server)
  if (docs) {
    page(docsPath, answerDocs(docs, isBrowsable ? linked : null))
    page(docsPath + openApiPath, ownOpenApi(api))
    assets(docsPath, (name) => docsAsset(server, docs, name))
  }
  if (isBrowsable) {
    page(`${browsePath}/sign-in`, signIn)
    page(`${browsePath}/sign-out`, signOut)
    page(densityPath, chooseDensity)
    page(viewsPath, changeViews)
    page(countsPath, answerCounts)
    page(searchPath, answerSearch(linked))
    const ofFeatures = partsOf(api).map(({ own }) => own)
    for (const [name, own] of Object.entries(Object.assign({}, ...ofFeatures, pagesOf(server).look.own) as OwnPages))
      page(`${ownPath}/${name}`, answerOwn(linked, own))
    assets(browsePath, (name) => assetOf(server, name))
  }
  return router
}

/** @param servers null where the server has no pages: then the reference has no way to them. */
function answerDocs(docs: Docs, servers: readonly CompiledServer[] | null): Handler {
  return async (call) => {
    const { koa, api } = call
    const { server } = api
    if (answerMethods(koa)) return
    if (!koa.accepts('html')) throw notAcceptable()
    const named = parseTypes(koa, server)
    const { caller, reader } = await readerOf(call, servers ?? [])
    const audience = caller?.api.audience ?? noAudience
    const menu = isShownByType(server)
      ? typesTold(server.schemas.byType.values(), audience).map(({ type }) => type)
      : null
    const frame = { server, reader, api: servers && (caller?.api ?? null) }
    await respondHtml(koa, 200, layout(languageFor(call), await docsPage(frame, docs, { named, menu })), docsPolicy)
  }
}

/** How many resources each type has that the reader may list, as text, for the rail: the pages' script asks. */
async function answerCounts(call: Call): Promise<void> {
  const { koa } = call
  if (answerMethods(koa)) return
  refuseOthers(koa)
  takeSession(koa)
  const caller = await callerOf(call, await userFor(call))
  const counts = caller ? await countTypes(caller) : new Map<string, Words>()
  const language = languageFor(call)
  const told = [...counts].map(([type, count]) => [type, wordsIn(language, count)] as const)
  koa.body = Object.fromEntries(told)
  koa.set('Cache-Control', 'no-store')
}

/** The page of the search over everything. */
const answerSearch = (servers: readonly CompiledServer[]): Handler =>
  inFrame(servers, searchWords.title, (caller, { koa }) =>
    searchEverything(caller, new URLSearchParams(koa.search).get('q') ?? ''),
  )

/** Of who cannot be found out, nothing is told. */
const noAudience = { has: () => false }

type OwnPages = Readonly<Record<string, OwnPage>>

/** A page of the application, or of a feature. */
const answerOwn = (servers: readonly CompiledServer[], own: OwnPage): Handler =>
  inFrame(servers, titleTold(own.title), (caller) => ownContent(own, caller))

type Make = (caller: Caller, call: Call) => Promise<Content>

/** A page of no type, in the frame of all pages. It has no content where it cannot be found out who is asking. */
const inFrame =
  (servers: readonly CompiledServer[], title: Words, make: Make): Handler =>
  async (call) => {
    const { koa, api } = call
    if (answerMethods(koa)) return
    if (!koa.accepts('html')) throw notAcceptable()
    const { caller, reader } = await readerOf(call, servers)
    const content = caller && (await make(caller, call))
    const page = { server: api.server, title, content, reader, api: caller?.api ?? null }
    await respondHtml(koa, 200, layout(languageFor(call), page))
  }

/** Who reads a page of no type. */
async function readerOf(call: Call, servers: readonly CompiledServer[]) {
  const { koa, api } = call
  const session = takeSession(koa)
  const user = await userFor(call)
  const reader: Reader = {
    ...{ user, servers, isCompact: isCompact(koa), back: koa.path + koa.search, hasSignIn: api.signIn !== null },
    seal: session === null ? null : sealOf(session),
    links: pagesOfParts(partsOf(api), api.server.basePath),
  }
  return { caller: await callerOf(call, user), reader }
}

/** The OpenAPI document for the user of the pages; what is tried is sent to where the page comes from. */
function ownOpenApi(api: Api): Handler {
  const answer = openApi(api, { origin: '/', isUnfolded: isShownByType(api.server) })
  return async (call) => {
    const { koa } = call
    refuseOthers(koa)
    takeSession(koa)
    await answer(call)
  }
}

const sending: readonly string[] = ['POST']

async function signIn(call: Call): Promise<void> {
  const { koa: ctx, api } = call
  if (answerMethods(ctx, sending)) return
  refuseOthers(ctx)
  const form = await readForm(call)
  const refusal = await tryToken(call, form.get('token') ?? '')
  if (refusal === null) return redirect(ctx, backOf(api, form))
  const reader = { user: null, seal: null, back: backOf(api, form), servers: [], refusal }
  const page = { server: api.server, title: words.title, content: null, reader, api: null }
  await respondHtml(ctx, 401, layout(languageFor(call), page))
}

async function signOut(call: Call): Promise<void> {
  const { koa: ctx, api } = call
  if (answerMethods(ctx, sending)) return
  refuseOthers(ctx)
  const form = await readForm(call)
  endSession(ctx, api.server)
  redirect(ctx, backOf(api, form))
}

/** Signs in; or why the token is refused, such as by the application, which does not know the user. */
async function tryToken(call: Call, token: string): Promise<Words | null> {
  const { koa, api } = call
  try {
    const authorization = toAuthorization(koa, api.server, token)
    koa.req.headers.authorization = authorization
    if ((await findUser(call)) === null) return words.unknown
    startSession(koa, api.server, authorization)
    return null
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal) return errorTold(refusal)
    throw error
  }
}

const backOf = ({ server }: Api, form: URLSearchParams): string => backTo(server, form.get('back')) ?? server.basePath

const aYear = 31_536_000

/** Keeps how close the rows of tables stand, and leads back. The cookie says nothing else. */
async function chooseDensity(call: Call): Promise<void> {
  const { koa: ctx, api } = call
  if (answerMethods(ctx, sending)) return
  refuseOthers(ctx)
  const form = await readForm(call)
  const density = form.get('density') === 'compact' ? 'compact' : 'comfortable'
  const kept = `${densityCookie}=${density}; Path=${api.server.basePath}; Max-Age=${aYear}; HttpOnly; SameSite=Lax`
  ctx.append('Set-Cookie', kept)
  redirect(ctx, backOf(api, form))
}

/** Saves a view of a list under a name, or removes it, and leads back to the list. */
async function changeViews(call: Call): Promise<void> {
  const { koa, api } = call
  const { server } = api
  if (answerMethods(koa, sending)) return
  refuseOthers(koa)
  const form = await readForm(call)
  const type = form.get('type') ?? ''
  const removed = form.get('remove')
  const name = (removed ?? form.get('name') ?? '').trim()
  const collection = `${server.basePath}/${type}`
  if (!server.schemas.byType.has(type)) throw notFound()
  if (removed !== null) {
    removeView(koa, server, { type, name })
    return redirect(koa, collection)
  }
  const query = form.get('query') ?? ''
  const isKept = name !== '' && saveView(koa, server, { type, name, query })
  redirect(koa, withOwn(`${collection}?${query}`, new URLSearchParams(isKept ? {} : { [didMark]: 'full' })))
}

/** Has the server pages that others link to: those whose URL says it all. */
const isLinked = (server: CompiledServer): boolean =>
  pagesOf(server).isBrowsable && server.base.names.length === 0 && server.host === null

/** The routes behind those of signing in, where the application declares it. */
const signInAnd =
  (routes: HttpStage): HttpStage =>
  (next, api) =>
    declaredSignIn(routes(next, api), api)

/** What browsers get: a page of each document, the reference, and signing in. */
export const pages: Feature = {
  unanswered: outside(isLinked),
  compiled: compiledPages,
  serve: ({ servers }) => {
    const linked = servers.filter(isLinked)
    return () => ({ outermost: renderPages(linked), unrouted: signInAnd(browserRoutes(linked)) })
  },
}
