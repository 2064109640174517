import type { Condition } from '../condition/condition.ts'
import type { FieldRule } from '../condition/field-access.ts'
import type { OrderTerm } from '../condition/order-term.ts'
import type { Scopes } from '../condition/scopes.ts'
import { type Awaitable, after } from '../model/awaitable.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { ExplainedDecision } from './decided.ts'
import type { Tracing } from './tracing.ts'

/**
 * Follows one request: the time of its stages, and points of its way, such as authorization, the price and each read. Writes are a
 * stage of their own. An observer changes nothing. A request that nothing observes has null in its place, and pays nothing.
 */
export interface Observer extends Tracing {
  /** The serving phase is over: the user is known, and the scopes of the request. */
  served?(phase: ServedPhase): void
  /** An operation was allowed or denied. What the observer throws is thrown by the stage. */
  authorized?(authorization: Authorization): Awaitable<void>
  /** The rows whose links the request makes and ends may be changed, each of which was told as an operation. What it throws is thrown by the stage. */
  linksPermitted?(): void
  /** What is asked for has its price, and nothing of it is read yet. What the observer throws is thrown by the stage. */
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
