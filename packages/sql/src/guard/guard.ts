import type { Feature } from '@prismapi/core/api/feature'
import { inSession } from '@prismapi/core/database/prisma/sessions'
import { guardedRole, isGuarded, type Session, trustedRole } from '@prismapi/core/database/session'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { Decimal } from '@prismapi/jsonapi/model/prisma-values'
import { liveKey } from '@prismapi/jsonapi/request/features'

const jobSession: Session = Object.freeze({ role: trustedRole, caller: '' })

/** The database is told who is asking, where its clients are guarded: then its own rules for rows hold. */
export const guard: Feature = {
  serve: ({ options: { clients } }) => {
    if (!isGuarded(clients)) return () => null
    return (server) => {
      const sessionOf = sessionsOf(server)
      return {
        store: (store, { user, job, isWithin }) =>
          isWithin ? store : inSession(store, job === null ? sessionOf(user) : jobSession),
      }
    }
  },
}

/**
 * Tells the database who is asking: for each request of a server, as that role and with the scalar claims of its user.
 */
export const sessionsOf =
  ({ name, features }: CompiledServer) =>
  (user: unknown): Session => ({
    role: guardedRole,
    caller: JSON.stringify({ server: name, user: user == null ? null : claimsOf(user) }),
    ...(features.get(liveKey)?.trail && { log: 'Change' }),
  })

function claimsOf(user: object): Readonly<Record<string, unknown>> {
  const claims = namesOf(user).map((name) => [name, claimOf(user[name as keyof typeof user])] as const)
  return Object.fromEntries(claims.filter(([, claim]) => claim !== undefined))
}

/** Its own properties, and the getters of its classes. */
function namesOf(user: object): readonly string[] {
  const names = new Set(Object.keys(user))
  for (let at = Object.getPrototypeOf(user); at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(at))) if (get) names.add(name)
  return [...names]
}

/** A value as JSON has it; undefined for one that no rule can name. */
function claimOf(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value === 'bigint' || Decimal.isDecimal(value)) return String(value)
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'function' || (typeof value === 'object' && value !== null) ? undefined : value
}
