import type { CompiledServer } from '@prismapi/core/server/compile'
import type { Language } from '@prismapi/jsonapi/document/text'
import { openApiOptionsOf } from '@prismapi/openapi/compile-openapi'
import { pagesOf } from '../compile-pages.ts'
import { browsePath } from '../data/page-request.ts'
import { type Content, html } from '../html/html.ts'
import { script, signing as signingWords, frame as words } from '../texts/reading.ts'
import type { Words } from '../texts/words.ts'
import { assetHref, ownStyleHref } from './assets.ts'

export interface Page {
  readonly server: CompiledServer
  readonly title: Words
  /** The way here, above the title. */
  readonly above?: Content
  /** What is told, or can be done, beside the title. */
  readonly beside?: Content
  readonly content: Content
  /** Who is asking; null for a guest, undefined where that cannot be found out. */
  readonly user: unknown
  /** What proves that a write comes from this page; null for who is not signed in by it. */
  readonly seal: string | null
  /** Where to come back to after signing in. */
  readonly back: string
  /** Where the reference is; null where there is none. */
  readonly docs: string | null
  /** Do tables stand closer. */
  readonly isCompact?: boolean
  /** Why signing in did not work. */
  readonly refusal?: Words
}

/** A whole page, in the language of its reader. */
export const layout = (language: Language, page: Page): string =>
  html`<!doctype html>
<html lang="${language.tag}"${page.isCompact && html` data-density="compact"`}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · ${titleOf(page.server)}</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="${assetHref(page.server, 'browse.css')}"><link rel="stylesheet" href="${assetHref(page.server, 'icons.css')}">${ownSheet(page.server)}
<script src="${assetHref(page.server, 'browse.js')}"></script></head>
<body${page.seal && html` data-seal="${page.seal}"`}${scriptTexts(language)}>
<a class="skip" href="#content">${words.skip}</a>
<header><a class="home" href="${page.server.basePath}">${logo(page.server)}${titleOf(page.server)} <small>${page.server.name}</small></a>
<nav aria-label="${words.tools}">${page.docs && html`<a href="${page.docs}">${words.reference}</a> `}<a href="${page.server.basePath}/openapi.json">OpenAPI</a> <button type="button" data-theme-toggle hidden>${words.theme}</button></nav>
${signing(page)}</header>
<main id="content" tabindex="-1">${page.above}<div class="head"><h1>${page.title}</h1>${page.beside}</div>
<noscript><p class="note">${words.scriptless}</p></noscript>
${page.content}</main></body></html>`.textIn(language)

/** What the scripts of a page say in another language, by the English text. */
export function scriptTexts(language: Language): Content {
  const texts = script.map(({ template }) => [template, language.textFor(template)] as const)
  const others = texts.filter(([text, api]) => api !== text)
  return others.length > 0 && html` data-texts="${JSON.stringify(Object.fromEntries(others))}"`
}

const titleOf = (server: CompiledServer): string =>
  pagesOf(server).look.name ?? openApiOptionsOf(server).title ?? server.name

function logo(server: CompiledServer): Content {
  const { logo: src } = pagesOf(server).look
  return src && html`<img src="${src}" alt="">`
}

function ownSheet(server: CompiledServer): Content {
  const href = ownStyleHref(server)
  return href && html`<link rel="stylesheet" href="${href}">`
}

/** Who is asking, as far as that is known, and the way to ask as another user. */
function signing({ server, user, seal, back, refusal }: Page): Content {
  if (user === undefined && seal === null) return null
  const base = `${server.basePath}${browsePath}`
  const hidden = html`<input type="hidden" name="back" value="${back}">`
  const who =
    user !== undefined &&
    html`<span class="who">${user === null ? signingWords.guest : signingWords.user(nameOf(user))}</span>`
  if (seal !== null)
    return html`<form class="sign" method="post" action="${base}/sign-out">${who} ${hidden}<button>${signingWords.leave}</button></form>`
  return html`<details class="sign"${refusal !== undefined && html` open`}><summary>${who} ${signingWords.title}</summary>
<form method="post" action="${base}/sign-in">${hidden}<label for="token">${signingWords.token}</label>
<input id="token" name="token" type="password" required autocomplete="off" aria-describedby="token-error"${refusal !== undefined && html` aria-invalid="true"`}>
<p class="error" id="token-error"${refusal === undefined && html` hidden`}>${refusal}</p><button>${signingWords.title}</button></form></details>`
}

/** What a user is called: which members it has is the application's affair. */
function nameOf(user: unknown): Words {
  if (typeof user !== 'object' || user === null) return String(user)
  const members = user as Readonly<Record<string, unknown>>
  const name = [members.name, members.email, members.id].find((each) => each !== undefined && each !== null)
  const role = typeof members.role === 'string' ? ` (${members.role})` : ''
  return name === undefined ? signingWords.unnamed : `${name}${role}`
}
