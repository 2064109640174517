import type { ServerContext } from '@prismapi/core/server/serving'
import { canonical } from '@prismapi/jsonapi/condition/canonical'
import { isPlain } from '@prismapi/jsonapi/document/types'

// One user may sign in to two organizations. A key that was used in one of them is another key in the other.

/**
 * What the caller may see, as a text for each scoped model and each hidden field: equal for every repeat of the call.
 */
export const scopesOf = ({ server, served, seen }: ServerContext): readonly (readonly [string, string])[] =>
  [
    ...[...served.scopes].map(([model, condition]) => [model, canonical(condition)] as const),
    ...[...server.schemas.byModel.keys()].flatMap((model) =>
      [...(seen(model)?.fields ?? [])].map(([name, condition]) => [`${model}.${name}`, canonical(condition)] as const),
    ),
  ].sort(([a], [b]) => (a < b ? -1 : 1))

/**
 * The claims of a bearer's JWT beside the caller's name; null for other credentials. `authenticate` has verified it.
 */
export function claimsOf(authorization: string | undefined): unknown {
  const [, payload] = /^Bearer +[\w-]+\.([\w-]+)\.[\w-]*$/i.exec(authorization ?? '') ?? []
  const claims = payload === undefined ? null : parsed(Buffer.from(payload, 'base64url').toString())
  if (!isPlain(claims)) return null
  return Object.entries(claims)
    .filter(([name]) => !ofOneToken.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

// A client whose token ran out repeats its request with a new one.
const ofOneToken: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'jti'])

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
