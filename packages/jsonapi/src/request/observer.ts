import type { Condition } from '../condition/condition.ts'
import type { OrderTerm } from '../condition/order-term.ts'
import type { FieldRule, Scopes } from '../condition/scopes.ts'
import { type Awaitable, after, isPromise } from '../model/awaitable.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { Operation } from './operation.ts'

/**
 * Follows one request: the time of its stages, and points of its way, such as
 * authorization, the price and each read. Writes are a stage of their own. An observer
 * changes nothing. A request that nothing observes has null in its place, and pays nothing.
 *
 * @internal
 */
export interface Observer extends Tracing {
  /** The serving phase is over: the user is known, and the scopes of the request. */
  served?(phase: ServedPhase): void
  /** An operation was allowed or denied. What the observer throws is thrown by the stage. */
  authorized?(authorization: Authorization): Awaitable<void>
  /**
   * The rows whose links the request makes and ends may be changed, each of
   * which was told as an operation. What it throws is thrown by the stage.
   */
  linksPermitted?(): void
  /**
   * What is asked for has its price, and nothing of it is read yet. What the observer throws is thrown by the stage.
   */
  priced?(price: Priced): Awaitable<void>
  /** Rules about fields were asked which of them the caller sees of the resources that are read. */
  concealed?(concealed: Concealed): void
  /** Rules about fields were asked whether the caller may write one of a row. */
  fieldWritten?(written: FieldWritten): void
  /** Does a read of the database, and answers with what it gives. */
  aroundRead?<T>(read: ObservedRead, work: () => Awaitable<T>): Awaitable<T>
}

/** Resources of a type, and the fields of them that rules decide about. */
export interface Concealed {
  readonly schema: ResourceSchema
  readonly fields: readonly ConcealedField[]
}

/** A field of a row that was sent, or saved. */
export interface FieldWritten {
  readonly schema: ResourceSchema
  readonly allowed: boolean
  readonly rules: readonly FieldRule[]
}

export interface ConcealedField {
  readonly name: string
  /** Of the resources that it is hidden of. */
  readonly ids: readonly string[]
  /** Is it seen of others. */
  readonly isSeen: boolean
  readonly rules: readonly FieldRule[]
}

/** What a request costs, in points. */
export interface Priced {
  readonly points: number
  readonly limit: number
  /** The parameters that it comes from, as they were sent, and the points of each. */
  parameters(): readonly PricedParameter[]
}

export interface PricedParameter {
  readonly parameter: string
  readonly points: number
}

export interface ServedPhase {
  readonly user: unknown
  readonly scopes: Scopes
}

export interface Authorization {
  readonly allowed: boolean
  /** False: rows whose links the request makes or ends are asked about as well, before anything is written. */
  readonly isLast: boolean
  /** Finds out what decided, and why. It may read, by the reader of the request. */
  explain(): Promise<ExplainedDecision>
}

/** What is read at once: a level of what the request reads, or a number of rows. */
export interface ObservedRead {
  readonly operation: 'rows' | 'joined' | 'count' | 'countBy' | 'countThrough' | 'groups'
  readonly model: string
  readonly where: Condition
  readonly order?: readonly OrderTerm[]
  readonly skip?: number
  /** Null for all rows. */
  readonly take?: number | null
  /** The rows of each parent, at most. */
  readonly takePerParent?: number
  /** The relation of the rows that leads back to their parents, where that is an implicit many-to-many. */
  readonly through?: string
}

/** Both observe the same request; the inner one lies within what the outer one measures. */
export function bothObservers(outer: Observer, inner: Observer): Observer {
  const { authorized } = inner.authorized ? inner : outer
  const all = [outer, inner]
  return {
    stage: (stage, work, model) => outer.stage(stage, () => inner.stage(stage, work, model), model),
    repeated: (reason) => all.forEach((each) => void each.repeated(reason)),
    streamed: (step) => all.forEach((each) => void each.streamed?.(step)),
    served: (phase) => all.forEach((each) => void each.served?.(phase)),
    linksPermitted: () => all.forEach((each) => void each.linksPermitted?.()),
    concealed: (told) => all.forEach((each) => void each.concealed?.(told)),
    fieldWritten: (told) => all.forEach((each) => void each.fieldWritten?.(told)),
    ...(authorized && {
      async authorized(authorization) {
        for (const each of all) await each.authorized?.(authorization)
      },
    }),
    ...((outer.priced || inner.priced) && {
      priced: (price) => after(outer.priced?.(price), () => inner.priced?.(price)),
    }),
    ...((outer.aroundRead || inner.aroundRead) && {
      aroundRead: (read, work) => readBy(outer, read, () => readBy(inner, read, work)),
    }),
  }
}

