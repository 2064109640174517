import type { PreviewKind } from '@prismapi/jsonapi/schema/previews'
import type { Attribute } from '@prismapi/jsonapi/schema/resource-schema'
import { values as words } from '../texts/reading.ts'
import { type Content, type Html, html } from './html.ts'
import { isImageHere, isMailAddress, isPathHere, isWebAddress } from './links.ts'
import { markdown } from './markdown.ts'

/** More than a cell of a table shows of one line. */
const cellLength = 60
const linkLength = 60
const foldedLength = 40
/** Of Json that is opened inside of a table. */
const openedLength = 2000

/** How much of a value there is room for: a cell of a table, or as much as it takes. */
export interface Room {
  readonly isCell?: boolean
  /** What the schema class says of it. */
  readonly preview?: PreviewKind | null
}

/** What stands where there is no value. */
export const nothing: Html = html`<span class="none" title="${words.none}">–</span>`

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** The value of an attribute, by its kind where that is known. */
export function valueHtml(value: unknown, attribute: Attribute | null = null, room: Room = {}): Content {
  if (value === null || value === undefined || value === '') return nothing
  if (room.preview) return previewHtml(room.preview, value)
  if (Array.isArray(value) && attribute?.isList && value.length > 0)
    return value.map((each) => html`<span class="mark">${String(each)}</span> `)
  if (typeof value === 'object') return shownJson(value, room)
  if (typeof value === 'boolean')
    return html`<span class="mark ${value ? 'yes' : 'no'}">${value ? words.yes : words.no}</span>`
  if (typeof value === 'number') return String(value)
  return shownText(String(value), attribute, room)
}

function shownText(text: string, attribute: Attribute | null, { isCell = false, preview }: Room): Content {
  if (attribute?.values) return html`<span class="mark">${text}</span>`
  if (instant.test(text)) return preview === undefined ? shownInstant(text) : zonedInstant(text)
  if (isWebAddress(text)) return foreign(text, isCell)
  if (isImageHere(text)) return html`<img src="${text}" alt="" loading="lazy">`
  if (isMailAddress(text)) return html`<a href="mailto:${text}">${text}</a>`
  if (!isCell) return html`<span class="text">${text}</span>`
  return cut(text, cellLength)
}

/** An instant of UTC, which the pages' script writes in the reader's zone. */
const shownInstant = (text: string): Html =>
  html`<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 16)}</time>`

/** The same where there is room for the zone. */
const zonedInstant = (text: string): Html =>
  html`<time datetime="${text}" data-zoned>${text.slice(0, 10)} ${text.slice(11, 16)} ${words.utc}</time>`

/** A value as the schema class wants it shown; a URL that is none stays text. */
function previewHtml(kind: PreviewKind, value: unknown): Content {
  if (kind === 'json') return folded(typeof value === 'string' ? (jsonIn(value) ?? value) : value)
  const text = String(value)
  if (kind === 'markdown') return html`<div class="markdown">${markdown(text)}</div>`
  if (!isWebAddress(text) && !isPathHere(text)) return html`<span class="text">${text}</span>`
  const name =
    decoded(
      text
        .replace(/[?#].*$/, '')
        .split('/')
        .pop() ?? '',
    ) || text
  const link = html`<a class="file" href="${text}" rel="noreferrer noopener">${name}</a>`
  // From nowhere else does the policy of the pages let an image be loaded.
  return kind === 'image' && isPathHere(text)
    ? html`<a class="picture" href="${text}"><img src="${text}" alt="${name}" loading="lazy"></a>`
    : link
}

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Json that is opened by who wants to see it. */
const folded = (value: unknown): Html =>
  html`<details class="json"><summary><code>${cut(JSON.stringify(value), foldedLength)}</code></summary><pre>${JSON.stringify(value, null, 2)}</pre></details>`

/** Json: as it is where it is short, else folded. */
function shownJson(value: object, { isCell = false }: Room): Content {
  const text = JSON.stringify(value)
  if (text.length <= foldedLength) return html`<code>${text}</code>`
  const whole = JSON.stringify(value, null, 2)
  return html`<details class="json"><summary><code>${cut(text, foldedLength)}</code></summary><pre>${isCell ? cut(whole, openedLength) : whole}</pre></details>`
}

/** A link that leads to somewhere else. */
const foreign = (href: string, isCell: boolean): Html =>
  html`<a href="${href}" rel="noreferrer noopener">${isCell ? cut(href.replace(/^https?:\/\//, ''), linkLength) : href}</a>`

const numeric: ReadonlySet<string> = new Set(['integer', 'bigint', 'float', 'decimal'])

/** Do values of the attribute stand at the right of their column. */
export const isNumeric = (attribute: Attribute | null): boolean =>
  attribute !== null && !attribute.isList && !attribute.isConverted && numeric.has(attribute.kind)

// What is left of a character of two code units.
const halfCharacter = /[\ud800-\udbff]$/

/** A text that is no longer than that, with a mark where it was cut. */
export const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).replace(halfCharacter, '')}…` : text
