import type { JsonApiObject } from './types.ts'

/** The media type of JSON:API. */
export const jsonApiMediaType = 'application/vnd.api+json'

/**
 * URIs of extensions and profiles: those that a server knows, those that a message uses, those applied to an answer.
 *
 * @internal
 */
export interface Extensions {
  readonly ext: readonly string[]
  readonly profile: readonly string[]
}

export const noExtensions: Extensions = Object.freeze({ ext: [], profile: [] })

/** What either asks for, once. */
export const bothExtensions = (a: Extensions, b: Extensions): Extensions =>
  a.ext.length + a.profile.length === 0
    ? b
    : { ext: [...new Set([...a.ext, ...b.ext])], profile: [...new Set([...a.profile, ...b.profile])] }

/** The `jsonapi` member of a document: what was applied is named, what was not is not there. */
export const jsonapiOf = (version: JsonApiObject['version'], { ext, profile }: Extensions): JsonApiObject => ({
  version,
  ...(ext.length > 0 && { ext }),
  ...(profile.length > 0 && { profile }),
})

/** The URIs by which clients and servers agree on extensions and profiles (JSON:API 1.1, *Extensions and Profiles*). */
export const atomicExtension = 'https://jsonapi.org/ext/atomic'
export const cursorProfile = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'
/** The kinds of error that the cursor profile names. */
export const cursorErrors = {
  maxSizeExceeded: `${cursorProfile}/max-size-exceeded`,
  rangeNotSupported: `${cursorProfile}/range-pagination-not-supported`,
  unsupportedSort: `${cursorProfile}/unsupported-sort`,
} as const
export const filterProfile = 'urn:prismapi:profile:filter'
export const upsertProfile = 'urn:prismapi:profile:upsert'
