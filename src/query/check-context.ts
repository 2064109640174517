import type { Resources } from '../model/meta.ts'
import type { Scopes } from '../model/where.ts'
import type { RequestContext } from '../request/context.ts'
import type { Limits } from '../request/limits.ts'
import {
  type Attribute,
  attributeOf,
  type HookRequest,
  type ResourceSchema,
  type SchemaRegistry,
} from '../schema/resource-schema.ts'

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

export const toCheckContext = (ctx: RequestContext): CheckContext => watchedContext(ctx).check

/** A context, and what was asked of it that another request may have otherwise. */
export interface WatchedContext {
  readonly check: CheckContext
  /** Was anything used that is this request's own. */
  isPersonal(): boolean
  /** The models that would have had a part if they had a scope. */
  readonly unscoped: ReadonlySet<string>
}

export function watchedContext(ctx: RequestContext): WatchedContext {
  const { server, served, limits } = ctx
  let isPersonal = false
  const unscoped = new Set<string>()
  const personal = <T>(value: T): T => {
    isPersonal = true
    return value
  }
  const check: CheckContext = {
    resources: server.resources,
    registry: server.schemas,
    limits,
    scopes: {
      get(model) {
        const scope = served.scopes.get(model)
        if (scope) return personal(scope)
        unscoped.add(model)
        return undefined
      },
    },
    get trash() {
      return personal(served.trash)
    },
    get request() {
      const { user, method, url } = ctx
      return personal(Object.freeze({ user, method, url }))
    },
  }
  return { check, isPersonal: () => isPersonal, unscoped }
}

/** The same context for what no scope narrows. */
export const withoutScopes = (check: CheckContext): CheckContext =>
  Object.create(check, { scopes: { value: new Map() } })

/** An attribute that this request may know of, its value or its name. */
export const knownAttribute = (schema: ResourceSchema, name: string, check: CheckContext): Attribute | null =>
  name === schema.trashMark ? attributeOf(schema, name, check.trash) : (schema.attributes.get(name) ?? null)
