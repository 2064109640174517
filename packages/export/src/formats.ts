import { parseMediaType, splitUnquoted } from '@prismapi/core/http/request/headers'
import { stringText } from '@prismapi/core/serialize/resource-text'

/** A value of a line; undefined where the caller does not see it. */
export type Value = unknown

/** A column of an export. */
export interface Heading {
  readonly name: string
  /** Its values are texts that somebody has written: a spreadsheet could take one for a formula. */
  readonly isText: boolean
}

/** How lines are written. */
export interface Format {
  readonly mediaType: string
  readonly contentType: string
  readonly extension: string
  /** What stands before the first line. */
  head(headings: readonly Heading[]): string
  line(headings: readonly Heading[], values: readonly Value[]): string
}

/** RFC 4180, with a header. A null is an empty cell, and an empty text is `""`. */
const csv: Format = {
  mediaType: 'text/csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  extension: 'csv',
  head: (headings) => `${headings.map(({ name }) => textCell(name)).join()}\r\n`,
  line(headings, values) {
    let text = ''
    for (let i = 0; i < headings.length; i++)
      text += (i === 0 ? '' : ',') + cell(values[i], (headings[i] as Heading).isText)
    return `${text}\r\n`
  },
}

function cell(value: Value, isText: boolean): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return isText ? textCell(value) : value
  return typeof value === 'object' ? textCell(JSON.stringify(value)) : String(value)
}

function textCell(text: string): string {
  if (!special.test(text)) return text
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

/** What stands in a cell in quotes: an empty text, what would end the cell, and what spreadsheets reckon with. */
const special = /^$|[",\r\n]|^[=+\-@\t\uff1d\uff0b\uff0d\uff20]/
/** What spreadsheets take for a formula. The apostrophe before it has them take it for a text. */
const formula = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/
const number = /^[+-]?\d+(?:\.\d+)?$/

/** One JSON object on each line. What the caller does not see is left out, as in documents. */
const ndjson: Format = {
  mediaType: 'application/x-ndjson',
  contentType: 'application/x-ndjson; charset=utf-8',
  extension: 'ndjson',
  head: () => '',
  line(headings, values) {
    let text = ''
    for (let i = 0; i < headings.length; i++) {
      const value = values[i]
      if (value === undefined) continue
      const written = typeof value === 'string' ? stringText(value) : JSON.stringify(value)
      text += `${text === '' ? '{' : ','}${stringText((headings[i] as Heading).name)}:${written}`
    }
    return `${text === '' ? '{' : text}}\n`
  },
}

export const formats: readonly Format[] = [csv, ndjson]

/** The format that a client would rather have than a document. It gets a document if it wants both as much. */
export function wantedFormat(accept: string | undefined): Format | null {
  if (accept === undefined || !named.test(accept)) return null
  let best: { readonly format: Format; readonly weight: number } | null = null
  let document = 0
  let anything = 0
  for (const part of splitUnquoted(accept, ',')) {
    const media = parseMediaType(part)
    if (media === null) continue
    const weight = Number(media.parameters.find(([name]) => name === 'q')?.[1] ?? 1)
    const format = formats.find(({ mediaType }) => mediaType === media.name)
    if (media.name === 'application/vnd.api+json') document = Math.max(document, weight)
    else if (media.name === '*/*' || media.name === 'application/*') anything = Math.max(anything, weight)
    else if (format && weight > (best?.weight ?? 0)) best = { format, weight }
  }
  return best && best.weight > document && best.weight >= anything ? best.format : null
}

const named = /text\/csv|application\/x-ndjson/i
