import type { CompiledServer } from '@prismapi/core/server/compile'
import { docsHref } from '../compile-pages.ts'
import { browsePath, densityPath } from '../data/page-request.ts'
import { type Content, type Html, hidden, html } from '../html/html.ts'
import { density as densityWords } from '../texts/asking.ts'
import { frame as frameWords, signing as words } from '../texts/reading.ts'
import type { Words } from '../texts/words.ts'

interface Link {
  readonly title: Words
  readonly href: string
}

/** Who reads a page, and how. */
export interface Reader {
  /** Who is asking; null for a guest, undefined where that cannot be found out. */
  readonly user: unknown
  /** What proves that a write comes from this page; null for who is not signed in by it. */
  readonly seal: string | null
  /** Where to come back to after signing in. */
  readonly back: string
  /** The servers with pages, this one among them. */
  readonly servers: readonly CompiledServer[]
  /** Do tables stand closer. */
  readonly isCompact?: boolean
  /** Does the application declare how people sign in; if not, they paste a token. */
  readonly hasSignIn?: boolean
  /** Pages of features. */
  readonly links?: readonly Link[]
  /** Why signing in did not work. */
  readonly refusal?: Words
}

/** Signing in, for guests; and a menu: how pages look, the reference, other servers, signing out. */
export function menus(server: CompiledServer, reader: Reader): Content {
  const { user, seal, back, isCompact, hasSignIn = false, links = [] } = reader
  const isGuest = user === null && seal === null
  const name = user === undefined ? frameWords.menu : user === null ? null : nameOf(user)
  return html`${isGuest && (hasSignIn ? signInLink(server, reader) : signIn(server, reader))}<details class="menu me"><summary>${
    name === null || user === undefined
      ? html`<span class="icon more"></span><span class="hidden">${frameWords.menu}</span>`
      : html`<span class="avatar" data-letter="${initialOf(name)}"></span><span class="who">${name}</span>`
  }</summary><div class="sheet">${user !== undefined && html`<p class="soft">${user === null ? words.guest : words.user(fullName(user))}</p>`}
<button type="button" data-theme-toggle hidden>${frameWords.theme}</button>
<button type="button" popovertarget="keys">${frameWords.keys.title}</button>
<form method="post" action="${server.basePath}${densityPath}">${hidden('back', back)}<button name="density" value="${isCompact ? 'comfortable' : 'compact'}">${isCompact ? densityWords.comfortable : densityWords.compact}</button></form>
${reference(server)}${others(server, reader)}${links.map(({ title, href }) => html`<a href="${href}">${title}</a>`)}${(seal !== null || (hasSignIn && user != null)) && html`<form class="sign" method="post" action="${server.basePath}${browsePath}/sign-out">${hidden('back', back)}<button>${words.leave}</button>${hasSignIn && html` <button name="everywhere" value="yes">${words.leaveAll}</button>`}</form>`}</div></details>`
}

/** The servers that have pages, where there are several. */
const others = (server: CompiledServer, { servers }: Reader): Content =>
  servers.length > 1 &&
  html`<nav class="servers" aria-label="${frameWords.servers}"><p class="soft">${frameWords.servers}</p>${servers.map(
    ({ name, basePath }) =>
      html`<a href="${basePath}"${name === server.name && html` aria-current="true"`}>${name}</a>`,
  )}</nav>`

function reference(server: CompiledServer): Content {
  const href = docsHref(server)
  return href && html`<a href="${href}">${frameWords.reference}</a>`
}

function signInLink({ basePath }: CompiledServer, { back }: Reader): Html {
  const query = String(new URLSearchParams({ back }))
  return html`<a class="button main" href="${basePath}${browsePath}/sign-in?${query}">${words.title}</a>`
}

function signIn(server: CompiledServer, { back, refusal }: Reader): Html {
  return html`<details class="menu sign"${refusal !== undefined && html` open`}><summary class="button main">${words.title}</summary>
<form class="sheet" method="post" action="${server.basePath}${browsePath}/sign-in">${hidden('back', back)}<label for="token">${words.token}</label>
<input id="token" name="token" type="password" required autocomplete="off" aria-describedby="token-error"${refusal !== undefined && html` aria-invalid="true"`}>
<p class="error" id="token-error"${refusal === undefined && html` hidden`}>${refusal}</p><button class="main">${words.title}</button></form></details>`
}

type Members = Readonly<Record<string, unknown>>

/** What a user is called: which members it has is the application's affair. */
export function nameOf(user: unknown): string | typeof words.unnamed {
  if (typeof user !== 'object' || user === null) return String(user)
  const { name, email, id } = user as Members
  const found = [name, email, id].find((each) => each !== undefined && each !== null)
  return found === undefined ? words.unnamed : String(found)
}

/** The same, with the role. */
function fullName(user: unknown): Words {
  const name = nameOf(user)
  const { role } = (typeof user === 'object' ? user : {}) as Members
  return typeof role === 'string' && name !== words.unnamed ? `${name as string} (${role})` : name
}

const initialOf = (name: Words): string => (typeof name === 'string' ? [...name.trim()][0]?.toUpperCase() : null) ?? '·'
