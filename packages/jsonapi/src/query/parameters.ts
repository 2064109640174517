import { JsonApiError } from '../document/error.ts'
import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import { memo } from '../model/memo.ts'
import type { Parameter, RequestUrl } from '../request/hook-context.ts'
import type { Limits } from '../request/limits.ts'
import { mapAll } from './failures.ts'

export type { Parameter } from '../request/hook-context.ts'

export const notAllowed = (key: string) => badParameter(key, say`Query parameter ${key} is not allowed.`)

/**
 * The parameters of a query string in the order they came, repeated ones and all.
 * A parser of our own, because those that build objects drop keys without a word
 * (`filter[__proto__]`, what follows a bracket) and lose how a key was sent.
 *
 * @throws JsonApiError 400 for bad percent-encoding, unbalanced brackets, and more parameters than the limit.
 */
export function parseParameters(at: Searched, limits: Pick<Limits, 'parameters'>): readonly Parameter[] {
  const excess = keysOf(at)[limits.parameters]
  if (excess !== undefined) {
    const [key = ''] = excess.split('=')
    throw badParameter(key, say`A query must not have more than ${limits.parameters} parameters.`)
  }
  return mapAll(sentAt(at), (sent) => {
    if (sent instanceof JsonApiError) throw sent
    return sent
  })
}

/** The parameters that are well-formed, for readers that refuse nothing. */
export const wellFormedParameters = (at: Searched): readonly Parameter[] =>
  sentAt(at).flatMap((sent) => (sent instanceof JsonApiError ? [] : [sent]))

/** Where a request was sent, as far as its query is concerned. */
type Searched = Pick<RequestUrl, 'search' | 'parameters'>

/** Does it have a query at all. */
export const hasQuery = ({ search, parameters }: Searched): boolean =>
  parameters === undefined ? search !== '' : parameters.length > 0

const keysOf = ({ search, parameters }: Searched): readonly string[] =>
  parameters?.map(({ key }) => key) ?? piecesOf(search)

/** Each parameter of a URL, or what is wrong with it. They are parsed once for all who read the same URL. */
const sentAt = memo(
  ({ search, parameters }: Searched): readonly (Parameter | JsonApiError)[] =>
    parameters ?? piecesOf(search).map(parsedPiece),
)

/** A query string without the parameters of other families, whatever is wrong with them. */
export const onlyFamilies = (search: string, families: ReadonlySet<string>): string =>
  piecesOf(search)
    .filter((piece) => families.has(familyOf(piece)))
    .join('&')

const piecesOf = (search: string): readonly string[] =>
  search
    .replace(/^\?/, '')
    .split('&')
    .filter((piece) => piece !== '')

function parsedPiece(piece: string): Parameter | JsonApiError {
  try {
    return parseParameter(piece)
  } catch (error) {
    if (error instanceof JsonApiError) return error
    throw error
  }
}

/** The family is told by what stands before the first bracket, even if the rest is malformed. */
const familyOf = (piece: string): string => {
  const [family = ''] = piece.replaceAll(/%5b/gi, '[').split(/[[=]/, 1)
  return family
}

function parseParameter(piece: string): Parameter {
  const split = piece.indexOf('=')
  const rawKey = split < 0 ? piece : piece.slice(0, split)
  const key = decode(rawKey, rawKey)
  const value = split < 0 ? '' : decode(piece.slice(split + 1), key)
  const [, family, brackets] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key) ?? []
  if (family === undefined || brackets === undefined) throw notAllowed(key)
  return { key, family, path: brackets === '' ? [] : brackets.slice(1, -1).split(']['), value }
}

function decode(text: string, parameter: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw badParameter(parameter, say`Query parameter ${parameter} is not percent-encoded UTF-8.`)
  }
}

// JSON:API, *Member Names*: what a name may begin and end with, and what may stand between.
const memberName = /^[a-zA-Z0-9\u0080-\u{10ffff}](?:[-\w \u0080-\u{10ffff}]*[a-zA-Z0-9\u0080-\u{10ffff}])?$/u

export const isMemberName = (name: string): boolean => memberName.test(name)

/** Member names joined by dots: `author.name`. */
export const isPath = (text: string): boolean => text.split('.').every(isMemberName)
