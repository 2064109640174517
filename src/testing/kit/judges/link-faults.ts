import { type Expected, isObject, members, paginationLinks } from './judged.ts'

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
