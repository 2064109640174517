import type { Resources } from '../model/meta.ts'
import type { Scopes } from '../model/where.ts'
import type { RequestContext } from '../request/context.ts'
import type { Limits } from '../request/limits.ts'
import type { HookRequest, SchemaRegistry } from '../schema/resource-schema.ts'

/** What the meaning of a query depends on beside its schema: of the server, and of this request. */
export interface CheckContext {
  readonly resources: Resources
  readonly registry: SchemaRegistry
  readonly scopes: Scopes
  readonly limits: Limits
  /** The models whose deleted rows this request may see. */
  readonly trash: ReadonlySet<string>
  /** What the schema's own filters may know of the request. */
  readonly request: HookRequest
}

export const toCheckContext = ({ server, served, limits, user, method, url }: RequestContext): CheckContext => ({
  resources: server.resources,
  registry: server.schemas,
  scopes: served.scopes,
  limits,
  trash: served.trash,
  request: Object.freeze({ user, method, url }),
})
