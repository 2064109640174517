import { isPromise } from '../model/awaitable.ts'

/** The parts of the work on a request that its observer measures. */
export type Stage = 'authenticate' | 'authorize' | 'query' | 'validate' | 'read' | 'write' | 'serialize'

/** Why a write begins anew: it met another one, the file was busy, or the row was changed after it had been judged. */
export type Repeat = 'serializationFailure' | 'locked' | 'staleRow'

/**
 * A stream was opened, or its connection has ended; an event was sent; or what was changed has been read for all streams of one watch,
 * so many seconds after the first of these changes was written.
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

interface Observed {
  /** Null where nothing observes the request. */
  readonly observer: Tracing | null
}

/** The work as a stage of the requests that are observed; of all others it is the work and nothing else. */
export function staged<Ctx extends Observed, A, T>(stage: Stage, work: (ctx: Ctx, a: A) => T): (ctx: Ctx, a: A) => T
export function staged<Ctx extends Observed, A, B, T>(stage: Stage, work: Work<Ctx, A, B, T>): Work<Ctx, A, B, T>
export function staged<Ctx extends Observed, A, B, T>(stage: Stage, work: Work<Ctx, A, B, T>): Work<Ctx, A, B, T> {
  return (ctx, a, b) => (ctx.observer ? followed(stage, work, [ctx, a, b]) : work(ctx, a, b))
}

type Work<Ctx, A, B, T> = (ctx: Ctx, a: A, b: B) => T

// Apart from it, so that nothing is allocated where nothing observes.
const followed = <Ctx extends Observed, A, B, T>(
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
