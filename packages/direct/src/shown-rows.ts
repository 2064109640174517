import type { Resource } from '@prismapi/core/read/resource'
import type { DocumentContext, RowTaker, TakenRows } from '@prismapi/core/serialize/document-context'
import { isMany, linkage } from '@prismapi/core/serialize/resource-text'
import type { PageParams } from '@prismapi/jsonapi/pagination/paginator'
import type { IncludeTree, Query } from '@prismapi/jsonapi/query/query'
import type { Attribute, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'

/** A row as its caller sees it. */
export interface ShownRow {
  readonly type: string
  readonly id: string
  readonly [field: string]: unknown
}

export type Shown = ShownRow | null | readonly ShownRow[]

/** Makes rows of the resources that a document would show. */
export class ShownRows implements RowTaker {
  /** Undefined where the answer has no rows. */
  rows: Shown | undefined

  /** The parameters of the next page; null where there is none. */
  next: PageParams | null = null

  take(ctx: DocumentContext, { shown, query, page }: TakenRows): void {
    const write = rowWriter(ctx, query)
    if (shown === null) this.rows = null
    else this.rows = isMany(shown) ? shown.map((each) => write(each, query.include)) : write(shown, query.include)
    this.next = page?.links.next ?? null
  }
}

type WriteRow = (resource: Resource, tree: IncludeTree) => ShownRow

function rowWriter(ctx: DocumentContext, { fields }: Query): WriteRow {
  const known = new Map<ResourceSchema, readonly Attribute[]>()
  const attributesOf = (schema: ResourceSchema): readonly Attribute[] => {
    const found = known.get(schema) ?? shownAttributes(ctx, schema, fields.get(schema.type) ?? null)
    known.set(schema, found)
    return found
  }
  const write: WriteRow = ({ schema, id, row, hidden, related }, tree) => {
    const shown: Record<string, unknown> = { type: schema.type, id }
    for (const attribute of attributesOf(schema)) {
      if (!hidden?.has(attribute.name)) shown[attribute.name] = shownValue(attribute.serialize(row), attribute)
    }
    const fieldset = fields.get(schema.type)
    for (const [name, targets] of related ?? []) {
      const subtree = tree.get(name)
      if (hidden?.has(name) || (fieldset && !fieldset.has(name) && !subtree)) continue
      shown[name] = subtree && targets ? nested(targets, subtree) : linkage(targets)
    }
    return shown as unknown as ShownRow
  }
  const nested = (targets: Resource | readonly Resource[], tree: IncludeTree) =>
    isMany(targets) ? targets.map((each) => write(each, tree)) : write(targets, tree)
  return write
}

function shownAttributes(
  { served }: DocumentContext,
  { attributes, deletedAtAttribute, model }: ResourceSchema,
  fieldset: ReadonlySet<string> | null,
): readonly Attribute[] {
  const isConcealed = !served.trash.has(model.name)
  return [...attributes.values()].filter(
    ({ name, writeOnly }) =>
      !writeOnly && (!fieldset || fieldset.has(name)) && !(isConcealed && name === deletedAtAttribute),
  )
}

/** What the application has made itself of a value is what JSON would make of it. */
function shownValue(value: unknown, { column, isConverted }: Attribute): unknown {
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return null
  if (typeof value !== 'object' || value === null || (column && !isConverted)) return value
  return JSON.parse(JSON.stringify(value)) ?? null
}
