import { all, among, columnsOf } from '@prismapi/jsonapi/condition/build'
import { judge } from '@prismapi/jsonapi/condition/memory'
import type { Meta } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { FieldSets } from '@prismapi/jsonapi/query/query'
import type { ManyThrough, Pivot } from '@prismapi/jsonapi/schema/relation-kinds'
import { type Attribute, attributeOf, type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { columnValues, rowKey } from '../../database/reader.ts'
import { chunked } from '../find.ts'
import { allColumns, childrenOf, planLevel } from '../plan.ts'
import type { ReadContext } from '../read-context.ts'
import type { Resource } from '../resource.ts'
import { readSpellings } from './loading.ts'

/** What pivots say beside their two ends, by the target's id: it is the `meta` of the target's identifier. */
export type PivotMeta = ReadonlyMap<string, Meta>

interface ShownPivots {
  readonly pivot: Pivot
  readonly fields: FieldSets
}

/** The meta of pivots that were read with their targets; null where pivots say nothing that is shown. */
export function pivotMeta(
  ctx: ReadContext,
  shown: ShownPivots,
  pairs: readonly { readonly target: Resource; readonly pivot: Row }[],
): PivotMeta | null {
  const attributes = shownAttributes(ctx, shown)
  if (attributes.length === 0) return null
  return new Map(
    pairs.map(({ target, pivot }) => [
      target.id,
      Object.fromEntries(
        attributes
          .filter(({ name }) => isSeen(ctx, schemaOf(ctx.server.schemas, shown.pivot.model), name, pivot))
          .map((attribute) => [attribute.name, attribute.serialize(pivot)]),
      ),
    ]),
  )
}

/** A pivot has no resource of its own here: what only the database could say of it is not shown. */
function isSeen({ seen, server }: ReadContext, { model }: ResourceSchema, name: string, row: Row): boolean {
  const condition = seen(model.name)?.fields.get(name)
  return !condition || judge(condition, { row, provider: server.resources.provider }) === true
}

/** The meta of the pivots between a resource and some of its targets, which are read for it. */
export async function readPivotMeta(
  ctx: ReadContext,
  { relation, fields }: { readonly relation: ManyThrough; readonly fields: FieldSets },
  { parent, targets }: { readonly parent: Resource; readonly targets: readonly Resource[] },
): Promise<PivotMeta | null> {
  const { pivot } = relation
  const { to } = pivot
  if (targets.length === 0 || shownAttributes(ctx, { pivot, fields }).length === 0) return null
  const schema = schemaOf(ctx.server.schemas, pivot.model)
  const targetSchema = schemaOf(ctx.server.schemas, relation.model)
  const known = new Map(targets.map((target) => [rowKey(target.row, to.references), target]))
  const keys = targets.map(({ row }) => columnValues(row, to.references))
  const own = childrenOf(pivot.from, schema.model, parent.row)
  const columns = columnsOf(schema.model, to.columns)
  const read = chunked(keys).map((chunk) =>
    ctx.rows.read('related', planLevel(schema, allColumns(schema), all(own, among(columns, chunk)))),
  )
  const pivots = (await Promise.all(read)).flat()
  const others = new Map(pivots.map((row) => [rowKey(row, to.columns), columnValues(row, to.columns)]))
  for (const key of known.keys()) others.delete(key)
  const spelt = await readSpellings(ctx, { schema: targetSchema, references: to.references }, others)
  const pairs = pivots.flatMap((row) => {
    const key = rowKey(row, to.columns)
    const target = known.get(spelt.get(key) ?? key)
    return target ? [{ target, pivot: row }] : []
  })
  return pivotMeta(ctx, { pivot, fields }, pairs)
}

function shownAttributes(ctx: ReadContext, { pivot, fields }: ShownPivots): readonly Attribute[] {
  const schema = schemaOf(ctx.server.schemas, pivot.model)
  const fieldset = fields.get(schema.type)
  return [...schema.attributes.values()].filter(
    ({ name, writeOnly }) =>
      !writeOnly && (!fieldset || fieldset.has(name)) && attributeOf(schema, name, ctx.served.trash) !== null,
  )
}
