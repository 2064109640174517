import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import type { BelongsTo } from '@prismapi/jsonapi/schema/relation-kinds'
import type { Attribute, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'

// What templates show is taken from the model: each of these finds a fitting field, or none.

/** The relation that says whose a row is: one to the model of users. */
const ownerOf = ({ relations }: ResourceSchema): BelongsTo | null =>
  [...relations.values()].find(
    (relation): relation is BelongsTo =>
      relation.kind === 'belongsTo' && relation.model === 'User' && relation.columns.length === 1,
  ) ?? null

export const ownerColumn = (type: ResourceSchema): string | null => ownerOf(type)?.columns[0] ?? null

const isOptionalDate = ({ type, isNullable, isList }: ColumnMeta): boolean =>
  type === 'DateTime' && isNullable && !isList

/** The column that says when a row was put away. */
export const deletedColumn = ({ model }: ResourceSchema): string | null =>
  Object.values(model.columns).find(
    (column) => isOptionalDate(column) && /^(deleted|trashed|archived|removed)/i.test(column.name),
  )?.name ?? null

/** The column that says since when everybody may see a row. */
export const publishedColumn = ({ model }: ResourceSchema): string | null =>
  Object.values(model.columns).find(
    (column) => isOptionalDate(column) && /^(published|released|visible)/i.test(column.name),
  )?.name ?? null

const attributesOf = ({ attributes }: ResourceSchema): readonly Attribute[] => [...attributes.values()]

/** An order that people expect: the newest first, or else by the first attribute that sorts. */
export function expectedSort(type: ResourceSchema): string | null {
  const sortable = attributesOf(type).filter((attribute) => attribute.isSortable)
  const creation = sortable.find(({ column }) => column?.default === 'now')
  return creation ? `-${creation.name}` : (sortable[0]?.name ?? null)
}

/** Is the attribute's column unique by itself. */
export const isUnique = ({ model }: ResourceSchema, { column }: Attribute): boolean =>
  column !== null && model.uniques.some((columns) => columns.length === 1 && columns[0] === column.name)

/** Attributes that an index can bring in order. */
export function indexedAttributes(type: ResourceSchema): readonly string[] {
  const first = new Set(type.model.indexes.map((columns) => columns[0]))
  return attributesOf(type)
    .filter(({ isSortable, column }) => isSortable && column !== null && first.has(column.name))
    .map(({ name }) => name)
}
