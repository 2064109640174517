import { knownUser } from '@prismapi/core/http/authentication'
import type { Call } from '@prismapi/core/http/call'
import type { Handler, HttpStage } from '@prismapi/core/http/plugin'
import { refusalIn } from '@prismapi/core/http/response/error-boundary'
import { answerMethods } from '@prismapi/core/http/routing'
import type { SignIn, SignInProvider } from '@prismapi/core/http/sign-in'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { pagesOf } from '../compile-pages.ts'
import { backTo, browsePath } from '../data/page-request.ts'
import { layout } from '../frame/layout.ts'
import { type Content, html } from '../html/html.ts'
import { signing as words } from '../texts/reading.ts'
import { errorTold, type Words } from '../texts/words.ts'
import { refuseOthers } from './browser-session.ts'
import { languageFor, redirect, respondHtml } from './html.ts'
import { readForm } from './read-form.ts'

const signInPath = `${browsePath}/sign-in`
const signOutPath = `${browsePath}/sign-out`

/**
 * Signing in and out by what the application declares: a form for a password, links to providers. Where it declares
 * nothing, a token is pasted, which is for the stages after this one.
 */
export const declaredSignIn: HttpStage = (next, { server, signIn }) => {
  if (signIn === null || !pagesOf(server).isBrowsable) return next
  const providers = signIn.providers ?? []
  const handlers = new Map<string, Handler>([
    [signInPath, (call) => answerSignIn(call, signIn)],
    [signOutPath, (call) => signOut(call, signIn)],
    ...providers.flatMap((provider): readonly (readonly [string, Handler])[] => [
      [placeOf(provider), (call) => begin(call, signIn, provider)],
      [`${placeOf(provider)}/callback`, (call) => finish(call, signIn, provider)],
    ]),
  ])
  return (call) => (handlers.get(call.path ?? '') ?? next)(call)
}

const placeOf = ({ name }: SignInProvider): string => `${signInPath}/${name}`

const backOf = ({ api: { server } }: Call, parameters: URLSearchParams): string =>
  backTo(server, parameters.get('back')) ?? server.basePath

async function answerSignIn(call: Call, signIn: SignIn): Promise<void> {
  const { koa, api } = call
  if (answerMethods(koa, ['GET', 'HEAD', 'POST'])) return
  if (koa.method === 'POST') return signInByPassword(call, signIn)
  const back = backOf(call, new URLSearchParams(koa.search))
  const [only, ...others] = signIn.providers ?? []
  const user = await knownUser(call).catch(() => undefined)
  if (only && others.length === 0 && !signIn.password && user === null)
    return redirect(koa, `${api.server.basePath}${placeOf(only)}?${new URLSearchParams({ back })}`)
  await showForm(call, signIn, { back, user })
}

async function signInByPassword(call: Call, signIn: SignIn): Promise<void> {
  const { koa } = call
  refuseOthers(koa)
  const form = await readForm(call)
  const back = backOf(call, form)
  const login = form.get('login') ?? ''
  try {
    await signIn.password?.(koa, { login, password: form.get('password') ?? '' })
  } catch (error) {
    return showRefusal(call, signIn, { error, back, login })
  }
  redirect(koa, back)
}

/** Sends the browser to the provider. A link leads here: from these pages, browsers follow no form to another host. */
async function begin(call: Call, signIn: SignIn, provider: SignInProvider): Promise<void> {
  const { koa } = call
  if (answerMethods(koa)) return
  const back = backOf(call, new URLSearchParams(koa.search))
  try {
    const place = await provider.begin(koa, { callback: callbackOf(call, provider), back })
    koa.body = null
    koa.status = 303
    koa.set({ Location: place.href, 'Cache-Control': 'no-store' })
  } catch (error) {
    await showRefusal(call, signIn, { error, back })
  }
}

