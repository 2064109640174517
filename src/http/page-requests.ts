import type { Context } from 'koa'
import { badParameter, methodNotAllowed } from '../document/errors.ts'
import { say } from '../document/text.ts'
import { throwAny } from '../query/failures.ts'
import { notAllowed, parseParameters } from '../query/parameters.ts'
import type { CompiledServer } from '../server/compile.ts'
import { respond } from './response/respond.ts'

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

/**
 * The types that a page of the server is to be about, by `types=posts,users`; null for all.
 *
 * @throws {JsonApiError} 400 for a type that the server does not have, and for every other parameter.
 */
export function typesNamed({ search }: Context, server: CompiledServer): ReadonlySet<string> | null {
  const { limits, ignoresUnknownParameters, schemas } = server
  const [asked, others] = partition(parseParameters({ search }, limits), ({ key }) => key === 'types')
  if (!ignoresUnknownParameters) throwAny(others.map(({ key }) => notAllowed(key)))
  if (asked.length === 0) return null
  const types = new Set(asked.flatMap(({ value }) => value.split(',')))
  throwAny([...types].filter((type) => !schemas.byType.has(type)).map(unknownType))
  return types
}

const unknownType = (type: string) => badParameter('types', say`The server has no resource type ${type}.`)

const partition = <T>(all: readonly T[], test: (each: T) => boolean): readonly [T[], T[]] => [
  all.filter(test),
  all.filter((each) => !test(each)),
]

/** There is nothing to ask of a page of the server itself. */
export function refuseParameters({ search }: Context, { limits, ignoresUnknownParameters }: CompiledServer): void {
  if (ignoresUnknownParameters) return
  throwAny(parseParameters({ search }, limits).map(({ key }) => notAllowed(key)))
}
