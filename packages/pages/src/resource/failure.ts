import type { ErrorObject } from '@prismapi/jsonapi/document/types'
import { hasLabel } from '../data/page-data.ts'
import type { PageRequest } from '../data/page-request.ts'
import { searchUrl } from '../data/picker.ts'
import { nameOf } from '../frame/reader.ts'
import { type Content, type Html, html } from '../html/html.ts'
import { failures as words } from '../texts/reading.ts'
import { titleOf } from '../texts/words.ts'

/** The errors of a document; each says what it is about, if that is a part of the request. */
export const errorList = (errors: readonly ErrorObject[]): Html =>
  html`<div role="alert"><ul class="errors">${errors.map(
    ({ title, detail, source = {}, code }) =>
      html`<li><strong>${title}</strong>${detail && html`: ${detail}`}${Object.entries(source).map(
        ([kind, value]) => html` <code>${kind} ${value}</code>`,
      )}${code && html` <code>${code}</code>`}</li>`,
  )}</ul></div>`

interface Failed {
  readonly errors: readonly ErrorObject[]
  /** Who asks; null for a guest, undefined where that is unknown. */
  readonly user: unknown
}

/** What went wrong, who asked for it, and a way on. */
export function failure(browsed: PageRequest, { errors, user }: Failed): Content {
  const { status, server } = browsed
  const home = html`<a class="button" href="${server.basePath}">${words.home}</a>`
  return [
    status === 404 ? html`<p role="alert">${words.nothingHere}</p>` : errorList(errors),
    (status === 401 || status === 403) && whoAsks(user),
    status === 404 && search(browsed),
    html`<p class="asks">${home}${toCollection(browsed)}</p>`,
  ]
}

/** Who is refused, and how to ask as somebody else. */
const whoAsks = (user: unknown): Content => {
  if (user === undefined) return null
  return html`<p class="who-asks">${user === null ? words.asGuest : words.asUser(nameOf(user))}</p>`
}

/** The type that the URL is about, where its reader may list it. */
function listedType({ caller, path, server }: PageRequest) {
  const [first = ''] = path.slice(server.basePath.length + 1).split('/')
  const schema = caller?.api.schemas.byType.get(first)
  return schema && caller?.api.audience.has(`${schema.type}.viewAny`) ? schema : null
}

function toCollection(browsed: PageRequest): Content {
  const schema = listedType(browsed)
  const href = schema && `${browsed.server.basePath}/${schema.type}`
  return (
    schema && href !== browsed.path && html` <a class="button" href="${href}">${words.all(titleOf(schema.type))}</a>`
  )
}

/** A search among the resources of the type, by what they are called. */
function search(browsed: PageRequest): Content {
  const { caller, server } = browsed
  const schema = listedType(browsed)
  if (!caller || !schema || !hasLabel(schema)) return null
  const name = /&(filter\[[^&]+\])=$/.exec(searchUrl(caller.api, schema) ?? '')?.[1]
  if (name === undefined) return null
  const title = words.searchIn(titleOf(schema.type))
  return html`<form class="asks" method="get" role="search" action="${server.basePath}/${schema.type}"><input type="search" name="${name}" aria-label="${title}" placeholder="${title}"> <button>${words.search}</button></form>`
}
