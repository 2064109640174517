import type { ResourceSchema, SchemaRegistry } from '../../schema/resource-schema.ts'

/** A resource that the log is asked about. */
export interface Named {
  readonly schema: ResourceSchema
  readonly id: string
}

/** A resource that a text names, `posts:7`; null where there can be none. */
export function namedResource(byType: SchemaRegistry['byType'], text: string): Named | null {
  const at = text.indexOf(':')
  const schema = byType.get(text.slice(0, at))
  const id = text.slice(at + 1)
  return schema?.id.parse(id) ? { schema, id } : null
}

/** How the log of changes writes the key of a resource: databases write several parts with blanks, or without. */
export function keyTexts({ id: { columns, parse } }: ResourceSchema, id: string): readonly string[] {
  const key = parse(id)
  const parts = columns.map((column) => String(key?.[column]))
  if (parts.length === 1) return parts
  return [JSON.stringify(parts), `[${parts.map((part) => JSON.stringify(part)).join(', ')}]`]
}
