import { everything, nothing } from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import type { Scopes } from '../condition/scopes.ts'
import type { Resources } from '../model/meta.ts'
import { hookRequest } from '../request/hook-request.ts'
import type { Limits } from '../request/limits.ts'
import type { HookRequest } from '../schema/hook-request.ts'
import { type Attribute, attributeOf, type ResourceSchema, type SchemaRegistry } from '../schema/resource-schema.ts'
import type { QueryContext, QueryServer } from './query-context.ts'

/** What the meaning of a query depends on beside its schema: of the server, and of this request. */
export interface CheckContext {
  readonly resources: Resources
  readonly registry: SchemaRegistry
  readonly scopes: Pick<Scopes, 'get'>
  readonly limits: Limits
  /** Which fields of each model this request sees, of which rows; null for all of every row. */
  readonly seen: (model: string) => SeenFields | null
  /** Can rows be ordered and summed up by values that count as null where this request does not see them: not by Prisma. */
  readonly masksValues: boolean
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

/** Of which rows this request sees the field of a type, whose name documents have. */
export const seenOf = ({ model }: ResourceSchema, name: string, { seen }: Pick<CheckContext, 'seen'>): Condition =>
  seen(model.name)?.fields.get(name) ?? everything

/** Of which rows this request sees a column or a relation, by Prisma's name. */
export const storedSeenOf = (model: string, name: string, { seen }: Pick<CheckContext, 'seen'>): Condition =>
  seen(model)?.stored.get(name) ?? everything

/** Does this request see the field of no row at all: then it is unknown to it. */
export const isNeverSeen = (schema: ResourceSchema, name: string, check: Pick<CheckContext, 'seen'>): boolean =>
  seenOf(schema, name, check) === nothing
