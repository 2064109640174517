import type { DataDocument, Document } from './types.ts'

/**
 * A resource object that is written already, as JSON: what a document is mostly made of goes from the row to the text
 * without becoming an object in between.
 *
 * @internal
 */
export interface RenderedResource {
  readonly type: string
  readonly id: string
  readonly json: string
}

/** The text of a document. */
export function documentText(document: Document): string {
  if ('data' in document) {
    const { data, included, ...head } = document
    const more = included ? `,"included":${listText(included)}` : ''
    return `${opened(head)},"data":${dataText(data)}${more}}`
  }
  if ('atomic:results' in document) {
    const { 'atomic:results': results, ...head } = document
    const texts = results.map(({ data }) => (data ? `{"data":${data.json}}` : '{}'))
    return `${opened(head)},"atomic:results":[${texts.join()}]}`
  }
  return JSON.stringify(document)
}

/**
 * Documents with more resources than this, or longer ones, are made
 * part by part, so that the whole text never lies in memory at once.
 */
const manyResources = 500
const longText = 1_048_576
const partSize = 65_536

/** The text of a document in parts, where it is long; null where it is short. */
export function documentParts(document: Document): Iterable<string> | null {
  if (!('data' in document)) return null
  const { data, included = [] } = document
  const own = isRenderedList(data) ? data : isRendered(data) ? [data] : []
  const resources = own.length + included.length
  const isLong = resources > manyResources || lengthOf(own) + lengthOf(included) > longText
  return isLong ? joined(textsOf(document)) : null
}

const lengthOf = (resources: readonly RenderedResource[]): number =>
  resources.reduce((sum, { json }) => sum + json.length, 0)

function* joined(texts: Iterable<string>): Generator<string> {
  let part = ''
  for (const text of texts) {
    part += text
    if (part.length < partSize) continue
    yield part
    part = ''
  }
  yield part
}

function* textsOf({ data, included, ...head }: DataDocument): Generator<string> {
  yield `${opened(head)},"data":`
  if (isRenderedList(data)) yield* listTexts(data)
  else yield dataText(data)
  if (included) {
    yield ',"included":'
    yield* listTexts(included)
  }
  yield '}'
}

function* listTexts(resources: readonly RenderedResource[]): Generator<string> {
  yield '['
  for (const [i, { json }] of resources.entries()) {
    if (i > 0) yield ','
    yield json
  }
  yield ']'
}

const opened = (head: object): string => JSON.stringify(head).slice(0, -1)

function dataText(data: unknown): string {
  if (isRendered(data)) return data.json
  return isRenderedList(data) ? listText(data) : JSON.stringify(data)
}

// Not by `join`, which would make a text of each part, and then one of all.
function listText(resources: readonly RenderedResource[]): string {
  let text = '['
  let separator = ''
  for (const { json } of resources) {
    text += separator + json
    separator = ','
  }
  return `${text}]`
}

const isRendered = (data: unknown): data is RenderedResource =>
  typeof data === 'object' && data !== null && 'json' in data

/** An empty list is written the same, whatever it would have held. */
const isRenderedList = (data: unknown): data is readonly RenderedResource[] =>
  Array.isArray(data) && isRendered(data[0])
