import type { Context } from 'koa'
import { methodNotAllowed } from '../document/errors.ts'
import { throwAny } from '../query/failures.ts'
import { notAllowed, parseParameters } from '../query/parameters.ts'
import type { CompiledServer } from '../server/compile.ts'
import { respond } from './respond.ts'

/**
 * Answers what asks a page of the server itself for its methods.
 *
 * @returns true where that was the question.
 * @throws {JsonApiError} 405 for what is no reading.
 */
export function answerMethods(ctx: Context): boolean {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return false
  if (ctx.method !== 'OPTIONS') throw methodNotAllowed(ctx.method, ctx.path, ['GET', 'HEAD'])
  respond(ctx, 204, null, { Allow: 'GET, HEAD' })
  return true
}

/** There is nothing to ask of a page of the server itself. */
export function refuseParameters({ search }: Context, { limits, ignoresUnknownParameters }: CompiledServer): void {
  if (ignoresUnknownParameters) return
  throwAny(parseParameters(search, limits).map(({ key }) => notAllowed(key)))
}
