import type { ModelMeta, Resources } from '../model/meta.ts'
import { type AttributeOverride, type Field, IdOverride } from './fields.ts'
import { joinModelRelations } from './join-model.ts'
import { MorphToOverride, RelationOverride } from './relation-fields.ts'

/** What the application's schema class says of its fields, by Prisma's names. */
export interface Overrides {
  readonly id: IdOverride | null
  readonly attributes: ReadonlyMap<string, AttributeOverride>
  readonly relations: ReadonlyMap<string, RelationOverride>
  readonly morphs: readonly MorphToOverride[]
}

/** @throws {Error} for a field that the model lacks. */
export function readOverrides(model: ModelMeta, resources: Resources, fields: readonly Field[]): Overrides {
  const attributes = new Map<string, AttributeOverride>()
  const relations = new Map<string, RelationOverride>()
  const morphs: MorphToOverride[] = []
  let id: IdOverride | null = null
  for (const field of fields) {
    if (field instanceof IdOverride) id = field
    else if (field instanceof MorphToOverride) morphs.push(field)
    else if (field instanceof RelationOverride) relations.set(knownRelation(model, resources, field.field), field)
    else attributes.set(knownAttribute(model, field), field)
  }
  return { id, attributes, relations, morphs }
}

function knownRelation(model: ModelMeta, { models }: Resources, name: string): string {
  const names = [...Object.keys(model.relations), ...joinModelRelations(model, models).map((through) => through.name)]
  if (names.includes(name)) return name
  throw new Error(
    `relation('${name}'): the model ${model.name} has no such relation. It has: ${names.join(', ') || 'none'}.`,
  )
}

function knownAttribute(model: ModelMeta, field: AttributeOverride): string {
  const isOwn = field.source !== null || field.isVirtual
  const columns = isOwn ? (field.source?.columns ?? []) : [field.field]
  for (const column of columns) {
    if (model.columns[column]) continue
    throw new Error(
      `attribute('${field.field}'): the model ${model.name} has no column ${column}. It has: ${Object.keys(model.columns).join(', ')}. An attribute of its own is computed(…) or virtual().`,
    )
  }
  if (isOwn && model.columns[field.field]) {
    throw new Error(
      `attribute('${field.field}'): ${model.name} has a column of that name. Give the computed or virtual attribute another name.`,
    )
  }
  const column = model.columns[field.field]
  if (field.isFilterableByPath && (column?.type !== 'Json' || column.isList)) {
    throw new Error(
      `attribute('${field.field}').filterableByPath(): ${model.name}.${field.field} is no single Json column. Remove filterableByPath().`,
    )
  }
  return field.field
}
