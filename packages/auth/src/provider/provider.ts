import { unavailable } from '@prismapi/jsonapi/document/errors'
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import { rememberingFetch } from './bounded-fetch.ts'

/** What discovery told of a provider, as far as it is used. */
export interface ProviderMetadata {
  readonly issuer: string
  readonly jwks_uri: string
  readonly [name: string]: unknown
}

/** An identity provider, which is asked when it is first needed. */
export interface Provider {
  /** @throws {JsonApiError} 503 where it does not respond as it should. */
  metadata(): Promise<ProviderMetadata>
  /** @throws {JsonApiError} 503 where its keys cannot be read. */
  readonly keys: JWTVerifyGetKey
}

const hour = 3_600_000
const day = 24 * hour

/**
 * Finds a provider by discovery, keeps what it said for an hour, and its keys for ten minutes. A key that is not among
 * them has them read once more, and then not again before the pause is over.
 *
 * @see https://openid.net/specs/openid-connect-discovery-1_0.html
 */
export function providerOf(issuer: string, pauseSeconds: number): Provider {
  const pause = pauseSeconds * 1000
  const kept = { pauseMilliseconds: Math.min(pause, 10_000), keptMilliseconds: day }
  const readMetadata = rememberingFetch((found, url) => checkMetadata(found, issuer, url), kept)
  const readKeys = rememberingFetch(checkKeys, kept)
  const place = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  let known: { readonly at: number; readonly metadata: Promise<ProviderMetadata> } | null = null
  let keySet: { readonly url: string; readonly find: JWTVerifyGetKey } | null = null

  const discover = async (): Promise<ProviderMetadata> => {
    try {
      return (await (await readMetadata(place)).json()) as ProviderMetadata
    } catch (error) {
      throw notThere(error)
    }
  }
  const metadata = async (): Promise<ProviderMetadata> => {
    if (known && Date.now() - known.at < hour) return known.metadata
    const asked = { at: Date.now(), metadata: discover() }
    known = asked
    try {
      return await asked.metadata
    } catch (error) {
      if (known === asked) known = null
      throw error
    }
  }
  return {
    metadata,
    async keys(header, token) {
      const { jwks_uri: url } = await metadata()
      if (keySet?.url !== url) {
        const find = createRemoteJWKSet(new URL(url), { cooldownDuration: pause, [customFetch]: readKeys })
        keySet = { url, find }
      }
      try {
        return await keySet.find(header, token)
      } catch (error) {
        // The token names a key that is not there, or cannot be verified by it: its client's fault.
        if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JOSENotSupported) throw error
        if (error instanceof errors.JWKSMultipleMatchingKeys) throw error
        throw notThere(error)
      }
    },
  }
}

/** @throws {Error} for what is no metadata of this issuer: another one's keys would sign tokens in its name. */
function checkMetadata(found: unknown, issuer: string, place: string): void {
  const { issuer: named, jwks_uri: keys } = (found ?? {}) as Record<string, unknown>
  if (named !== issuer) throw new Error(`${place} is about the issuer ${named}, not ${issuer}.`)
  if (typeof keys !== 'string' || !URL.canParse(keys)) throw new Error(`${place} names no jwks_uri.`)
  if (new URL(issuer).protocol === 'https:' && new URL(keys).protocol !== 'https:')
    throw new Error(`${place}: jwks_uri ${keys} is no https URL.`)
}

function checkKeys(found: unknown, place: string): void {
  if (!Array.isArray((found as { keys?: unknown } | null)?.keys)) throw new Error(`${place} has no list of keys.`)
}

/** 503, with what failed as its cause for the log. */
export function notThere(cause: unknown): Error {
  const failure = unavailable(10)
  failure.cause = cause
  return failure
}
