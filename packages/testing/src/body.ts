import { mediaType } from '@prismapi/openapi/responses'
import { identifierOf, isIdentified } from './identified.ts'
import { isObject, toText } from './json.ts'
import { isMatcher } from './matcher.ts'

/**
 * The body of a request:
 *
 * - a resource in short, `{ type, attributes, relationships: { author: { type, id }, tags: [...] } }`, becomes a
 *   document; ids may be numbers, values those of Prisma, and rows of factories stand for their identifiers;
 * - an identifier, a list of them, or null is for relationships;
 * - any other object is the whole document, sent as it is;
 * - a text or bytes (`Uint8Array`, `Blob`) are sent unchanged, for routes that take files;
 * - `FormData` and `URLSearchParams` are sent as a browser sends a form.
 *
 * The `Content-Type` of documents and texts is that of JSON:API, and of all others their own.
 * `header('Content-Type', …)` sets another one.
 *
 * @example
 * const relationships = { author: ann, tags: [] }
 * await client.post('/posts', { type: 'posts', attributes: { title: 'One' }, relationships })
 * await client.patch('/posts/1/relationships/tags', [{ type: 'tags', id: 2 }])
 *
 * const form = new FormData()
 * form.set('poster', new Blob(['…'], { type: 'image/png' }), 'poster.png')
 * await client.post('/posters', form)
 */
export type TestBody = object | string | null

/** A body as it is sent, and what it is. */
export interface SentBody {
  readonly content: string | Uint8Array
  readonly type: string
}

/** What is sent for a body. */
export async function sentBody(body: TestBody): Promise<SentBody> {
  if (body instanceof Uint8Array) return { content: body, type: bytes }
  if (body instanceof Blob || body instanceof FormData || body instanceof URLSearchParams) {
    // As fetch sends it: a form gets its boundary here.
    const encoded = new Response(body)
    const type = encoded.headers.get('Content-Type') ?? bytes
    return { content: new Uint8Array(await encoded.arrayBuffer()), type }
  }
  return { content: typeof body === 'string' ? body : toText(documentOf(body)), type: mediaType }
}

const bytes = 'application/octet-stream'

function documentOf(body: object | null): object {
  if (body === null || Array.isArray(body) || isIdentified(body)) return { data: linkageOf(body) }
  return 'type' in body ? { data: resourceOf(body as ShortResource) } : body
}

interface ShortResource {
  readonly type: unknown
  readonly id?: unknown
  readonly relationships?: unknown
}

/** The resource object that a short one stands for; also what the `data` of an operation may be. */
export function resourceOf(resource: ShortResource): object {
  const { id, relationships } = resource
  return {
    ...resource,
    ...(isNumber(id) && { id: String(id) }),
    ...(isObject(relationships) &&
      !isMatcher(relationships) && {
        relationships: Object.fromEntries(Object.entries(relationships).map(relationOf)),
      }),
  }
}

// What is no linkage is a whole relationship object.
const relationOf = ([name, value]: [string, unknown]): [string, unknown] => [
  name,
  isObject(value) && !isIdentified(value) && !('type' in value) ? value : { data: linkageOf(value) },
]

/** Linkage: what names resources as their identifiers, and everything else as it is. */
export function linkageOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(linkageOf)
  if (isIdentified(value)) return identifierOf(value)
  return isObject(value) && isNumber(value.id) ? { ...value, id: String(value.id) } : value
}

const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'
