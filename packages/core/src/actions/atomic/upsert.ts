import { all, equalsEach } from '@prismapi/jsonapi/condition/build'
import { nonCompliant } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import { type Identifier, isObject } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import { requestedAt, withParts } from '@prismapi/jsonapi/request/hook-context'
import type { CollectionOperation, Operation } from '@prismapi/jsonapi/request/operation'
import { naturalKey } from '@prismapi/jsonapi/schema/natural-key'
import type { BelongsTo } from '@prismapi/jsonapi/schema/relation-kinds'
import { type Attribute, type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { relatedRows } from '../../read/find.ts'
import { planRow } from '../../read/plan.ts'
import { resourceUrl } from '../../serialize/links.ts'
import { columnValue } from '../../validation/run/column-values.ts'
import { foreignKeys } from '../../write/input.ts'
import type { RequestContext } from '../context.ts'
import { fieldOf } from './parse-operations.ts'
import { lidKey, withIds } from './target.ts'

/** The request that an operation stands for. */
export interface Wanted {
  readonly ctx: RequestContext
  readonly op: Operation
}

/**
 * Turns an upsert into an update of the resource that has the document's values of the fields `by`, or into a create if
 * there is none, and authorizes and validates it as such. A resource that the client may not see counts as none: the
 * create then fails, because its values are taken.
 */
export async function upserting(ctx: RequestContext, op: CollectionOperation, by: readonly string[]): Promise<Wanted> {
  const { schema } = op
  const { data } = ctx.body as { readonly data: Readonly<Record<string, unknown>> }
  const id = await findByKey(ctx, schema, { data, by })
  if (id === null) return { ctx: withParts(ctx, { method: 'POST' }), op }
  const url = new URL(resourceUrl(ctx, { schema, id }) + ctx.at.search)
  // What leads to the resource itself names it by its id, which it has already.
  const lids = typeof data.lid === 'string' ? new Map([[lidKey(schema.type, data.lid), id]]) : new Map<string, string>()
  const named = withIds(data, lids) as object
  const updating = withParts(ctx, { at: requestedAt(url), body: { data: { ...named, id } } })
  return { ctx: updating, op: { kind: 'update', schema, id } }
}

interface Sought {
  readonly data: Readonly<Record<string, unknown>>
  readonly by: readonly string[]
}

/** The id of the one resource that has these values, and that the caller sees. */
async function findByKey(ctx: RequestContext, schema: ResourceSchema, { data, by }: Sought): Promise<string | null> {
  const fields = naturalKey(schema, by) ?? []
  // Whether such a row is there would tell the value of one that the caller does not see.
  if (fields.some(({ name }) => ctx.seen(schema.model.name)?.fields.has(name)))
    throw nonCompliant(say`No unique key of ${schema.type} consists of ${by.join(', ')}.`, '/meta/upsert/by')
  const keys = await Promise.all(fields.map((field) => findKey(ctx, schema, field, fieldOf(data, field.name))))
  if (!keys.every((key) => key !== null)) return null
  const values = keys.flatMap((key) => equalsEach(schema.model, key))
  const [row] = await ctx.rows.read('named', planRow(schema, schema.id.columns, all(...values)))
  return row ? schema.id.format(row) : null
}

/** The columns of a field with the values that were sent; null for values that no row has. */
async function findKey(
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
