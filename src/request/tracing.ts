import { isPromise } from '../model/awaitable.ts'
import type { Explaining } from './explaining.ts'

/** The parts of the work on a request that are told to whoever follows it. */
export type Stage = 'authenticate' | 'authorize' | 'query' | 'validate' | 'read' | 'write' | 'serialize'

/** Why a write begins anew: it met another one, the file was busy, or the row was changed after it had been judged. */
export type Repeat = 'met' | 'busy' | 'overtaken'

/** Follows the work on a request. It changes nothing: work that answers at once is answered at once. */
export interface Tracing {
  /** Does the work of a stage. `model` where it is about rows of one. */
  stage<T>(stage: Stage, work: () => T, model?: string): T
  /** Is told when a write begins anew. */
  repeated(reason: Repeat): void
  /**
   * Wants to know not only when, but why.
   *
   * @internal
   */
  readonly explaining?: Explaining
}

interface Traced {
  /** Null where nobody follows the request. */
  readonly tracing: Tracing | null
}

/** The work as a stage, of contexts that somebody follows; of all others it is the work and nothing else. */
export function staged<Ctx extends Traced, A, T>(stage: Stage, work: (ctx: Ctx, a: A) => T): (ctx: Ctx, a: A) => T
export function staged<Ctx extends Traced, A, B, T>(stage: Stage, work: Work<Ctx, A, B, T>): Work<Ctx, A, B, T>
export function staged<Ctx extends Traced, A, B, T>(stage: Stage, work: Work<Ctx, A, B, T>): Work<Ctx, A, B, T> {
  return (ctx, a, b) => (ctx.tracing ? followed(stage, work, [ctx, a, b]) : work(ctx, a, b))
}

type Work<Ctx, A, B, T> = (ctx: Ctx, a: A, b: B) => T

// Apart from it, so that nothing is allocated where nobody follows.
const followed = <Ctx extends Traced, A, B, T>(
  stage: Stage,
  work: Work<Ctx, A, B, T>,
  [ctx, a, b]: readonly [Ctx, A, B],
): T => (ctx.tracing as Tracing).stage(stage, () => work(ctx, a, b))

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

/** Two that follow the same request. */
export const bothTracing = (outer: Tracing, inner: Tracing): Tracing => ({
  stage: (stage, work, model) => outer.stage(stage, () => inner.stage(stage, work, model), model),
  repeated(reason) {
    outer.repeated(reason)
    inner.repeated(reason)
  },
  ...explainingOf(outer.explaining ?? inner.explaining),
})

const explainingOf = (explaining: Explaining | undefined) => explaining && { explaining }
