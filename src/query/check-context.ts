import type { Resources } from '../model/meta.ts'
import type { Scopes } from '../model/where.ts'
import type { RequestContext } from '../request/context.ts'
import { hookRequest } from '../request/hook-request.ts'
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
  const seen: Seen = { isPersonal: false, unscoped: new Set() }
  return { check: new Watched(ctx, seen), isPersonal: () => seen.isPersonal, unscoped: seen.unscoped }
}

interface Seen {
  isPersonal: boolean
  readonly unscoped: Set<string>
}

// A class, as all that has a getter: CONTRIBUTING.md says why.
class Watched implements CheckContext {
  readonly resources: Resources
  readonly registry: SchemaRegistry
  readonly limits: Limits
  readonly scopes: CheckContext['scopes']
  private readonly ctx: RequestContext
  private readonly seen: Seen

  constructor(ctx: RequestContext, seen: Seen) {
    this.resources = ctx.server.resources
    this.registry = ctx.server.schemas
    this.limits = ctx.limits
    this.ctx = ctx
    this.seen = seen
    this.scopes = {
      get(model) {
        const scope = ctx.served.scopes.get(model)
        if (scope) seen.isPersonal = true
        else seen.unscoped.add(model)
        return scope
      },
    }
  }

  get trash(): ReadonlySet<string> {
    this.seen.isPersonal = true
    return this.ctx.served.trash
  }

  get request(): HookRequest {
    this.seen.isPersonal = true
    return hookRequest(this.ctx)
  }
}

/** The same context for what no scope narrows. */
export const withoutScopes = (check: CheckContext): CheckContext => new Unscoped(check)

class Unscoped implements CheckContext {
  readonly resources: Resources
  readonly registry: SchemaRegistry
  readonly limits: Limits
  readonly scopes: CheckContext['scopes'] = new Map()
  private readonly check: CheckContext

  constructor(check: CheckContext) {
    this.resources = check.resources
    this.registry = check.registry
    this.limits = check.limits
    this.check = check
  }

  get trash(): ReadonlySet<string> {
    return this.check.trash
  }

  get request(): HookRequest {
    return this.check.request
  }
}

/** An attribute that this request may know of, its value or its name. */
export const knownAttribute = (schema: ResourceSchema, name: string, check: CheckContext): Attribute | null =>
  name === schema.trashMark ? attributeOf(schema, name, check.trash) : (schema.attributes.get(name) ?? null)
