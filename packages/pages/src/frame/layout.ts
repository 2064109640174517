import type { CompiledServer } from '@prismapi/core/server/compile'
import type { Language } from '@prismapi/jsonapi/document/text'
import { pagesOf, titleOf } from '../compile-pages.ts'
import { searchPath, type VisibleApi } from '../data/page-request.ts'
import { type Content, type Html, html } from '../html/html.ts'
import { script, frame as words } from '../texts/reading.ts'
import type { Words } from '../texts/words.ts'
import { assetHref, iconHref, ownStyleHref } from './assets.ts'
import { rail } from './rail.ts'
import { menus, type Reader } from './reader.ts'

/**
 * A page in its shell. Around a page are the bar (the way here, the search, the menu of its reader) and
 * the rail with all types. A page gives what is inside: a title, what can be done beside it, and its content.
 *
 * Inside of `content` these classes are styled: `card` (a box), `panel` (a box with a title), `columns` (content beside
 * a narrow column), `tabs` (a row of links, `aria-current` marks one), `tools` (a row of controls), `button` (a link
 * that looks like one; `main` and `bad` colour it), `mark` (a pill), `chip` (a pill with a way out), `menu`
 * (`<details>` that opens a `sheet`), `note` and `done` (messages), `soft` (said quietly).
 */
export interface Page {
  readonly server: CompiledServer
  readonly title: Words
  /** The way here from home, without the page itself: links, the outermost first. */
  readonly way?: readonly Content[]
  /** What is told, or can be done, beside the title. */
  readonly beside?: Content
  readonly content: Content
  /** What only developers want to know, in a drawer. */
  readonly developer?: Content
  readonly reader: Reader
  /** What its reader may know of the server, for the rail; null where that cannot be found out. */
  readonly api: VisibleApi | null
  /** The type that the rail marks; none at home, which has no way to it: `''`. */
  readonly type?: string | null
}

/** A whole page, in the language of its reader. */
export const layout = (language: Language, page: Page): string => {
  const { server, title, way = [], beside, content, developer, reader, api, type = null } = page
  const { seal, isCompact } = reader
  const { isBrowsable, look } = pagesOf(server)
  return html`<!doctype html>
<html lang="${language.tag}"${isCompact && html` data-density="compact"`}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${titleOf(server)}</title>
${headOf(server)}
<script src="${assetHref(server, 'browse.js')}"></script></head>
<body${seal && html` data-seal="${seal}"`}${api && html` data-base="${server.basePath}"`}${scriptTexts(language)}>
<a class="skip" href="#content">${words.skip}</a>
<header>${api && html`<button type="button" class="icon to-rail" popovertarget="rail" aria-label="${words.types}"></button>`}<a class="home"${isBrowsable && html` href="${server.basePath}"`}>${logo(server)}<span>${titleOf(server)}</span></a>
${isBrowsable && type !== '' && html`<nav class="crumbs" aria-label="${words.way}"><a href="${server.basePath}">${words.home}</a>${way.map((each) => [html`<span aria-hidden="true">/</span>`, each])}</nav>`}
${api && everywhere(server)}${developer && html`<button type="button" class="icon to-code" popovertarget="developer" aria-label="${words.developers}" title="${words.developers}"></button>`}${isBrowsable && menus(server, reader)}</header>
${api && rail(api, { type, look })}
<main id="content" tabindex="-1"><div class="head"><h1>${title}</h1>${beside}</div>
<noscript><p class="note">${words.scriptless}</p></noscript>
${content}</main>${developer}${keyHelp}</body></html>`.textIn(language)
}

const headOf = (server: CompiledServer): Content =>
  html`<link rel="icon" href="${iconHref(server)}"><link rel="stylesheet" href="${assetHref(server, 'browse.css')}"><link rel="stylesheet" href="${assetHref(server, 'icons.css')}">${ownSheet(server)}`

/** What the scripts of a page say in another language, by the English text. */
function scriptTexts(language: Language): Content {
  const texts = script.map(({ template }) => [template, language.textFor(template)] as const)
  const others = texts.filter(([text, api]) => api !== text)
  return others.length > 0 && html` data-texts="${JSON.stringify(Object.fromEntries(others))}"`
}

/** The logo of the application, or the first letter of its name. */
function logo(server: CompiledServer): Content {
  const { logo: src } = pagesOf(server).look
  return html`<img src="${src ?? iconHref(server)}" alt="">`
}

function ownSheet(server: CompiledServer): Content {
  const href = ownStyleHref(server)
  return href && html`<link rel="stylesheet" href="${href}">`
}

/** The search over everything: a form on a desk, a link to its page on a phone. */
const everywhere = ({ basePath }: CompiledServer): Content =>
  html`<form class="everywhere" method="get" action="${basePath}${searchPath}" role="search" aria-label="${words.searchAll}"><input type="search" name="q" placeholder="${words.searchAll}" aria-label="${words.searchAll}" aria-keyshortcuts="/ Control+K Meta+K" autocomplete="off"><kbd>/</kbd></form>
<a class="icon to-search" href="${basePath}${searchPath}" aria-label="${words.searchAll}"></a>`

/** What keys do: `?` and the menu open it. */
const keyHelp: Html = html`<div class="panel key-help" id="keys" popover><h2>${words.keys.title}</h2><dl>${words.keys.all.map(
  ([key, does]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`,
)}</dl></div>`
