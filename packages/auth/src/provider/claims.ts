import type { JWTPayload } from 'jose'
import type { VerifiedToken } from 'prismapi'

/** What a token says of who it was given to. */
export type Claims = Readonly<JWTPayload>

/** What tokens are held to. */
export interface Accepted {
  readonly issuer: string
  readonly audience: string[]
  readonly clients?: readonly string[]
  readonly clockToleranceSeconds?: number
}

/** Is the token of a client that may use this API. */
export function isOfClient({ azp, client_id: client }: Claims, clients: readonly string[] | undefined): boolean {
  const party = azp ?? client
  return clients === undefined || (typeof party === 'string' && clients.includes(party))
}

/** With when it has to be looked at again. */
export function kept(claims: Claims, seconds: number): VerifiedToken<Claims> | null {
  const { sub, exp = Number.NaN } = claims
  // JSON may have a number where the standard has a text, and 1e400, which is no time.
  if (typeof sub !== 'string' || sub === '' || !Number.isFinite(exp)) return null
  return { said: Object.freeze(claims), exp: Math.min(exp, Math.floor(Date.now() / 1000) + seconds) }
}

/** The scopes of a token: a text, or, as Entra and Okta have it, `scp`. */
export function scopesOf({ scope, scp }: Claims): readonly string[] {
  const said = scope ?? scp
  if (Array.isArray(said)) return said.map(String)
  return typeof said === 'string' ? said.split(' ') : []
}
