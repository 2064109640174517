import type { Awaitable } from '../model/awaitable.ts'
import type { Scopes, Where } from '../model/where.ts'
import type { Operation } from './operation.ts'

/** A rule that names the action, and what it makes of the row. */
export interface JudgedRule {
  /** Which one it is of those that `abilities` declared for this user, from 1 on. */
  readonly rule: number
  readonly effect: 'can' | 'cannot'
  /** Null where it holds for every row. */
  readonly where: Where | null
  /** What `because` said. */
  readonly because: string | null
  /** Null where a null in the row leaves it open. */
  readonly holds: boolean | null
}

/** Who decides: the request class, an authorizer, a method or the rules of the policy, nobody, or nobody is asked. */
export type Authority = 'request' | 'authorizer' | 'method' | 'rules' | 'nobody' | 'unprotected'

/** What was decided on an operation, by whom, and why. */
export interface Decided {
  readonly operation: Operation
  readonly by: Authority
  /** `updateTags() of policies/post.policy.ts`; null where nobody is asked. */
  readonly place: string | null
  readonly allowed: boolean
  /** What the denial says, where it says something. */
  readonly message: string | null
  /** The strongest first, where rules decide. */
  readonly rules: readonly JudgedRule[]
  /** Which of them decided; null where none did. */
  readonly decisive: number | null
}

/** What is read at once: a level of what the request reads, or a number of rows. */
export interface AskedLevel {
  readonly operation: 'rows' | 'joined' | 'count' | 'countBy' | 'countThrough'
  readonly model: string
  readonly plan: Readonly<Record<string, unknown>>
}

/**
 * Is told why a request is answered as it is. Where it asks by itself, `aside` keeps that out of what it is told.
 *
 * @internal
 */
export interface Explaining {
  /** Nothing is done once the request is authorized. */
  readonly endsAtAuthorization: boolean
  began(served: { readonly user: unknown; readonly scopes: Scopes }): void
  decided(decided: Decided): void
  read<T>(level: AskedLevel, work: () => Awaitable<T>): Awaitable<T>
  /** What is asked for within, at once, is no part of the request. */
  aside<T>(work: () => T): T
}

/** Ends the work on a request that was to be authorized and no more. */
export class AuthorizedOnly extends Error {
  override readonly name = 'AuthorizedOnly'
}
