import { type Caller, callerOf } from '../../openapi/caller.ts'
import type { Described } from '../../openapi/described.ts'
import { shownSchemas } from '../../openapi/shown-schemas.ts'
import type { PageOptions } from '../../server/pages.ts'
import type { ServerContext } from '../../server/server-context.ts'

/** A server as this caller is told of it, on pages as in its OpenAPI document. */
export interface VisibleApi extends Described {
  readonly audience: Caller
  readonly pages: PageOptions
}

export async function visibleApiFor(ctx: ServerContext): Promise<VisibleApi> {
  const audience = await callerOf(ctx)
  const schemas = shownSchemas(ctx.server.schemas, audience)
  return { ...ctx.server, audience, examples: new Map(), schemas, told: [], shared: null }
}
