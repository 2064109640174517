import { memo } from '../model/memo.ts'
import type { FieldSets } from '../query/query.ts'
import { keyColumns } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'

// Which columns of a row are read.

export const noColumns: ReadonlySet<string> = new Set()

/** All scalar columns: what policies, rules and hooks may look at. */
export const allColumns = memo((schema: ResourceSchema): readonly string[] => Object.keys(schema.model.columns))

/** The columns that showing a resource of the type takes: its id, the fields asked for, the keys of its relations. */
export function shownColumns(schema: ResourceSchema, fields: FieldSets): readonly string[] {
  // Who says what the caller may do with a row looks at all of it.
  if (schema.showsCan) return allColumns(schema)
  const fieldset = fields.get(schema.type)
  return fieldset ? columnsOf(schema, fieldset) : documentColumns(schema)
}

/** The columns that documents show, and those that are needed to make them. */
export const documentColumns = memo((schema: ResourceSchema) => columnsOf(schema, null))

function columnsOf(schema: ResourceSchema, fieldset: ReadonlySet<string> | null): readonly string[] {
  const columns = new Set(schema.id.columns)
  for (const attribute of schema.attributes.values()) {
    if (attribute.writeOnly || (fieldset && !fieldset.has(attribute.name))) continue
    for (const column of attribute.reads) columns.add(column)
  }
  for (const relation of schema.relations.values()) for (const column of keyColumns(relation)) columns.add(column)
  return [...columns]
}

/** The same list where it has them all: statements are kept by it. */
export const withColumns = (columns: readonly string[], more: readonly string[]): readonly string[] =>
  more.every((column) => columns.includes(column)) ? columns : [...new Set([...columns, ...more])]

/** The columns with instants that are shown as they are and have no part in ids, relations and computed attributes. */
export const shownInstants = memo((schema: ResourceSchema): ReadonlySet<string> => {
  if (schema.showsCan) return noColumns
  const attributes = [...schema.attributes.values()]
  const used = new Set([
    ...schema.id.columns,
    ...[...schema.relations.values()].flatMap(keyColumns),
    ...attributes.filter(({ isConverted }) => isConverted).flatMap(({ reads }) => reads),
  ])
  const instants = attributes.filter(({ kind, isList }) => kind === 'datetime' && !isList).flatMap(({ reads }) => reads)
  return new Set(instants.filter((column) => !used.has(column)))
})
