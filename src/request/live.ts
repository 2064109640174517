import { FeatureKey } from '../model/feature-key.ts'
import type { User } from '../model/register.ts'
import { userId } from './user-id.ts'

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
  /** The model whose rows are users: `authenticate` is asked again when the row of a user changes. By default `User`. */
  readonly users: string
  /** True: the log is served as the read-only type `changes`, to callers whom the policy of `Change` allows to see it. By default false. */
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
