import type { CompiledServer } from '@prismapi/core/server/compile'
import { areFew, type ClaimType, personasOf, type UserType } from './persona.ts'
import { policyModel } from './policy-model.ts'

/**
 * The user type with the claims that rules read, where all claims together make too many kinds of callers. Every other
 * claim with several values is unknown: nothing is proved of code that reads it all the same.
 *
 * @throws {Error} where the claims that rules read make more than 256 kinds of callers
 * @example
 * // A row of 60 columns, of which the policies read id and role.
 * const { claims } = await withReadClaims(servers, readUserType(sources, resources))
 */
export async function withReadClaims(servers: readonly CompiledServer[], userType: UserType): Promise<UserType> {
  if (areFew(userType)) return userType
  const read = new Set<string>()
  for (;;) {
    const narrowed = { ...userType, claims: withoutUnread(userType.claims, read) }
    const known = read.size
    const onUnknown = (name: string) => {
      if (userType.claims[name]?.kind !== 'unknown') read.add(name)
    }
    // Code stops at the first claim that it is not told, so it runs until it has named them all.
    await policyModel(servers, personasOf(narrowed), { ...narrowed, onUnknown }, true)
    if (read.size === known) return narrowed
  }
}

const unread: ClaimType = { kind: 'unknown', says: 'one of too many claims' }

const withoutUnread = (claims: UserType['claims'], read: ReadonlySet<string>): UserType['claims'] =>
  Object.fromEntries(
    Object.entries(claims).map(([name, type]) => [name, read.has(name) || isOne(type) ? type : unread]),
  )

/** Does it tell no callers apart? */
const isOne = (type: ClaimType): boolean => type.kind === 'unknown' || (type.kind === 'symbol' && !type.isNullable)
