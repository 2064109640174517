import { all, equalsEach } from '../../condition/build.ts'
import { scopeOf } from '../../condition/scopes.ts'
import { nonCompliant } from '../../document/errors.ts'
import { isObject } from '../../document/members.ts'
import { say } from '../../document/text.ts'
import type { Identifier } from '../../document/types.ts'
import type { Row } from '../../model/where.ts'
import { planRow } from '../../read/plan.ts'
import { relatedRows } from '../../read/related-rows.ts'
import type { CollectionOperation } from '../../request/operation.ts'
import { requestedAt } from '../../request/request-url.ts'
import { withParts } from '../../request/with-parts.ts'
import { naturalKey } from '../../schema/natural-key.ts'
import type { BelongsTo } from '../../schema/relation-kinds.ts'
import { type Attribute, type ResourceSchema, schemaOf } from '../../schema/resource-schema.ts'
import { resourceUrl } from '../../serialize/links.ts'
import { foreignKeys } from '../../write/input/foreign-keys.ts'
import type { ActionResult } from '../action-result.ts'
import { columnValue } from '../column-value.ts'
import type { RequestContext } from '../context.ts'
import { create } from '../create.ts'
import { update } from '../update.ts'
import { fieldOf } from './upsert-member.ts'

/**
 * Updates the resource that has the values of the document's fields `by`, or else creates it; authorized and validated as
 * the one or the other. One that the client may not see is none, so that its values are taken, as for every create.
 */
export async function upsert(
  ctx: RequestContext,
  op: CollectionOperation,
  by: readonly string[],
): Promise<ActionResult> {
  const { schema } = op
  const { data } = ctx.body as { readonly data: Readonly<Record<string, unknown>> }
  const id = await findByKey(ctx, schema, { data, by })
  if (id === null) return create(withParts(ctx, { method: 'POST' }), op)
  const url = new URL(resourceUrl(ctx, { schema, id }) + ctx.at.search)
  const updating = withParts(ctx, { at: requestedAt(url), body: { data: { ...data, id } } })
  return update(updating, { kind: 'update', schema, id })
}

interface Sought {
  readonly data: Readonly<Record<string, unknown>>
  readonly by: readonly string[]
}

/** The id of the one resource that has these values, seen through the scopes. */
async function findByKey(ctx: RequestContext, schema: ResourceSchema, { data, by }: Sought): Promise<string | null> {
  const fields = naturalKey(schema, by) ?? []
  // Whether such a row is there would tell the value of one that the caller does not see.
  if (fields.some(({ name }) => ctx.seen(schema.model.name)?.fields.has(name)))
    throw nonCompliant(say`No unique key of ${schema.type} consists of ${by.join(', ')}.`, '/meta/upsert/by')
  const keys = await Promise.all(fields.map((field) => keyOf(ctx, schema, field, fieldOf(data, field.name))))
  if (!keys.every((key) => key !== null)) return null
  const values = keys.flatMap((key) => equalsEach(schema.model, key))
  const where = all(...values, scopeOf(ctx.served.scopesById, schema.model.name))
  const [row] = await ctx.store.reader.read(planRow(schema, schema.id.columns, where))
  return row ? schema.id.format(row) : null
}

/** The columns of a field with the values that were sent; null for values that no row has. */
async function keyOf(
  ctx: RequestContext,
  schema: ResourceSchema,
  field: Attribute | BelongsTo,
  value: unknown,
): Promise<Row | null> {
  const columns =
    'columns' in field
      ? await targetKey(ctx, field, value)
      : { [field.column?.name as string]: columnValue(ctx, schema, field, value) }
  return columns && Object.values(columns).every((each) => each != null) ? columns : null
}

async function targetKey(ctx: RequestContext, relation: BelongsTo, value: unknown): Promise<Row | null> {
  const registry = ctx.server.schemas
  if (!isIdentifier(value) || value.type !== schemaOf(registry, relation.model).type) return null
  return foreignKeys({ registry, relation, linkage: value }, relatedRows(ctx))
}

const isIdentifier = (value: unknown): value is Identifier =>
  isObject(value) && typeof value.type === 'string' && typeof value.id === 'string'
