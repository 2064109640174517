import { FeatureKey } from '../model/feature-key.ts'
import type { User } from '../model/register.ts'
import { userId } from './user-id.ts'

/** How a server keeps the answers to requests with an `Idempotency-Key`. */
export interface IdempotencyOptions {
  /** The Prisma model that holds them; by default `IdempotencyKey`. */
  readonly model: string
  /** Seconds for which an answer is kept; by default a day. */
  readonly keptSeconds: number
  /**
   * Seconds after which a repeat takes over a request that was not answered, because its process ended; by default 30. How
   * long it is decides how long a repeat waits, not what is written.
   */
  readonly leaseSeconds: number
  /**
   * What tells one caller from all others; by default the user's `id`. The scopes of the request and the claims of a JWT are
   * parts of a key beside it: name here what neither of them tells apart.
   */
  readonly callerOf: (user: User) => string
}

export const idempotencyKey = new FeatureKey<IdempotencyOptions>('idempotency')

export const defaultIdempotency: IdempotencyOptions = Object.freeze({
  model: 'IdempotencyKey',
  keptSeconds: 86_400,
  leaseSeconds: 30,
  callerOf(user: User) {
    const id = userId(user)
    if (id !== null) return id
    throw new Error(
      'What authenticate() returned has no "id" by which an Idempotency-Key could be kept for its user. Add one, or set idempotency = { callerOf: (user) => … } in the server class.',
    )
  },
})
