import type { CompiledServer } from '@prismapi/core/server/compile'
import type { Identifier, Link, Relationship } from '@prismapi/jsonapi/document/types'
import { labelIn, type Showing, typeAndId } from '../data/showing.ts'
import { type Content, type Html, html } from '../html/html.ts'
import { anchor, hrefOf, resourceHref } from '../html/links.ts'
import { nothing, type Room } from '../html/values.ts'
import { values as words } from '../texts/reading.ts'
import { capital } from '../texts/words.ts'

/** A resource by what it is called, linked. */
export const named = (showing: Showing, identifier: Identifier): Html =>
  html`<a href="${resourceHref(showing.server, identifier)}">${labelIn(showing, identifier) ?? capital(typeAndId(showing, identifier))}</a>`

const shownIdentifiers = 10

/** What a relationship holds, as far as that was told, and the way to all of it. Of several, a cell has the number. */
export function relationshipHtml(
  showing: Showing,
  { links = {}, data, meta }: Relationship,
  { isCell = false }: Room = {},
): Content {
  const related = linkTo(showing.server, links.related)
  const count = typeof meta?.count === 'number' ? meta.count : null
  if (data === undefined) return related(count !== null ? String(count) : isCell ? uncounted : words.open)
  if (data === null) return nothing
  if (!Array.isArray(data)) return named(showing, data as Identifier)
  const identifiers: readonly Identifier[] = data
  const all = Math.max(count ?? 0, identifiers.length)
  const isCut = count === null && (meta?.page as { readonly hasMore?: boolean } | undefined)?.hasMore === true
  if (isCell) return related(isCut ? `${all}+` : String(all))
  const shown = identifiers.slice(0, shownIdentifiers)
  const more = isCut ? words.andMore : all > shown.length ? words.more(all - shown.length) : null
  return [
    shown.length === 0 ? nothing : shown.map((each, i) => [i > 0 && ', ', named(showing, each)]),
    more !== null && [' ', related(more)],
    more === null && html` <span class="aside">${related(words.all)}</span>`,
  ]
}

const uncounted = html`<span aria-hidden="true">…</span><span class="hidden">${words.open}</span>`

const linkTo =
  (server: CompiledServer, link: Link | null | undefined) =>
  (content: Content): Content =>
    anchor(hrefOf(server, link), content)
