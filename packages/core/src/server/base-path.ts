import type { BasePathParams } from '@prismapi/jsonapi/model/register'
import type { Server } from './server.ts'

/** Where a server lies, as its class says it: `/api/v1`, or with parameters, `/api/:organization/v1`. */
export interface BasePath {
  readonly text: string
  /** Its parameters, in their order; empty where there are none. */
  readonly names: readonly string[]
  /** Where a path lies that is below it; null for all others. */
  locate(path: string): Located | null
}

/** A base path as one request has it. */
export interface Located {
  /** With the values of its parameters, spelt as in links: `/api/acme/v1`. */
  readonly path: string
  readonly params: BasePathParams
  /** The characters of the request's path that it is. */
  readonly length: number
}

const segments = /^(?:\/[^/]+)+$/
const noParams: BasePathParams = Object.freeze({})

/**
 * Parses the base path of a server. It cannot be the root of a host: the server would take every URL of the host, also
 * those of the application's own routes.
 *
 * @throws {Error} for a path that no URL can have, and for parameters that could not be told apart.
 */
export function compileBasePath({
  name,
  basePath: text = `/api/${name}`,
}: Pick<Server, 'name' | 'basePath'>): BasePath {
  const said = `Server ${name}: basePath is ${JSON.stringify(text)}.`
  if (!segments.test(text) || new URL(`http://localhost${text}`).pathname !== text)
    throw new Error(
      `${said} Begin it with a slash and end it with none, as "/api/v1": a path as URLs have it, and not the root alone.`,
    )
  const parts = text.split('/')
  const names = parts.filter(isParameter).map((part) => part.slice(1))
  const wrong = names.find((each, i) => !/^[A-Za-z]\w*$/.test(each) || names.indexOf(each) !== i)
  if (wrong !== undefined)
    throw new Error(`${said} Give each parameter a name of its own, of letters and digits, as "/api/:organization/v1".`)
  if (names.length === parts.length - 1)
    throw new Error(`${said} Add a segment that is no parameter, or it takes every URL of the host: "/api${text}".`)
  return Object.freeze({ text, names, locate: names.length === 0 ? plain(text) : withParameters(parts) })
}

function plain(text: string): BasePath['locate'] {
  const located: Located = Object.freeze({ path: text, params: noParams, length: text.length })
  return (path) => {
    if (!path.startsWith(text)) return null
    return path.length === text.length || path[text.length] === '/' ? located : null
  }
}

const withParameters =
  (parts: readonly string[]): BasePath['locate'] =>
  (path) => {
    const sent = path.split('/', parts.length)
    if (sent.length < parts.length) return null
    const params: Record<string, string> = {}
    for (const [i, part] of parts.entries()) {
      const segment = sent[i] as string
      if (!isParameter(part)) {
        if (segment !== part) return null
        continue
      }
      const value = decoded(segment)
      if (value === null) return null
      params[part.slice(1)] = value
    }
    const found = Object.freeze(params) as BasePathParams
    return { path: pathWith(parts, found), params: found, length: sent.join('/').length }
  }

/** A base path with values in the place of its parameters, as links have it. */
export const pathWith = (parts: readonly string[], params: BasePathParams): string =>
  parts
    .map((part) =>
      isParameter(part) ? encodeURIComponent((params as Readonly<Record<string, string>>)[part.slice(1)] ?? '') : part,
    )
    .join('/')

/** Null for what no link could keep: an empty segment, bad escapes, and `.` and `..`, which URLs drop. */
function decoded(segment: string): string | null {
  let value: string
  try {
    value = decodeURIComponent(segment)
  } catch {
    return null
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  return /^\.{0,2}$/.test(value) || /[\x00-\x1f\x7f]/.test(value) ? null : value
}

const isParameter = (part: string): boolean => part.startsWith(':')

interface Placed {
  readonly name: string
  readonly host: string | null
  readonly base: BasePath
}

/**
 * The servers in the order in which they are offered a request. At the first segment in which two base paths differ, a
 * literal comes before a parameter, and a longer path before its beginning. A server with a host comes before servers
 * of any host.
 *
 * @throws {Error} for two servers at the same place: the second one would never get a request.
 */
export function inOrder<S extends Placed>(servers: readonly S[]): readonly S[] {
  for (const [i, server] of servers.entries()) {
    const twin = servers.slice(0, i).find((each) => each.host === server.host && shapeOf(each) === shapeOf(server))
    if (twin)
      throw new Error(
        `The servers ${twin.name} and ${server.name} lie at the same place, ${twin.base.text} and ${server.base.text}. Give one of them another basePath, or a host of its own.`,
      )
  }
  return [...servers].sort(
    (a, b) => Number(a.host === null) - Number(b.host === null) || byPath(a.base.text, b.base.text),
  )
}

const shapeOf = ({ base }: Placed): string =>
  base.text
    .split('/')
    .map((part) => (isParameter(part) ? ':' : part))
    .join('/')

function byPath(a: string, b: string): number {
  const [one, other] = [a.split('/'), b.split('/')]
  for (let i = 0; i < Math.min(one.length, other.length); i++) {
    const [mine, yours] = [one[i] as string, other[i] as string]
    const byKind = Number(isParameter(mine)) - Number(isParameter(yours))
    if (byKind !== 0) return byKind
    if (!isParameter(mine) && mine !== yours) return 0
  }
  return other.length - one.length
}
