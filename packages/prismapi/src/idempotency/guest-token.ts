import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { badToken } from '@prismapi/jsonapi/document/errors'

// Guests have no name by which the server could tell them apart. Who knows the token of a request is who sent it.

export const tokenHeader = 'Idempotency-Token'

// 128 bits, in the letters of base64 or as a UUID.
const pattern = /^[\w.~+/=-]{22,255}$/

/**
 * The token that a guest sent; null where there is none.
 * @throws {JsonApiError} 400
 */
export function parseToken(header: string | undefined): string | null {
  if (header === undefined) return null
  if (!pattern.test(header)) throw badToken()
  return header
}

/** A token for a guest who sent none. */
export const newToken = (): string => randomBytes(32).toString('base64url')

const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** The owner of a claim, by which its token is known again; `claim` is another one for each. */
export const ownerWith = (claim: string, token: string | null): string =>
  token === null ? claim : `${claim} ${digestOf(token)}`

/** Is it the token of the claim that has this owner. */
export function isTokenOf(owner: string, token: string): boolean {
  const [, digest] = owner.split(' ')
  return digest !== undefined && timingSafeEqual(Buffer.from(digest), Buffer.from(digestOf(token)))
}
