import type { RequestListener } from 'node:http'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'
import { listen } from '../servers.ts'

/** The name of the tested API at the provider. */
export const audience = 'https://api.example.org'
export const web = { client_id: 'web', client_secret: 'the secret of the web client' } as const
/** A client of which the API wants nothing. */
export const other = { client_id: 'other', client_secret: 'the secret of another client' } as const

export type SigningAlgorithm = 'RS256' | 'ES256' | 'EdDSA'

/** A key of the provider, with both halves. */
export interface SigningKey {
  readonly alg: SigningAlgorithm
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly jwk: JWK
}

let made = 0
export async function signingKey(alg: SigningAlgorithm): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  const kid = `${alg}-${++made}`
  return { alg, kid, privateKey, jwk: { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' } }
}

interface ProviderOptions {
  /** Where browsers are sent back to. */
  readonly redirectUris?: readonly string[]
  /** Where they are sent after they have signed out. */
  readonly afterSignOut?: readonly string[]
}

/** A real provider of OpenID Connect (oidc-provider) on a free port. Any login and password are right. */
export async function identityProvider({ redirectUris = [], afterSignOut = [] }: ProviderOptions = {}) {
  const all = await Promise.all((['RS256', 'ES256', 'EdDSA'] as const).map(signingKey))
  let keys: readonly SigningKey[] = all
  let handle: RequestListener
  const asked: string[] = []
  const { at, close } = await listen((request, response) => {
    asked.push(request.url ?? '')
    handle(request, response)
  })
  const settings = (): Configuration => ({
    clients: [
      {
        ...web,
        redirect_uris: [...redirectUris],
        post_logout_redirect_uris: [...afterSignOut],
        grant_types: redirectUris.length > 0 ? ['client_credentials', 'authorization_code'] : ['client_credentials'],
        response_types: redirectUris.length > 0 ? ['code'] : [],
      },
      { ...other, redirect_uris: [], grant_types: ['client_credentials'], response_types: [] },
    ] as never,
    jwks: { keys: keys.map(({ jwk }) => jwk) as never },
    scopes: ['openid', 'email', 'read', 'write'],
    cookies: { keys: ['of the tests'] },
    features: {
      clientCredentials: { enabled: true },
      introspection: { enabled: true },
      rpInitiatedLogout: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined as never,
        // The name of a resource says how its tokens are signed.
        getResourceServerInfo: (_ctx, resource) => ({
          scope: 'read write',
          audience: resource.split('#')[0] as string,
          ...(resource.includes('opaque')
            ? { accessTokenFormat: 'opaque' as const }
            : { accessTokenFormat: 'jwt' as const, jwt: { sign: { alg: algorithmOf(resource) } } }),
        }),
      },
    },
  })
  const start = () => {
    handle = new Provider(at, settings()).callback()
  }
  const algorithmOf = (resource: string): SigningAlgorithm => {
    const named = new URL(resource).searchParams.get('alg')
    return (named as SigningAlgorithm | null) ?? 'RS256'
  }
  start()
  return {
    issuer: at,
    /** The paths that were asked for. */
    asked,
    get keys() {
      return keys
    },
    /** Signs with new keys from now on, and forgets the old ones. */
    async rotate() {
      keys = await Promise.all(keys.map(({ alg }) => signingKey(alg)))
      start()
    },
    /** Responds in another way from now on; null for its own. */
    answerBy(listener: RequestListener | null) {
      if (listener) handle = listener
      else start()
    },
    /** An access token of a client, by the grant `client_credentials`. */
    async token(resource: string, { client_id, client_secret }: typeof web | typeof other = web, scope = 'read') {
      const response = await fetch(`${at}/token`, {
        method: 'POST',
        headers: {
          Authorization: `Basic ${Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString('base64')}`,
        },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }),
      })
      const body = (await response.json()) as { access_token?: string }
      if (body.access_token === undefined) throw new Error(`${response.status} ${JSON.stringify(body)}`)
      return body.access_token
    },
    /** A token that is signed by hand, by a key of the provider. */
    async signed(claims: JWTPayload = {}, header: Readonly<Record<string, unknown>> = {}, by = keys[0] as SigningKey) {
      const now = Math.floor(Date.now() / 1000)
      const all = { iss: at, aud: audience, sub: 'member3', iat: now, exp: now + 600, ...claims }
      return new SignJWT(all as JWTPayload)
        .setProtectedHeader({ alg: by.alg, kid: by.kid, typ: 'at+jwt', ...header } as never)
        .sign(by.privateKey)
    },
    close,
  }
}

export type IdentityProvider = Awaited<ReturnType<typeof identityProvider>>
