import type { Document } from './types.ts'

/**
 * A resource object that is written already, as JSON: what a document is mostly made of goes from the row to the text
 * without becoming an object in between.
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

const opened = (head: object): string => JSON.stringify(head).slice(0, -1)

function dataText(data: unknown): string {
  if (isRendered(data)) return data.json
  return isRenderedList(data) ? listText(data) : JSON.stringify(data)
}

const listText = (resources: readonly RenderedResource[]): string => `[${resources.map(({ json }) => json).join()}]`

const isRendered = (data: unknown): data is RenderedResource =>
  typeof data === 'object' && data !== null && 'json' in data

/** An empty list is written the same, whatever it would have held. */
const isRenderedList = (data: unknown): data is readonly RenderedResource[] =>
  Array.isArray(data) && isRendered(data[0])
