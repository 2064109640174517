import type { Document } from './types.ts'

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

/** Documents with more resources than this are sent part by part, so that the whole text never lies in memory at once. */
const manyResources = 500
const partSize = 65_536

/** The text of a document in parts, where it is long; null where it is short. */
export function documentParts(document: Document): readonly string[] | null {
  if (!('data' in document) || !isRenderedList(document.data)) return null
  const { data, included = null, ...head } = document
  if (data.length + (included?.length ?? 0) <= manyResources) return null
  const parts = ['']
  const write = (text: string) => {
    if ((parts.at(-1) as string).length < partSize) parts[parts.length - 1] += text
    else parts.push(text)
  }
  const writeList = (resources: readonly RenderedResource[]) => {
    for (const [i, { json }] of resources.entries()) write(i === 0 ? json : `,${json}`)
  }
  write(`${opened(head)},"data":[`)
  writeList(data)
  if (included) {
    write('],"included":[')
    writeList(included as readonly RenderedResource[])
  }
  write(']}')
  return parts
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
