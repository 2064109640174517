import type { Identifier, Link, Relationship } from '../document/types.ts'
import type { CompiledServer } from '../server/compile.ts'
import { type Content, html } from './html.ts'
import { anchor, foreign, hrefOf, isWebAddress } from './links.ts'

const shortLength = 120

/** The value of an attribute; `isShort` cuts what would make a row of a table high. */
export function shownValue(value: unknown, { isShort = false } = {}): Content {
  if (value === null || value === undefined) return html`<span class="none">null</span>`
  if (typeof value === 'string' && isWebAddress(value)) return foreign(value)
  if (typeof value === 'object') return html`<code>${cut(JSON.stringify(value), isShort)}</code>`
  if (typeof value === 'string') return html`<span class="text">${cut(value, isShort)}</span>`
  return html`<code>${String(value)}</code>`
}

// What is left of a character of two code units.
const halfCharacter = /[\ud800-\udbff]$/

const cut = (text: string, isShort: boolean): string =>
  isShort && text.length > shortLength ? `${text.slice(0, shortLength).replace(halfCharacter, '')}…` : text

/** A resource by its type and id. */
export const identified = ({ basePath }: Pick<CompiledServer, 'basePath'>, { type, id }: Identifier): Content =>
  anchor(`${basePath}/${type}/${encodeURIComponent(id)}`, `${type} ${id}`)

const shownIdentifiers = 10

/** Where a relationship leads, and what it holds as far as the document tells. */
export function shownRelationship(server: CompiledServer, { links = {}, data, meta }: Relationship): Content {
  const related = linked(server, links.related, 'show')
  const self = linked(server, links.self, 'linkage')
  const identifiers = data === undefined ? null : Array.isArray(data) ? data : data === null ? [] : [data as Identifier]
  const more = (identifiers?.length ?? 0) - shownIdentifiers
  return [
    identifiers?.length === 0 ? html`<span class="none">none</span> ` : null,
    identifiers?.slice(0, shownIdentifiers).map((each) => html`${identified(server, each)} `),
    more > 0 && html`and ${more} more `,
    typeof meta?.count === 'number' && html`<span class="none">${meta.count} in all</span> `,
    html`<span class="more">${related} ${self}</span>`,
  ]
}

function linked(server: CompiledServer, link: Link | null | undefined, text: string): Content {
  const href = hrefOf(server, link)
  return href === null ? null : anchor(href, text)
}
