import type { Call } from '@prismapi/core/http/call'
import type { Handler, HttpStage } from '@prismapi/core/http/plugin'
import { answerErrors } from '@prismapi/core/http/response/error-boundary'
import { readAnswer } from '@prismapi/core/http/response/respond'
import { type Identifier, jsonApiMediaType } from '@prismapi/jsonapi/document/types'
import { openApiPath } from '@prismapi/openapi/server-paths'
import type { Context } from 'koa'
import { pagesOf } from '../compile-pages.ts'
import {
  asMark,
  backMark,
  backTo,
  browsePath,
  createdMark,
  didMark,
  docsPath,
  doneMark,
  formMark,
  manyMark,
  ownParameters,
  type PageRequest,
  rowMark,
  shownSchema,
  withOwn,
} from '../data/page-request.ts'
import { partsOf, shortHref, withShortLinks } from '../feature-parts.ts'
import { queryOfForm } from '../filters/applied.ts'
import { mayBeNamed, withIds } from '../filters/named-values.ts'
import { idsIn } from '../forms/sent-fields.ts'
import { page } from '../page.ts'
import { doneToken } from '../resource/created.ts'
import { acceptSeal, isCompact, sealOf, takeSession, tellsWhereFrom } from './browser-session.ts'
import { callerOf, userFor } from './caller.ts'
import { languageFor, prefersHtml, redirect, respondHtml } from './html.ts'
import { keepColumns, keptOf } from './kept.ts'
import { becomeRequest, isOfMany, isSentForm, readSent, sessionOfForm } from './sent-form.ts'

/**
 * Pages for browsers: the document is made as for every client, and a page shows it. For all other requests, it looks
 * only at `Accept` and the seal of a page's script.
 */
export const renderPages =
  (servers: Servers): HttpStage =>
  (next, { server }) => {
    const { isBrowsable, docs } = pagesOf(server)
    if (!isBrowsable) return next
    const folders = docs ? [browsePath, docsPath] : [browsePath]
    const isOwn = (path: string) =>
      path === openApiPath || folders.some((folder) => path === folder || path.startsWith(`${folder}/`))
    return (call) => {
      const { method, headers } = call.koa.req
      const isReading = method === 'GET' || method === 'HEAD'
      if (prefersHtml(headers.accept) && isSentForm(call)) return answerForm(call, next, servers)
      if (!isReading || !prefersHtml(headers.accept)) {
        acceptSeal(call.koa)
        return next(call)
      }
      if (call.path === null) return next(call)
      return isOwn(call.path) ? next(call) : answerPage(call, next, servers)
    }
  }

type Servers = PageRequest['servers']

async function answerPage(call: Call, next: Handler, servers: Servers): Promise<void> {
  const { koa } = call
  const search = await searchOf(call)
  const asked = koa.path + (queryOfForm(search) ?? search)
  const short = shortHref({ server: call.api.server, parts: partsOf(call.api) }, asked)
  if (short !== koa.path + koa.search) {
    keepColumns(koa, call.api.server, new URLSearchParams(search))
    return redirect(koa, short)
  }
  const own = takeOwn(koa)
  const session = takeSession(koa)
  const { headers } = koa.req
  const mediaType = own.get(asMark)
  const isDownload = mediaType !== null && hasDownload(call, mediaType)
  headers.accept = isDownload ? mediaType : jsonApiMediaType
  delete headers['if-none-match']
  delete headers['if-match']
  await next(call)
  if (isDownload && koa.status < 300) return
  const document = await readDocument(koa)
  if (document === null) return
  await answerErrors(() => show(call, { document, session, own, sent: null, servers }), call.api)(call)
}

/** Does a feature send lists so. */
const hasDownload = ({ api }: Call, mediaType: string): boolean =>
  partsOf(api).some(({ downloads = {} }) => Object.values(downloads).includes(mediaType))

/** What was asked, with ids in the place of names that were typed; without a caller as it came. */
async function searchOf(call: Call): Promise<string> {
  const { koa, operation } = call
  const sent = new URLSearchParams(koa.search)
  if (!operation || !sent.has(formMark) || !mayBeNamed(sent)) return koa.search
  takeSession(koa)
  const caller = await callerOf(call, await userFor(call))
  const schema = shownSchema({ caller, operation })
  return caller && schema ? `?${await withIds(caller, schema, sent)}` : koa.search
}

/** What the page itself is asked for; the API knows nothing of it. */
function takeOwn(koa: Context): URLSearchParams {
  const { search, own } = ownParameters(koa.search)
  if (own.size > 0) {
    koa.originalUrl = koa.originalUrl.slice(0, koa.originalUrl.length - koa.search.length) + search
    koa.search = search
  }
  return own
}

/** A form that was sent, and the session that it is of, as far as that is known. */
interface Sent {
  form: URLSearchParams | null
  session: string | null
}

