import * as client from 'openid-client'
import type { VerifiedToken } from 'prismapi'
import { boundedFetch } from './bounded-fetch.ts'
import { type Accepted, type Claims, isOfClient, kept } from './claims.ts'
import { notThere, type Provider } from './provider.ts'

/** How this API signs in at the provider, to ask about tokens. */
export interface Introspection {
  readonly clientId: string
  readonly clientSecret: string
}

/** For how long the provider is not asked again about a token: one that is revoked counts for so long. */
const keptSeconds = 10

/**
 * Asks the provider about opaque tokens.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7662
 */
export const introspector =
  (provider: Provider, accepted: Accepted, { clientId, clientSecret }: Introspection) =>
  async (token: string): Promise<VerifiedToken<Claims> | null> => {
    const config = new client.Configuration(
      (await provider.metadata()) as client.ServerMetadata,
      clientId,
      clientSecret,
    )
    config[client.customFetch] = boundedFetch() as unknown as client.CustomFetch
    if (accepted.issuer.startsWith('http:')) client.allowInsecureRequests(config)
    const said = await client.tokenIntrospection(config, token).catch((error: unknown) => {
      throw notThere(error)
    })
    // A client that acts for itself is the subject, as RFC 9068 has it.
    const claims = { sub: said.client_id, ...said } as Claims
    return said.active && isForUs(claims, accepted) && isInTime(claims, accepted) ? kept(claims, keptSeconds) : null
  }

/** A provider may keep a token in its memory that is over. */
function isInTime({ exp = Number.NaN, nbf = 0 }: Claims, { clockToleranceSeconds = 30 }: Accepted): boolean {
  const now = Date.now() / 1000
  return exp > now - clockToleranceSeconds && nbf <= now + clockToleranceSeconds
}

/** Providers say for whom a token is, or at least whose it is. */
function isForUs(said: Claims, { issuer, audience, clients }: Accepted): boolean {
  if (said.iss !== undefined && said.iss !== issuer) return false
  if (said.aud === undefined) return clients !== undefined && isOfClient(said, clients)
  return [said.aud].flat().some((name) => audience.includes(name)) && isOfClient(said, clients)
}
