// What the judges of documents have in common.

export type Json = Readonly<Record<string, unknown>>

export interface Judged {
  readonly method: string
  /** The URL that was asked, with its query. */
  readonly url: string
  readonly status: number
  /** A header of the answer by its name in lower case; null where it is absent. */
  header(name: string): string | null
  /** The bytes of the body as text, empty where there is none. */
  readonly text: string
  /** The body of the request, if it had one. */
  readonly sent?: string
}

export interface Expected {
  readonly version: '1.0' | '1.1'
  /** What the primary data is of a document that has some; null where the URL does not say. */
  readonly primary: 'resource' | 'resources' | 'identifier' | 'identifiers' | null
  /** Names of foreign keys, which no attribute has. */
  readonly foreignKeys?: readonly string[]
}

export const paginationLinks = ['first', 'last', 'prev', 'next']

/** What a type or a field may be called. */
export const memberName = /^[a-zA-Z0-9\u0080-\uffff](?:[a-zA-Z0-9\u0080-\uffff\-_ ]*[a-zA-Z0-9\u0080-\uffff])?$/

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members that neither JSON:API nor an extension defines. */
export function* members(at: string, object: Json, known: readonly string[], isExtended = false): Generator<string> {
  for (const name of Object.keys(object)) {
    if (known.includes(name) || name.startsWith('@') || (isExtended && name.includes(':'))) continue
    yield `${at === '' ? 'the root' : at} has a member ${name}`
  }
}

// RFC 3986, where brackets stand nowhere but around an address of IPv6.
const uriReference = /^(?:[A-Za-z0-9\-._~:/?#@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/

export function* linksFaults(
  at: string,
  links: unknown,
  known: readonly string[],
  expected: Expected,
): Generator<string> {
  if (!isObject(links)) return yield `${at} is no object`
  yield* members(at, links, known)
  for (const [name, link] of Object.entries(links)) {
    if (name.startsWith('@')) continue
    yield* linkFaults(`${at}.${name}`, link, expected)
    if (link === null && expected.version === '1.0' && !paginationLinks.includes(name)) yield `${at}.${name} is null`
  }
}

function* linkFaults(at: string, link: unknown, { version }: Expected): Generator<string> {
  if (link === null) return
  const href = isObject(link) ? link.href : link
  if (isObject(link)) {
    const known = version === '1.0' ? [] : ['rel', 'describedby', 'title', 'type', 'hreflang']
    yield* members(at, link, ['href', 'meta', ...known])
  }
  if (typeof href !== 'string' || !uriReference.test(href)) yield `${at} is no link: ${JSON.stringify(link)}`
}
