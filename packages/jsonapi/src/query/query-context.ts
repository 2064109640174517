import type { ISchema } from 'yup'
import { everything, nothing } from '../condition/build.ts'
import type { Compare, Condition } from '../condition/condition.ts'
import type { FieldsOf, Scopes } from '../condition/scopes.ts'
import type { Resources } from '../model/meta.ts'
import type { BasePathParams } from '../model/register.ts'
import { type HookContext, hookRequest } from '../request/hook-context.ts'
import type { Limits } from '../request/limits.ts'
import type { Observer } from '../request/observer.ts'
import type { HookRequest } from '../schema/filters.ts'
import { type Attribute, attributeOf, type ResourceSchema, type SchemaRegistry } from '../schema/resource-schema.ts'
import type { QueryParameter } from './query-parameter.ts'

/** What the meaning of a query depends on. */
export interface QueryContext extends HookContext {
  readonly server: QueryServer
  readonly limits: Limits
  readonly served: QueryServed
  /** Which fields of each model the caller sees, of which rows. */
  readonly seen: FieldsOf
  /** Null where nothing observes the request. */
  readonly observer: Observer | null
}

export interface QueryServer {
  /** The values of the parameters of its base path, as the request has them. */
  readonly params: BasePathParams
  readonly resources: Resources
  readonly schemas: SchemaRegistry
  /** `prisma`: no prepared statements of the framework's own. */
  readonly reads: 'auto' | 'prisma'
  /** Unknown query parameters are left out instead of refused. */
  readonly ignoresUnknownParameters: boolean
  readonly readByRule: ReadByRule
  /** Query parameters that features have. */
  readonly features: { readonly parameters: readonly QueryParameter[] }
}

/**
 * What the text of a parameter is to a rule of the application. `name` is what messages call it.
 * @throws {JsonApiError} 400, `source.parameter` the key, where the rule refuses it.
 */
export type ReadByRule = (
  rule: ISchema<unknown>,
  sent: { readonly name: string; readonly key: string; readonly text: string },
  user: unknown,
) => unknown

export interface QueryServed {
  readonly scopes: Scopes
  /** The models whose deleted rows the user may see. */
  readonly trash: ReadonlySet<string>
}

/** What the meaning of a query depends on beside its schema: of the server, and of this request. */
export interface CheckContext {
  readonly resources: Resources
  readonly registry: SchemaRegistry
  readonly scopes: Pick<Scopes, 'get'>
  readonly limits: Limits
  /** Which fields of each model this request sees, of which rows; null for all of every row. */
  readonly seen: (model: string) => SeenFields | null
  /**
   * Can rows be ordered and summed up by values that count as null where this request does not see them: not by Prisma.
   */
  readonly masksValues: boolean
  /** The search that a collection may be ordered by: null for one in no field that is seen, left out for none. */
  readonly search?: Compare | null
  /** The models whose deleted rows this request may see. */
  readonly trash: ReadonlySet<string>
  readonly readByRule: QueryServer['readByRule']
  /** What the schema's own filters may know of the request. */
  readonly request: HookRequest
}

/** Of which rows fields are seen, for who asks about one by its name. One that is absent is seen of every row. */
export interface SeenFields {
  /** By the names that documents have. */
  readonly fields: Pick<ReadonlyMap<string, Condition>, 'get'>
  /** Of columns and relations, by Prisma's names. */
  readonly stored: Pick<ReadonlyMap<string, Condition>, 'get'>
}

export const toCheckContext = (ctx: QueryContext): CheckContext => ({
  resources: ctx.server.resources,
  registry: ctx.server.schemas,
  scopes: ctx.served.scopes,
  limits: ctx.limits,
  seen: ctx.seen,
  masksValues: masksValues(ctx.server),
  trash: ctx.served.trash,
  readByRule: ctx.server.readByRule,
  request: hookRequest(ctx),
})

/** Can a server order and sum up by values that are hidden in some rows. */
export const masksValues = ({ reads, resources }: Pick<QueryContext['server'], 'reads' | 'resources'>): boolean =>
  reads !== 'prisma' && masking.has(resources.provider)

// The databases that the framework has SQL for.
const masking: ReadonlySet<string> = new Set(['sqlite', 'postgresql'])

/** The same context for what no scope narrows. */
export const withoutScopes = (check: CheckContext): CheckContext => ({ ...check, scopes: new Map() })

/** An attribute whose name this request may know, whether it sees a value of it or not. */
export const knownAttribute = (schema: ResourceSchema, name: string, check: CheckContext): Attribute | null =>
  name === schema.deletedAtAttribute ? attributeOf(schema, name, check.trash) : (schema.attributes.get(name) ?? null)

/** The rows of a model that this request sees behind a relation: whatever crosses one asks here. */
export const rowsSeenOf = (model: string, { scopes }: Pick<CheckContext, 'scopes'>): Condition =>
  scopes.get(model) ?? everything

/** Of which rows this request sees the field of a type, whose name documents have. */
export const seenOf = ({ model }: ResourceSchema, name: string, { seen }: Pick<CheckContext, 'seen'>): Condition =>
  seen(model.name)?.fields.get(name) ?? everything

/** Of which rows this request sees a column or a relation, by Prisma's name. */
export const storedSeenOf = (model: string, name: string, { seen }: Pick<CheckContext, 'seen'>): Condition =>
  seen(model)?.stored.get(name) ?? everything

/** Does this request see the field of no row at all: then it is unknown to it. */
export const isNeverSeen = (schema: ResourceSchema, name: string, check: Pick<CheckContext, 'seen'>): boolean =>
  seenOf(schema, name, check) === nothing
