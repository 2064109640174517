import type { Condition } from '../condition/condition.ts'
import type { Operation } from './operation.ts'

/** A rule that names the action, and what it makes of the row. */
export interface ExplainedRule {
  /** Which one it is of those that `abilities` declared for this user, from 1 on. */
  readonly rule: number
  readonly effect: 'can' | 'cannot'
  /** Null where it holds for every row. */
  readonly where: Condition | null
  /** What `because` said. */
  readonly because: string | null
  /** Null where a null in the row leaves it open. */
  readonly holds: boolean | null
}

/** What decides: the request class, an authorizer, a method or the rules of the policy; `nobody`: no rule names the action. */
export type Authority = 'request' | 'authorizer' | 'method' | 'rules' | 'nobody' | 'unprotected'

/** The decision on an operation, and why it was made. */
export interface ExplainedDecision {
  readonly operation: Operation
  readonly by: Authority
  /** `updateTags() of policies/post.policy.ts`; null where authorization is turned off. */
  readonly place: string | null
  readonly allowed: boolean
  /** What the denial says, where it says something. */
  readonly message: string | null
  /** The strongest first, where rules decide. */
  readonly rules: readonly ExplainedRule[]
  /** Which of them decided; null where none did. */
  readonly decisive: number | null
}
