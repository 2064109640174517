import type { User } from '../model/register.ts'

/**
 * The name of a feature, with the type of what it compiles of a server.
 *
 * @example
 * const releaseKey = new FeatureKey<{ readonly release: string }>('release')
 */
export class FeatureKey<Value> {
  /** What errors call the feature. */
  readonly name: string
  /** The type alone: there is no such member. */
  declare readonly value: Value

  /** Two keys of one name are one. */
  constructor(name: string) {
    this.name = name
  }
}

/** How a server tells changes as they happen. */
export interface LiveOptions {
  /** Seconds for which the log of changes is kept; by default a day. */
  readonly keep: number
  /** Streams that one user may have open, and that guests of one address may; by default 5, then 429. */
  readonly streamsPerCaller: number
  /** Streams of all callers of one process; by default 1,000, then 503. */
  readonly streams: number
  /** Seconds between the comment lines that keep a connection; by default 15. */
  readonly heartbeat: number
  /**
   * The model whose rows are users: `authenticate` is asked again when the row of a user changes. By default `User`.
   */
  readonly users: string
  /**
   * True: the log is served as the read-only type `changes`, to callers
   * whom the policy of `Change` allows to see it. By default false.
   */
  readonly trail: boolean
  /** What tells one user from all others; by default the user's `id`. */
  readonly callerOf: (user: User) => string
}

export const liveKey = new FeatureKey<LiveOptions>('live')

export const defaultLive: LiveOptions = Object.freeze({
  keep: 86_400,
  streamsPerCaller: 5,
  streams: 1000,
  heartbeat: 15,
  users: 'User',
  trail: false,
  callerOf(user: User) {
    const id = userId(user)
    if (id !== null) return id
    throw new Error(
      'What authenticate() returned has no "id" by which streams could be counted. Add one, or set live = { callerOf: (user) => … } in the server class.',
    )
  },
})

/** How a server keeps the answers to requests with an `Idempotency-Key`. */
export interface IdempotencyOptions {
  /** The Prisma model that holds them; by default `IdempotencyKey`. */
  readonly model: string
  /** Seconds for which an answer is kept; by default a day. */
  readonly keptSeconds: number
  /**
   * Seconds after which a repeat takes over a request that was not answered, because its process
   * ended; by default 30. How long it is decides how long a repeat waits, not what is written.
   */
  readonly leaseSeconds: number
  /**
   * What tells one caller from all others; by default the user's `id`. The scopes of the request and
   * the claims of a JWT are parts of a key beside it: name here what neither of them tells apart.
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

/** The id of a user as a text, for what is counted and kept by user; null where the application's users have none. */
export function userId(user: User): string | null {
  const { id } = user as { readonly id?: unknown }
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? String(id) : null
}
