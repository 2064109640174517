import type { SignIn, SignInProvider } from '@prismapi/core/http/sign-in'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { badRequest, forbidden } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { Context } from 'koa'
import * as client from 'openid-client'
import { readCookie, setCookie } from './cookies.ts'
import { boundedFetch } from './provider/bounded-fetch.ts'
import type { Claims } from './provider/claims.ts'
import { notThere, type Provider } from './provider/provider.ts'
import type { Sessions } from './sessions.ts'

/** The client at the provider that people sign in by, at the pages of the API. */
export interface CodeFlowOptions {
  readonly clientId: string
  /** Left out, it is a public client, which PKCE alone protects. */
  readonly clientSecret?: string
  /** The sessions that a sign-in begins. */
  readonly sessions: Sessions
  /** A part of the redirect URI, of small letters, digits and hyphens; by default made of the host of the issuer. */
  readonly name?: string
  /** What the button says; by default the host of the issuer. */
  readonly label?: string
  /** What is asked of the provider; by default `openid`. */
  readonly scope?: string
}

interface Parts {
  readonly issuer: string
  readonly provider: Provider
  readonly user: (claims: Claims) => Awaitable<unknown>
}

const cookie = 'sign-in'
const tenMinutes = 600
const longestBack = 1500

/** What a browser keeps while it is at the provider. */
interface Begun {
  /** Where it is: one provider must not end what was begun at another. */
  readonly issuer: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly back: string
}

/**
 * Signs in at the provider by the authorization code flow with PKCE, `state` and `nonce`, and begins a session of the
 * application: no page and no script ever has a token of the provider.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7636
 */
export function codeFlow(options: CodeFlowOptions, parts: Parts): SignIn {
  const { clientId, clientSecret, sessions, scope = 'openid' } = options
  const { issuer, provider, user } = parts
  const configure = async (): Promise<client.Configuration> => {
    const metadata = (await provider.metadata()) as client.ServerMetadata
    const config = clientSecret
      ? new client.Configuration(metadata, clientId, clientSecret)
      : new client.Configuration(metadata, clientId, undefined, client.None())
    config[client.customFetch] = boundedFetch() as unknown as client.CustomFetch
    client.enableNonRepudiationChecks(config)
    if (issuer.startsWith('http:')) client.allowInsecureRequests(config)
    return config
  }
  const isSecureAt = ({ protocol }: URL) => protocol === 'https:'

  const name = options.name ?? new URL(issuer).hostname.replaceAll(/[^a-z0-9]+/gi, '-')
  if (!/^[a-z0-9-]+$/.test(name))
    throw new Error(
      `oidc({ signIn }): the name "${name}" is a part of a path. Write small letters, digits and hyphens.`,
    )
  const own: SignInProvider = {
    name,
    label: options.label ?? new URL(issuer).host,
    async begin(ctx, { callback, back }) {
      const config = await configure()
      const begun: Begun = {
        issuer,
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        // Browsers drop a cookie that is too long.
        back: back.length > longestBack ? '/' : back,
      }
      const value = Buffer.from(JSON.stringify(begun)).toString('base64url')
      setCookie(ctx, cookie, { isSecure: isSecureAt(callback), value, seconds: tenMinutes })
      return client.buildAuthorizationUrl(config, {
        redirect_uri: callback.href,
        scope,
        state: begun.state,
        nonce: begun.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: 'S256',
      })
    },
    async finish(ctx, { callback }) {
      const isSecure = isSecureAt(callback)
      const begun = begunIn(ctx, isSecure)
      setCookie(ctx, cookie, { isSecure, value: null, seconds: 0 })
      if (begun?.issuer !== issuer)
        throw badRequest(say`The sign-in was begun in another browser, or too long ago. Begin again.`)
      const claims = await grant(await configure(), new URL(callback.href + ctx.search), begun)
      const found = await user(claims)
      const { [sessions.userKey]: key } = (found ?? {}) as Readonly<Record<string, unknown>>
      if (key === undefined) throw forbidden(say`You have no account here.`)
      await sessions.start(ctx, key)
      return begun.back
    },
  }
  return {
    providers: [own],
    async signOut(ctx, { everywhere, back }) {
      await sessions.signOut(ctx, { everywhere })
      const config = everywhere ? await configure().catch(() => null) : null
      return config?.serverMetadata().end_session_endpoint
        ? client.buildEndSessionUrl(config, { post_logout_redirect_uri: back.href })
        : null
    },
  }
}

/** @throws {JsonApiError} 400 where the provider refuses or did not send the browser, 503 where it does not respond. */
async function grant(config: client.Configuration, sent: URL, { state, nonce, verifier }: Begun): Promise<Claims> {
  try {
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
    return (await client.authorizationCodeGrant(config, sent, checks)).claims() as Claims
  } catch (error) {
    if (error instanceof JsonApiError) throw error
    const refusals = [client.AuthorizationResponseError, client.ResponseBodyError, client.ClientError]
    if (!refusals.some((Refusal) => error instanceof Refusal) || isUnanswered(error)) throw notThere(error)
    const failure = badRequest(say`The provider did not sign you in.`)
    failure.cause = error
    throw failure
  }
}

/** Of what could not be read of the provider, the message is ours. */
const isUnanswered = (error: unknown): boolean => / cannot be read: /.test(String((error as Error).cause ?? error))

function begunIn(ctx: Context, isSecure: boolean): Begun | null {
  const value = readCookie(ctx, cookie, isSecure)
  if (value === null) return null
  try {
    const { issuer, state, nonce, verifier, back } = JSON.parse(Buffer.from(value, 'base64url').toString())
    const all = { issuer, state, nonce, verifier, back }
    return Object.values(all).every((each) => typeof each === 'string' && each !== '') ? all : null
  } catch {
    return null
  }
}
