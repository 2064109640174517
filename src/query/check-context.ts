import type { Scopes } from '../condition/scopes.ts'
import type { Resources } from '../model/meta.ts'
import { hookRequest } from '../request/hook-request.ts'
import type { Limits } from '../request/limits.ts'
import type { HookRequest } from '../schema/hook-request.ts'
import { type Attribute, attributeOf, type ResourceSchema, type SchemaRegistry } from '../schema/resource-schema.ts'
import type { QueryContext } from './query-context.ts'

/** What the meaning of a query depends on beside its schema: of the server, and of this request. */
export interface CheckContext {
  readonly resources: Resources
  readonly registry: SchemaRegistry
  readonly scopes: Pick<Scopes, 'get'>
  readonly limits: Limits
  /** The models whose deleted rows this request may see. */
  readonly trash: ReadonlySet<string>
  /** What the schema's own filters may know of the request. */
  readonly request: HookRequest
}

export const toCheckContext = (ctx: QueryContext): CheckContext => ({
  resources: ctx.server.resources,
  registry: ctx.server.schemas,
  scopes: ctx.served.scopes,
  limits: ctx.limits,
  trash: ctx.served.trash,
  request: hookRequest(ctx),
})

/** The same context for what no scope narrows. */
export const withoutScopes = (check: CheckContext): CheckContext => ({ ...check, scopes: new Map() })

/** An attribute that this request may know of, its value or its name. */
export const knownAttribute = (schema: ResourceSchema, name: string, check: CheckContext): Attribute | null =>
  name === schema.trashMark ? attributeOf(schema, name, check.trash) : (schema.attributes.get(name) ?? null)
