import type { Context } from 'koa'
import type { AtomicOperation } from '../../document/atomic-operations.ts'
import { documentUses, endpointUses, operationUses, queryUses } from '../../request/deprecated-uses.ts'
import type { Operation, Place } from '../../request/operation.ts'
import { type Deprecation, type Ending, endingOf } from '../../schema/deprecation.ts'
import type { CompiledServer } from '../../server/compile.ts'

// Errors say it, too: so it is told before the work begins, and again when more is known.

/** Says that the server will be gone, whatever was asked of it. */
export const tellServer = (ctx: Context, { deprecation }: CompiledServer): void =>
  tell(ctx, deprecation ? [deprecation] : [])

/** Says that what lies at a URL will be gone, before anybody asks whether it has the method. */
export const tellPlace = (ctx: Context, { deprecation }: CompiledServer, place: Place | null): void =>
  tell(ctx, [...(deprecation ? [deprecation] : []), ...(place ? endpointUses(place) : [])])

/** Says what a request uses that will be gone: of its URL, and of the document that it sent. */
export function tellUses(ctx: Context, server: CompiledServer, operation: Operation, body?: unknown): void {
  const { deprecation, schemas } = server
  tell(ctx, [
    ...(deprecation ? [deprecation] : []),
    ...endpointUses(operation),
    ...queryUses(schemas, operation, ctx.search),
    ...(body === undefined ? [] : documentUses(operation.schema, body)),
  ])
}

/** Says it of everything that the operations of an atomic request are about. */
export function tellOperations(ctx: Context, server: CompiledServer, operations: readonly AtomicOperation[]): void {
  const { deprecation, schemas } = server
  tell(ctx, [
    ...(deprecation ? [deprecation] : []),
    ...operations.flatMap(({ target, data }) => {
      const schema = schemas.byType.get(target.type)
      return schema ? operationUses(schema, target.relationship, data) : []
    }),
  ])
}

function tell({ res, state }: Context, uses: readonly Deprecation[]): void {
  const ending = endingOf(uses)
  if (!ending) return
  const { Link: links = [], ...dates } = headersOf(ending)
  for (const [name, value] of Object.entries(dates)) res.setHeader(name, value)
  // What middleware before the server says stays.
  state.otherLinks ??= [res.getHeader('Link') ?? []].flat().map(String)
  if (links.length > 0) res.setHeader('Link', [...state.otherLinks, ...links])
}

interface Headers {
  readonly Deprecation: string
  readonly Sunset?: string
  readonly Link?: readonly string[]
}

/** RFC 9745: a date of structured fields, which is seconds. RFC 8594: a date of HTTP. */
export function headersOf({ since, sunset, links }: Ending): Headers {
  const relations = sunset === null ? ['deprecation'] : ['deprecation', 'sunset']
  return {
    Deprecation: `@${Math.floor(Date.parse(since) / 1000)}`,
    ...(sunset !== null && { Sunset: new Date(sunset).toUTCString() }),
    ...(links.length > 0 && {
      Link: links.flatMap((link) => relations.map((relation) => `<${new URL(link).href}>; rel="${relation}"`)),
    }),
  }
}
