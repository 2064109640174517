import type { Context } from 'koa'
import { methodNotAllowed } from '../../document/errors.ts'
import { throwAny } from '../../query/failures.ts'
import { notAllowed, parseParameters } from '../../query/parameters.ts'
import type { CompiledServer } from '../../server/compile.ts'
import { respond } from '../response/respond.ts'

const reading: readonly string[] = ['GET', 'HEAD']

/**
 * Answers what asks a page of the server itself for its methods: those of reading, unless others are given.
 *
 * @returns true where that was the question.
 * @throws {JsonApiError} 405 for a method that it does not have.
 */
export function answerMethods(ctx: Context, methods = reading): boolean {
  if (methods.includes(ctx.method)) return false
  if (ctx.method !== 'OPTIONS') throw methodNotAllowed(ctx.method, ctx.path, methods)
  respond(ctx, 204, null, { Allow: methods.join(', ') })
  return true
}

/** There is nothing to ask of a page of the server itself. */
export function refuseParameters({ search }: Context, { limits, ignoresUnknownParameters }: CompiledServer): void {
  if (ignoresUnknownParameters) return
  throwAny(parseParameters(search, limits).map(({ key }) => notAllowed(key)))
}
