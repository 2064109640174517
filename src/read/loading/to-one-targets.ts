import { keyText } from '../../database/keys.ts'
import type { Row } from '../../model/where.ts'
import type { BelongsTo, MorphTo } from '../../schema/relation-kinds.ts'
import { type ResourceSchema, type SchemaRegistry, schemaOf } from '../../schema/resource-schema.ts'

/** The target that a row's own columns name; whether it exists and may be seen is the database's answer. */
export interface Target {
  /** The field or stored type that names it: targets of one branch lie in one model. */
  readonly branch: string
  readonly schema: ResourceSchema
  readonly references: readonly string[]
  readonly values: readonly unknown[]
  /** The values as one string. */
  readonly key: string
}

export function toOneTargets(registry: SchemaRegistry, relation: BelongsTo | MorphTo, row: Row): Target | null {
  if (relation.kind === 'belongsTo') return target(registry, relation.field, relation, row)
  if (relation.form.kind === 'columns') return morphTarget(registry, relation.form, row)
  for (const branch of relation.form.branches) {
    const found = target(registry, branch.field, branch, row)
    if (found) return found
  }
  return null
}

interface Key {
  readonly model: string
  readonly columns: readonly string[]
  readonly references: readonly string[]
}

function target(registry: SchemaRegistry, branch: string, key: Key, row: Row): Target | null {
  const values = key.columns.map((column) => row[column])
  if (values.some((value) => value == null)) return null
  return { branch, schema: schemaOf(registry, key.model), references: key.references, values, key: keyText(values) }
}

function morphTarget(
  registry: SchemaRegistry,
  form: Extract<MorphTo['form'], { kind: 'columns' }>,
  row: Row,
): Target | null {
  const branch = row[form.typeColumn]
  const model = form.models.get(String(branch))
  if (!model) return null
  const schema = schemaOf(registry, model)
  const key = schema.id.parse(String(row[form.idColumn]))
  if (!key) return null
  const values = schema.id.columns.map((column) => key[column])
  return { branch: String(branch), schema, references: schema.id.columns, values, key: keyText(values) }
}