/** Carries out what a form was sent for; then the browser goes on, or sees what was wrong. */
async function answerForm(call: Call, next: Handler, servers: Servers): Promise<void> {
  const { koa, api } = call
  const own = takeOwn(koa)
  call.isAtomic = isOfMany(call)
  const taken: Sent = { form: null, session: null }
  await answerErrors(async () => {
    const form = await readSent(call)
    taken.form = form
    taken.session = await sessionOfForm(call, form)
    becomeRequest(call, form)
    await next(call)
  }, api)(call)
  const document = await readDocument(koa)
  if (koa.status < 300) {
    redirect(koa, call.isAtomic ? afterMany(call, taken) : nextOf(call, { own, document, form: taken.form }))
    return
  }
  if (document === null) return
  const { session, form } = taken
  await answerErrors(() => show(call, { document, session, own, sent: form, servers }), api)(call)
}

interface Carried {
  readonly own: URLSearchParams
  readonly document: PageRequest['document'] | null
  readonly form: URLSearchParams | null
}

/** To what was changed; from what is deleted, to the collection. The page that comes says what was done. */
function nextOf(call: Call, { own, document, form }: Carried): string {
  const { api, operation, koa } = call
  const collection = `${api.server.basePath}/${operation?.schema.type}`
  const one = (id: string) => `${collection}/${encodeURIComponent(id)}`
  const back = backTo(api.server, own.get(backMark))
  const saying = (path: string, did: string) => withOwn(path, new URLSearchParams({ [didMark]: did }))
  switch (operation?.kind) {
    case 'create':
      return afterCreation(call, own, { collection, created: (document?.data ?? null) as Identifier | null })
    case 'action':
      return saying(operation.id === null ? collection : one(operation.id), `action ${operation.action.name}`)
    case 'delete':
      return saying(collection, `delete ${operation.id}`)
    case 'update':
      return saying(back ?? koa.path, own.get(didMark) === 'restore' ? 'restore' : 'save')
    case 'attach':
      return saying(back ?? koa.path, `attach ${operation.relation.name}`)
    case 'detach':
      return saying(back ?? koa.path, `detach ${operation.relation.name} ${onlyId(form) ?? ''}`.trim())
    default:
      return saying(back ?? koa.path, 'save')
  }
}

/** The one resource that a form took out of a relationship; null for several. */
function onlyId(form: URLSearchParams | null): string | null {
  const ids = [...(form ?? [])].flatMap(([name, text]) => (name.endsWith(':/data') ? idsIn(text) : []))
  return ids.length === 1 ? (ids[0] ?? null) : null
}

/** Back to where the reader came from, with the name of what was created; else to what was created. */
function afterCreation(
  { api }: Call,
  own: URLSearchParams,
  { collection, created }: { readonly collection: string; readonly created: Identifier | null },
): string {
  const back = backTo(api.server, own.get(backMark))
  if (back !== null && created)
    return withOwn(back, new URLSearchParams({ [createdMark]: `${created.type}/${created.id}` }))
  const made = created ? `${collection}/${encodeURIComponent(created.id)}` : collection
  return back ?? withOwn(made, new URLSearchParams({ [didMark]: 'create' }))
}

/** Back to the collection, which says to who is signed in how many rows were changed. */
function afterMany({ api: { server } }: Call, { form, session }: Sent): string {
  const back = backTo(server, form?.get(backMark) ?? null) ?? server.basePath
  if (session === null || form === null) return back
  const done = doneToken(server, sealOf(session), form.get(manyMark) ?? '', form.getAll(rowMark).length)
  return withOwn(back, new URLSearchParams({ [doneMark]: done }))
}

interface Answered {
  readonly document: PageRequest['document']
  readonly session: string | null
  /** What the page itself was asked for. */
  readonly own: URLSearchParams
  readonly sent: URLSearchParams | null
  readonly servers: Servers
}

async function show(call: Call, { document, session, own, sent, servers }: Answered): Promise<void> {
  const { koa, api, operation, hasStream } = call
  const { path, search, status } = koa
  const etag = koa.response.get('ETag') || null
  // Only a page of ours says that something was done: nobody else leads a reader to a message.
  if (koa.req.headers['sec-fetch-site'] !== 'same-origin') own.delete(didMark)
  for (const name of ['ETag', 'Content-Length', 'Transfer-Encoding']) koa.remove(name)
  const user = await userFor(call)
  const caller = status === 401 || user === undefined ? null : await callerOf(call, user)
  const isRefused = sent !== null && (status === 401 || status === 403)
  const browsed: PageRequest = {
    ...{ server: api.server, servers, path, search, own, sent, status, document, etag, caller, operation, hasStream },
    hasSignIn: api.signIn !== null,
    signsIn: isRefused && api.signIn === null && user === null && tellsWhereFrom(koa),
    isCompact: isCompact(koa),
    kept: keptOf(koa),
    parts: partsOf(api),
    seal: session === null ? null : sealOf(session),
  }
  const language = languageFor(call)
  await respondHtml(koa, status, withShortLinks(browsed, await page(browsed, user, language)))
}

/** What was answered; null where that is no document, or was sent already. */
async function readDocument(ctx: Context): Promise<PageRequest['document'] | null> {
  if (ctx.res.headersSent || ctx.respond === false) return null
  const text = await readAnswer(ctx)
  return text === null ? null : JSON.parse(text)
}
