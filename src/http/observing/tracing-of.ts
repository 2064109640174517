import type { Context } from 'koa'
import type { Tracing } from '../../request/tracing.ts'
import type { Authenticate } from '../build-context.ts'

/** Answers a request, whatever comes of it. */
export type Handle = (ctx: Context) => Promise<void>

/** Who follows the request; null where nobody does. */
export const tracingOf = ({ state }: Context): Tracing | null => state.tracing ?? null

/** Authentication as a stage, where somebody follows the request. */
export const tracedAuthenticate =
  (authenticate: Authenticate): Authenticate =>
  (ctx) => {
    const tracing = tracingOf(ctx)
    return tracing ? tracing.stage('authenticate', () => authenticate(ctx)) : authenticate(ctx)
  }
