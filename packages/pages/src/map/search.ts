import type { ResourceObject } from '@prismapi/jsonapi/document/types'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { firstPage, purse } from '../data/count-listed.ts'
import { pageDataFrom } from '../data/page-data.ts'
import { type Caller, type ShownDocument, searchPath } from '../data/page-request.ts'
import { searchUrl } from '../data/picker.ts'
import type { Showing } from '../data/showing.ts'
import { type Content, html } from '../html/html.ts'
import { named } from '../resource/relationships.ts'
import { search as words } from '../texts/asking.ts'
import { joined, titleOf, type Words, wordsIn } from '../texts/words.ts'
import { listedTypes } from './counts.ts'
import { listPriced } from './listed.ts'
import { mostPoints } from './most-points.ts'

const shownOfType = 5
const longestText = 200

/**
 * What is found by a text in everything that the caller may list: types by their names, and the first resources of each
 * type by their labels. All questions together cost no more than those of the start page; a type that costs too much is
 * named, with a link.
 */
export async function searchEverything(caller: Caller, typed: string): Promise<Content> {
  const text = typed.trim().slice(0, longestText)
  const form = html`<form class="search tools" method="get" action="${caller.api.basePath}${searchPath}"><input type="search" name="q" value="${text}" aria-label="${words.everything}" autofocus> <button class="main">${words.go}</button></form>`
  if (text === '') return form
  await caller.ctx.store.tableSizes.first()
  const pays = purse(Math.min(mostPoints, caller.ctx.limits.cost))
  const found: (readonly [ResourceSchema, ShownDocument])[] = []
  const left: ResourceSchema[] = []
  // One after the other: a page takes one connection.
  for (const schema of listedTypes(caller.api)) {
    const url = searchUrl(caller.api, schema)
    const page = firstPage(schema, shownOfType)
    if (!url) continue
    const query = {
      ...Object.fromEntries(new URLSearchParams(`${url.split('?')[1]}${encodeURIComponent(text)}`)),
      include: '',
      ...page,
    }
    const document = await listPriced(caller, { schema, query }, pays)
    if (!document) left.push(schema)
    else if (Array.isArray(document.data) && document.data.length > 0) found.push([schema, document])
  }
  const showing: Showing = {
    server: caller.ctx.server,
    api: caller.api,
    beside: pageDataFrom(found.map(([, each]) => each)),
  }
  const nothing = found.length === 0
  return [
    form,
    typesNamed(caller, text),
    found.map(([schema, document]) => results(caller, showing, { schema, document, text })),
    nothing && html`<p class="empty">${words.nothing(text)}</p>`,
    left.length > 0 &&
      html`<p class="soft">${words.left(
        joined(
          left.map(({ type }) => titleOf(type)),
          ', ',
        ),
      )}</p>`,
  ]
}

function typesNamed({ api }: Caller, text: string): Content {
  const wanted = text.toLowerCase()
  return (language) => {
    const named = listedTypes(api).filter(({ type }) => wordsIn(language, titleOf(type)).toLowerCase().includes(wanted))
    return (
      named.length > 0 &&
      html`<section class="panel"><h2>${words.types}</h2><ul class="plain links">${named.map(({ type }) => html`<li><a href="${api.basePath}/${type}">${titleOf(type)}</a></li>`)}</ul></section>`
    )
  }
}

interface Found {
  readonly schema: ResourceSchema
  readonly document: ShownDocument
  readonly text: string
}

function results({ api }: Caller, showing: Showing, { schema, document, text }: Found): Content {
  const resources = (document.data as readonly ResourceObject[]).slice(0, shownOfType)
  const all: Words = words.all
  const url = searchUrl(api, schema)?.replace(/fields\[[^&]*&/, '')
  return html`<section class="panel"><h2>${titleOf(schema.type)}</h2><ul class="plain links">${resources.map((each) => html`<li>${named(showing, each)}</li>`)}</ul>
${resources.length === shownOfType && url && html`<p><a href="${url}${encodeURIComponent(text)}">${all}</a></p>`}</section>`
}
