import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import { decodeJwt, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Context } from 'koa'
import { keepTokens, type VerifiedToken } from 'prismapi'
import { type CodeFlowOptions, codeFlow } from './code-flow.ts'
import { type Authenticator, refused, tokenLike } from './credentials.ts'
import { type Accepted, type Claims, isOfClient, kept, scopesOf } from './provider/claims.ts'
import { type Introspection, introspector } from './provider/introspection.ts'
import { providerOf } from './provider/provider.ts'
import type { TokenScopes } from './token-scopes.ts'

/** An identity provider, and what a token of it has to say. */
export interface OidcOptions<Found> {
  /** As the provider spells it in tokens and in its discovery document: with a slash at its end, if it has one. */
  readonly issuer: string
  /** The name of this API at the provider: tokens for others are refused. Several, if it has several. */
  readonly audience: string | readonly string[]
  /** Finds the user of a token, as a rule by `claims.sub`; null where there is none: 401. Called for each request. */
  readonly user: (claims: Claims) => Awaitable<Found | null>
  /** The clients whose tokens are taken, by `azp` or `client_id`. Left out, all that the provider knows. */
  readonly clients?: readonly string[]
  /** How this API signs in at the provider to ask about opaque tokens (RFC 7662). Left out, they are refused. */
  readonly introspection?: Introspection
  /** What the scopes of tokens let them be used for. Left out, a token may do what its user may. */
  readonly scopes?: TokenScopes
  /** The client that people sign in by at the pages of the API. Left out, they cannot. */
  readonly signIn?: CodeFlowOptions
  /** By how many seconds the clocks of the two may differ; by default 30. */
  readonly clockToleranceSeconds?: number
  /** How long a key that the provider does not have keeps the keys from being read again; by default 30. */
  readonly pauseSeconds?: number
}

/** HS256 is not among them: with a public key as its secret, everybody could sign. */
const algorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519']

/** Other tokens of the provider are signed by the same keys: those of logouts and events name a subject as well. */
const types = [undefined, 'jwt', 'at+jwt', 'application/at+jwt']

/** For how long a token is not verified again: a key that the provider withdraws counts for so long. */
const keptSeconds = 300

/**
 * Signs in by the bearer tokens of a provider of OpenID Connect: Keycloak, Entra, Auth0, Better Auth and others. It
 * finds the keys by discovery (`<issuer>/.well-known/openid-configuration`), and finds them again when they change. A
 * token needs the issuer, the audience, an expiry in the future, and a signature by RS256, ES256 or EdDSA.
 *
 * The result is an `authenticate` of `createApi`. Without a bearer token, it takes the caller for a guest.
 *
 * @throws {JsonApiError} 401 for a token that is not valid, or of nobody; 503 with `Retry-After` if the provider does
 * not respond and its keys are not known.
 * @throws {Error} at startup, for an issuer that is no http or https URL, and without an audience.
 * @see https://openid.net/specs/openid-connect-core-1_0.html
 * @example
 * declare const findUser: (sub: string) => Promise<User | null>
 *
 * const authenticate = oidc({
 *   issuer: 'https://login.example.org/realms/newsroom',
 *   audience: 'newsroom-api',
 *   user: ({ sub = '' }) => findUser(sub),
 * })
 */
export function oidc<Found extends object>(options: OidcOptions<Found>): Authenticator<Found> {
  const { issuer, user, introspection, scopes, signIn, pauseSeconds = 30 } = options
  const audience = [options.audience].flat()
  if (!URL.canParse(issuer) || !/^https?:$/.test(new URL(issuer).protocol))
    throw new Error(`oidc({ issuer }): "${issuer}" is no URL. Write the issuer as the provider does.`)
  if (audience.length === 0 || audience.includes(''))
    throw new Error('oidc({ audience }): write the name that this API has at the provider.')
  const provider = providerOf(issuer, pauseSeconds)
  const accepted = { ...options, audience }
  const verified = keepTokens((token) => verify(token, accepted, provider.keys))
  const introspected = introspection && keepTokens(introspector(provider, accepted, introspection))
  const authenticate = async (ctx: Context): Promise<Found | null> => {
    const token = tokenLike(ctx, () => true)
    if (token === null) return null
    const claims = isSigned(token) ? await verified(token) : await introspected?.(token)
    const found = claims ? await user(claims) : null
    if (!claims || found === null || found === undefined) throw refused()
    return scopes ? scopes.limit(found, scopesOf(claims)) : found
  }
  return Object.assign(authenticate, signIn && { signInMeans: codeFlow(signIn, { issuer, provider, user }) })
}

/** A JWT has three parts, and its header is an object of JSON. */
const isSigned = (token: string): boolean => /^e[wy][\w-]*\.[\w-]*\.[\w-]*$/.test(token)

/** The claims of a token that is signed by the provider, for this API; null for every other one. */
async function verify(
  token: string,
  { issuer, audience, clients, clockToleranceSeconds = 30 }: Accepted,
  keys: JWTVerifyGetKey,
): Promise<VerifiedToken<Claims> | null> {
  try {
    // Of two providers, neither is asked about what is not its own.
    if (decodeJwt(token).iss !== issuer) return null
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      ...{ issuer, audience, algorithms, clockTolerance: clockToleranceSeconds },
      requiredClaims: ['sub', 'exp', 'iat'],
    })
    if (!types.includes(protectedHeader.typ?.toLowerCase()) || !isOfClient(payload, clients)) return null
    return kept(payload, keptSeconds)
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
