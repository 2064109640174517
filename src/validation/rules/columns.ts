import { foreignKeyColumns } from '../../schema/relation-kinds.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'

/** The attribute or relation that stands for a column, by Prisma's name or the database's; null for a hidden one. */
export function fieldOfColumn(schema: ResourceSchema, name: string): string | null {
  for (const { name: attribute, column } of schema.attributes.values()) {
    if (column && (column.name === name || column.column === name)) return attribute
  }
  for (const relation of schema.relations.values()) {
    const isItsKey = foreignKeyColumns(relation).some(
      (column) => column === name || schema.model.columns[column]?.column === name,
    )
    if (isItsKey) return relation.name
  }
  return null
}
