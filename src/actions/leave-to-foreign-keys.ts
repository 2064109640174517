import type { ParsedResource } from '../document/parse-resource.ts'
import type { Identifier, Linkage } from '../document/types.ts'
import type { Row } from '../model/where.ts'
import type { RelatedRows } from '../read/related-rows.ts'
import type { BelongsTo, Relation } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { type AnyResourceRequest, ResourceRequest } from '../validation/request/resource-request.ts'
import { hasHooksBefore } from '../write/hooks.ts'
import { identifiersOf } from '../write/input/foreign-keys.ts'
import type { RequestContext } from './context.ts'

interface Sent {
  readonly request: AnyResourceRequest
  readonly document: ParsedResource
  readonly related: RelatedRows
}

/**
 * May the INSERT itself find out whether the rows exist that a document names? It may where it is one statement, nothing of the application
 * runs before it that relies on valid data, no scope hides such rows, and the database has a foreign key for each. Who leaves it looks
 * for them when the document fails, or the INSERT does.
 */
export async function leaveToForeignKeys(ctx: RequestContext, schema: ResourceSchema, sent: Sent): Promise<boolean> {
  const named = namedIn(ctx, schema, sent.document)
  const { single } = ctx.store
  if (!named || single?.reasonAgainstInsert !== null || isReliedOn(ctx, schema, sent.request)) return false
  const { name } = schema.model
  const exist = await Promise.all(named.map(({ relation }) => single.hasForeignKey(name, relation.field)))
  if (exist.includes(false)) return false
  for (const { identifier, key } of named) sent.related.leave(identifier, key)
  return true
}

const isReliedOn = (ctx: RequestContext, schema: ResourceSchema, request: AnyResourceRequest): boolean =>
  request.withValidator !== ResourceRequest.prototype.withValidator || hasHooksBefore(ctx, schema.model.name, 'create')

interface Named {
  readonly relation: BelongsTo
  readonly identifier: Identifier
  readonly key: Row
}

/** Null where one of them has to be looked for. */
function namedIn(ctx: RequestContext, schema: ResourceSchema, document: ParsedResource): readonly Named[] | null {
  // An id that the client says fills its columns, whatever relations say of them.
  const filled = document.id === null ? [] : schema.id.columns
  const named = [...document.relationships].flatMap(([name, linkage]) =>
    keysOf(ctx, schema.relations.get(name) as Relation, { linkage, filled }),
  )
  return named.length > 0 && named.every((each) => each !== null) ? named : null
}

interface Pointed {
  readonly linkage: Linkage
  /** Columns that the relation does not fill. */
  readonly filled: readonly string[]
}

function keysOf(ctx: RequestContext, relation: Relation, { linkage, filled }: Pointed): readonly (Named | null)[] {
  return identifiersOf(linkage).map((identifier) => {
    const target = ctx.server.schemas.byType.get(identifier.type)
    if (relation.kind !== 'belongsTo' || !target || ctx.served.scopes.has(target.model.name)) return null
    if (relation.columns.some((column) => filled.includes(column))) return null
    const key = target.id.parse(identifier.id)
    return key && isKey(relation, target) ? { relation, identifier, key } : null
  })
}

/** Does the relation lead to the columns of the id. */
const isKey = ({ references }: BelongsTo, { id }: ResourceSchema): boolean =>
  references.length === id.columns.length && references.every((name) => id.columns.includes(name))
