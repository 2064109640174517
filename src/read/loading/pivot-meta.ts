import { all, among, columnsOf } from '../../condition/build.ts'
import { judge } from '../../condition/memory.ts'
import { keyText } from '../../database/keys.ts'
import type { Meta } from '../../document/types.ts'
import type { Row } from '../../model/where.ts'
import type { FieldSets } from '../../query/query.ts'
import type { ManyThrough, Pivot } from '../../schema/relation-kinds.ts'
import { type Attribute, attributeOf, type ResourceSchema, schemaOf } from '../../schema/resource-schema.ts'
import { chunked } from '../chunks.ts'
import { linksOf, planLevel, seenBy } from '../plan.ts'
import type { ReadContext } from '../read-context.ts'
import { allColumns, type Resource } from '../resource.ts'

/** What links say beside their two ends, by the target's id: it is the `meta` of the target's identifier. */
export type LinkMeta = ReadonlyMap<string, Meta>

interface Shown {
  readonly link: Pivot
  readonly fields: FieldSets
}

/** The meta of links that were read with their targets; null where links say nothing that is shown. */
export function linkMeta(
  ctx: ReadContext,
  shown: Shown,
  pairs: readonly { readonly target: Resource; readonly link: Row }[],
): LinkMeta | null {
  const attributes = shownAttributes(ctx, shown)
  if (attributes.length === 0) return null
  return new Map(
    pairs.map(({ target, link }) => [
      target.id,
      Object.fromEntries(
        attributes
          .filter(({ name }) => isSeen(ctx, schemaOf(ctx.server.schemas, shown.link.model), name, link))
          .map((attribute) => [attribute.name, attribute.serialize(link)]),
      ),
    ]),
  )
}

/** A link has no resource of its own here: what only the database could say of it is not shown. */
function isSeen({ seen, server }: ReadContext, { model }: ResourceSchema, name: string, row: Row): boolean {
  const condition = seen(model.name)?.fields.get(name)
  return !condition || judge(condition, { row, provider: server.resources.provider }) === true
}

/** The meta of the links between a resource and some of its targets, which are read for it. */
export async function readLinkMeta(
  ctx: ReadContext,
  { relation, fields }: { readonly relation: ManyThrough; readonly fields: FieldSets },
  { parent, targets }: { readonly parent: Resource; readonly targets: readonly Resource[] },
): Promise<LinkMeta | null> {
  const { link } = relation
  const { to } = link
  if (targets.length === 0 || shownAttributes(ctx, { link, fields }).length === 0) return null
  const schema = schemaOf(ctx.server.schemas, link.model)
  const known = new Map(targets.map((target) => [keyText(valuesOf(target.row, to.references)), target]))
  const keys = targets.map(({ row }) => valuesOf(row, to.references))
  const own = linksOf(relation, parent.row, seenBy(ctx))
  const columns = columnsOf(schema.model, to.columns)
  const read = chunked(keys).map((chunk) =>
    ctx.store.reader.read(planLevel(schema, allColumns(schema), all(own, among(columns, chunk)))),
  )
  const pairs = (await Promise.all(read)).flat().flatMap((row) => {
    const target = known.get(keyText(valuesOf(row, to.columns)))
    return target ? [{ target, link: row }] : []
  })
  return linkMeta(ctx, { link, fields }, pairs)
}

function shownAttributes(ctx: ReadContext, { link, fields }: Shown): readonly Attribute[] {
  const schema = schemaOf(ctx.server.schemas, link.model)
  const asked = fields.get(schema.type)
  return [...schema.attributes.values()].filter(
    ({ name, writeOnly }) =>
      !writeOnly && (!asked || asked.has(name)) && attributeOf(schema, name, ctx.served.trash) !== null,
  )
}

const valuesOf = (row: Row, columns: readonly string[]): readonly unknown[] => columns.map((column) => row[column])
