import { createHash } from 'node:crypto'
import { unauthorized } from '@prismapi/jsonapi/document/errors'
import { boundedCache } from '@prismapi/jsonapi/model/memo'
import type { Context } from 'koa'

/** One media type or media range of a header (RFC 9110 §8.3.1, §12.5.1). */
export interface MediaType {
  /** `type/subtype`, in lower case. */
  readonly name: string
  /** Names in lower case, values unquoted, in the order sent; `q` among them. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const typeAndSubtype = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const quotedString = /^"((?:[^"\\]|\\.)*)"$/

/**
 * One media type; null when it is malformed.
 *
 * @example
 * parseMediaType('Text/HTML; charset="utf-8"') // { name: 'text/html', parameters: [['charset', 'utf-8']] }
 */
export function parseMediaType(text: string): MediaType | null {
  const [head = '', ...rest] = splitUnquoted(text, ';')
  if (!typeAndSubtype.test(head)) return null
  const parameters = rest.filter((part) => part !== '').map(parseParameter)
  if (!parameters.every((parameter) => parameter !== null)) return null
  return { name: head.toLowerCase(), parameters }
}

/** The trimmed parts of a list; a separator inside a quoted string separates nothing. */
export function splitUnquoted(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  let isQuoted = false
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\\' && isQuoted) at++
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  return [...parts, text.slice(start).trim()]
}

function parseParameter(text: string): readonly [string, string] | null {
  const equals = text.indexOf('=')
  const name = text.slice(0, equals)
  const value = equals < 0 ? null : parseValue(text.slice(equals + 1))
  return value !== null && token.test(name) ? [name.toLowerCase(), value] : null
}

function parseValue(text: string): string | null {
  if (token.test(text)) return text
  const content = quotedString.exec(text)?.[1]
  return content === undefined ? null : content.replaceAll(/\\(.)/g, '$1')
}

/**
 * What the client prefers (https://www.rfc-editor.org/rfc/rfc7240#section-2), in lower case: `explain=authorization`.
 * Parameters are left out, and an empty value is none.
 */
export function parsePreferences({ req: { headers } }: Pick<Context, 'req'>): readonly string[] {
  const { prefer } = headers
  if (prefer === undefined) return []
  return splitUnquoted(String(prefer), ',').map((each) => {
    const [preference = ''] = splitUnquoted(each, ';')
    return preference
      .toLowerCase()
      .replace(/[\s"\\]/g, '')
      .replace(/=$/, '')
  })
}

/**
 * The token of `Authorization: Bearer <token>`; null where the request has no such header, and comes from a guest.
 *
 * @throws {JsonApiError} 401 for another scheme, for what is no token, for a JWT with padding or with a second spelling
 * of its signature, and for a header that was sent twice: of two, a proxy may have looked at the other one.
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-2.1
 * @see https://www.rfc-editor.org/rfc/rfc7515#section-2
 * @example
 * declare const userOf: (token: string) => Promise<User | null>
 *
 * const authenticate: Authenticate = async (ctx) => {
 *   const token = bearerToken(ctx)
 *   if (token === null) return null
 *   const user = await userOf(token)
 *   if (!user) throw unauthorized('Bearer')
 *   return user
 * }
 */
export function bearerToken({ req }: Context): string | null {
  const { authorization } = req.headers
  if (authorization === undefined) return null
  // Of the browsable pages it is their cookie, and none was sent.
  const sent = req.headersDistinct.authorization ?? []
  const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization) ?? []
  if (token === undefined || sent.length > 1 || isRespelt(token)) throw unauthorized('Bearer')
  return token
}

/** Libraries read a signature in several spellings. One token has one, so that a list of revoked tokens finds it. */
function isRespelt(token: string): boolean {
  const [header = '', , signature, ...more] = token.split('.')
  // The header of a JWT is a JSON object, whose first letter is one of these two. Other tokens may have any form.
  if (signature === undefined || more.length > 0 || !/^e[wy]/.test(header)) return false
  return Buffer.from(signature, 'base64url').toString('base64url') !== signature
}

/** What a token says that was verified. */
export interface VerifiedToken<Said> {
  /** What `authenticate` wants to know of it: the id of a user, or its claims. */
  readonly said: Said
  /** When it runs out, in seconds since 1970, as the claim `exp` has it. */
  readonly exp: number
}

/**
 * The same function for tokens, which verifies each of them once: it keeps what a token says until the token runs out.
 * To verify a signature takes more time than to read a resource. It keeps digests, no tokens, at least of the `most`
 * tokens that clients sent last and at most of twice as many. What is not valid is verified each time.
 *
 * A token that was verified stays good until it runs out, even if its key does not. So `authenticate` reads the user
 * for each request, and finds out there who has been removed.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7519#section-4.1.4
 * @example
 * declare const verify: (token: string) => Promise<VerifiedToken<number> | null>
 * declare const findUser: (id: number) => Promise<User | null>
 *
 * const userId = keepTokens(verify)
 * const authenticate: Authenticate = async (ctx) => {
 *   const token = bearerToken(ctx)
 *   if (token === null) return null
 *   const id = await userId(token)
 *   const user = id === null ? null : await findUser(id)
 *   if (!user) throw unauthorized('Bearer')
 *   return user
 * }
 */
export function keepTokens<Said>(
  verify: (token: string) => Promise<VerifiedToken<Said> | null>,
  { most = 10_000 }: { readonly most?: number } = {},
): (token: string) => Promise<Said | null> {
  const kept = boundedCache<{ token: VerifiedToken<Said> | null }>(most, Number.POSITIVE_INFINITY)
  return async (token) => {
    const entry = kept.get(digestOf(token), () => ({ token: null }))
    if (!isValid(entry.token)) entry.token = await verify(token)
    return entry.token === null ? null : entry.token.said
  }
}

// What has no time has run out.
const isValid = (token: VerifiedToken<unknown> | null): boolean => token !== null && token.exp * 1000 > Date.now()

const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64')