async function finish(call: Call, signIn: SignIn, provider: SignInProvider): Promise<void> {
  const { koa, api } = call
  if (answerMethods(koa)) return
  try {
    const back = await provider.finish(koa, { callback: callbackOf(call, provider) })
    redirect(koa, backTo(api.server, back) ?? api.server.basePath)
  } catch (error) {
    await showRefusal(call, signIn, { error, back: api.server.basePath })
  }
}

const callbackOf = ({ api: { server } }: Call, provider: SignInProvider): URL =>
  new URL(`${server.baseUrl}${placeOf(provider)}/callback`)

async function signOut(call: Call, signIn: SignIn): Promise<void> {
  const { koa, api } = call
  if (answerMethods(koa, ['POST'])) return
  refuseOthers(koa)
  const form = await readForm(call)
  const back = backOf(call, form)
  const everywhere = form.get('everywhere') !== null
  const place = await signIn.signOut(koa, { everywhere, back: new URL(api.server.baseUrl) })
  if (place === null) return redirect(koa, back)
  // A link again, which is followed by itself.
  koa.set('Refresh', `0; url=${place.href}`)
  const content = html`<p><a href="${place.href}">${words.leaveProvider}</a></p>`
  await respondHtml(koa, 200, signInPage(call, { title: words.leave, content, back }))
}

interface Refused {
  readonly error: unknown
  readonly back: string
  readonly login?: string
}

/**
 * The form again, which says why.
 *
 * @throws what is no refusal, such as a fault of the application
 */
async function showRefusal(call: Call, signIn: SignIn, { error, back, login }: Refused): Promise<void> {
  const isDown = error instanceof JsonApiError && error.status === 503
  const refusal = isDown ? error : refusalIn(error)
  if (refusal === null) throw error
  const { status, headers } = refusal
  if (headers['Retry-After']) call.koa.set('Retry-After', headers['Retry-After'])
  await showForm(call, signIn, { back, user: null, refusal: errorTold(refusal), status, login })
}

interface Shown {
  readonly back: string
  readonly user: unknown
  readonly refusal?: Words
  readonly status?: number
  readonly login?: string | undefined
}

async function showForm(
  call: Call,
  signIn: SignIn,
  { back, user, refusal, status = 200, login = '' }: Shown,
): Promise<void> {
  const { basePath } = call.api.server
  const hidden = html`<input type="hidden" name="back" value="${back}">`
  const told = refusal !== undefined && html`<p class="error" id="sign-in-error" role="alert">${refusal}</p>`
  const about = refusal !== undefined && html` aria-invalid="true" aria-describedby="sign-in-error"`
  const password =
    signIn.password &&
    html`<form method="post" action="${basePath}${signInPath}">${hidden}
<p><label for="login">${words.login}</label> <input id="login" name="login" autocomplete="username" autocapitalize="none" required value="${login}"${about}></p>
<p><label for="password">${words.password}</label> <input id="password" name="password" type="password" autocomplete="current-password" required${about}></p>
<p><button>${words.title}</button></p></form>`
  const query = String(new URLSearchParams({ back }))
  const links = (signIn.providers ?? []).map(
    (provider) =>
      html`<p><a class="button" href="${basePath}${placeOf(provider)}?${query}">${words.by(provider.label)}</a></p>`,
  )
  const out =
    user != null &&
    html`<form method="post" action="${basePath}${signOutPath}">${hidden}<p><button>${words.leave}</button> <button name="everywhere" value="yes">${words.leaveAll}</button></p></form>`
  const content = html`<section class="card">${told}${out}${password}${links}</section>`
  await respondHtml(call.koa, status, signInPage(call, { title: words.title, content, back, user }))
}

interface SignInPage {
  readonly title: Words
  readonly content: Content
  readonly back: string
  readonly user?: unknown
}

const signInPage = (call: Call, { title, content, back, user = null }: SignInPage): string =>
  layout(languageFor(call), {
    ...{ server: call.api.server, title, content, api: null },
    reader: { user, seal: null, back, servers: [], hasSignIn: true },
  })