const readBy = <T>(observer: Observer, read: ObservedRead, work: () => Awaitable<T>): Awaitable<T> =>
  observer.aroundRead ? observer.aroundRead(read, work) : work()

/** The parts of the work on a request that its observer measures. */
export type Stage = 'authenticate' | 'authorize' | 'query' | 'validate' | 'read' | 'write' | 'serialize'

/** Why a write begins anew: it met another one, the file was busy, or the row was changed after it had been judged. */
export type Repeat = 'serializationFailure' | 'locked' | 'staleRow'

/**
 * A stream was opened, or its connection has ended; an event was sent; or what was changed has been
 * read for all streams of one watch, so many seconds after the first of these changes was written.
 */
export type StreamStep =
  | { readonly kind: 'opened' | 'closed' }
  | { readonly kind: 'sent'; readonly event: string }
  | { readonly kind: 'looked'; readonly seconds: number }

/** Follows the work on a request. It changes nothing: work that answers at once is answered at once. */
export interface Tracing {
  /** Does the work of a stage. `model` where it is about rows of one. */
  stage<T>(stage: Stage, work: () => T, model?: string): T
  /** Is told when a write begins anew. */
  repeated(reason: Repeat): void
  /** Is told what becomes of the stream that the request opened. */
  streamed?(step: StreamStep): void
}

/** What an observer does that follows neither stages nor writes. */
export const noTracing: Pick<Tracing, 'stage' | 'repeated'> = { stage: (_stage, work) => work(), repeated() {} }

interface ObservedContext {
  /** Null where nothing observes the request. */
  readonly observer: Tracing | null
}

/** The work as a stage of the requests that are observed; of all others it is the work and nothing else. */
export function asStage<Ctx extends ObservedContext, A, T>(
  stage: Stage,
  work: (ctx: Ctx, a: A) => T,
): (ctx: Ctx, a: A) => T
export function asStage<Ctx extends ObservedContext, A, B, T>(
  stage: Stage,
  work: Work<Ctx, A, B, T>,
): Work<Ctx, A, B, T>
export function asStage<Ctx extends ObservedContext, A, B, T>(
  stage: Stage,
  work: Work<Ctx, A, B, T>,
): Work<Ctx, A, B, T> {
  return (ctx, a, b) => (ctx.observer ? follow(stage, work, [ctx, a, b]) : work(ctx, a, b))
}

type Work<Ctx, A, B, T> = (ctx: Ctx, a: A, b: B) => T

// Apart from it, so that nothing is allocated where nothing observes.
const follow = <Ctx extends ObservedContext, A, B, T>(
  stage: Stage,
  work: Work<Ctx, A, B, T>,
  [ctx, a, b]: readonly [Ctx, A, B],
): T => (ctx.observer as Tracing).stage(stage, () => work(ctx, a, b))

/** Does the work, and says when it has come to its end: at once or later, with what it failed by or undefined. */
export function untilDone<T>(work: () => T, onEnd: (failure: unknown) => void): T {
  let result: T
  try {
    result = work()
  } catch (error) {
    onEnd(error ?? 'nothing')
    throw error
  }
  if (!isPromise(result)) {
    onEnd(undefined)
    return result
  }
  // A second promise behind it would tell of its failure once more.
  return result.then(
    (value) => {
      onEnd(undefined)
      return value
    },
    (error: unknown) => {
      onEnd(error ?? 'nothing')
      throw error
    },
  ) as T
}

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

/**
 * What decides: the request class, an authorizer, a method or the
 * rules of the policy; `nobody`: no rule names the action.
 */
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
  /** What the policy says, where a request class denies before it is asked. */
  readonly next?: ExplainedDecision
}
