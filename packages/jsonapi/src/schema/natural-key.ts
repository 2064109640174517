import type { BelongsTo } from './relation-kinds.ts'
import type { Attribute, ResourceSchema } from './resource-schema.ts'

/**
 * The fields by which clients can tell one resource of the type from all others: together the columns of
 * a unique key of the model. Null where they are none, or where a client cannot read or set one of them.
 */
export function naturalKey(
  schema: ResourceSchema,
  names: readonly string[],
): readonly (Attribute | BelongsTo)[] | null {
  const fields = names.map((name) => keyField(schema, name)).filter((field) => field !== null)
  const columns = new Set(fields.flatMap(columnsOf))
  const isUnique = schema.model.uniques.some(
    (unique) => unique.length === columns.size && unique.every((column) => columns.has(column)),
  )
  return fields.length === names.length && isUnique ? fields : null
}

function keyField(schema: ResourceSchema, name: string): Attribute | BelongsTo | null {
  const attribute = schema.attributes.get(name)
  if (attribute) return isKeyAttribute(attribute) ? attribute : null
  const relation = schema.relations.get(name)
  return relation?.kind === 'belongsTo' && !relation.readOnly ? relation : null
}

const isKeyAttribute = ({ column, kind, isList, readOnly, writeOnly }: Attribute): boolean =>
  column !== null && kind !== 'json' && !isList && !readOnly && !writeOnly

const columnsOf = (field: Attribute | BelongsTo): readonly string[] =>
  'columns' in field ? field.columns : [field.column?.name as string]
