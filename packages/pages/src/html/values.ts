import type { Attribute } from '@prismapi/jsonapi/schema/resource-schema'
import { values as words } from '../texts/reading.ts'
import { type Content, type Html, html } from './html.ts'
import { isImageHere, isMailAddress, isWebAddress } from './links.ts'

/** More than a cell of a table shows of one line. */
const cellLength = 60
const linkLength = 60
const foldedLength = 40
/** Of Json that is opened inside of a table. */
const openedLength = 2000

/** How much of a value there is room for: a cell of a table, or as much as it takes. */
export interface Room {
  readonly isCell?: boolean
}

/** What stands where there is no value. */
export const nothing: Html = html`<span class="none" title="${words.none}">–</span>`

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** The value of an attribute, by its kind where that is known. */
export function valueHtml(value: unknown, attribute: Attribute | null = null, room: Room = {}): Content {
  if (value === null || value === undefined || value === '') return nothing
  if (Array.isArray(value) && attribute?.isList && value.length > 0)
    return value.map((each) => html`<span class="mark">${String(each)}</span> `)
  if (typeof value === 'object') return shownJson(value, room)
  if (typeof value === 'boolean')
    return html`<span class="mark ${value ? 'yes' : 'no'}">${value ? words.yes : words.no}</span>`
  if (typeof value === 'number') return String(value)
  return shownText(String(value), attribute, room)
}

function shownText(text: string, attribute: Attribute | null, { isCell = false }: Room): Content {
  if (attribute?.values) return html`<span class="mark">${text}</span>`
  if (instant.test(text)) return shownInstant(text)
  if (isWebAddress(text)) return foreign(text, isCell)
  if (isImageHere(text)) return html`<img src="${text}" alt="" loading="lazy">`
  if (isMailAddress(text)) return html`<a href="mailto:${text}">${text}</a>`
  if (!isCell) return html`<span class="text">${text}</span>`
  return cut(text, cellLength)
}

/** An instant of UTC, which the pages' script writes in the reader's zone. */
const shownInstant = (text: string): Html =>
  html`<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 16)}</time>`

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
