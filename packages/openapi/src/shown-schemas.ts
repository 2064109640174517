import { nothing } from '@prismapi/jsonapi/condition/build'
import { seenStatistics } from '@prismapi/jsonapi/query/stats'
import { type Relation, targetModels } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, type SchemaRegistry, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { type Audience, operationsOf } from './caller.ts'

/**
 * In: the types of a server. Out: what an audience is told of them: the types that they can do anything with, with the
 * fields that there are for them; and those that these lead to, with attributes alone.
 */
export function shownSchemas(registry: SchemaRegistry, audience: Audience): SchemaRegistry {
  const all = [...registry.byType.values()]
  const own = all
    .filter((schema) => operationsOf(schema).some(([id]) => audience.has(id)))
    .map((schema) => shownSchema(registry, audience, schema))
  const known = new Map(own.map((schema) => [schema.type, schema]))
  const met = new Set(own.flatMap(modelsOf))
  const shown = all.flatMap(
    (schema) => known.get(schema.type) ?? (met.has(schema.model.name) ? [metSchema(audience, schema)] : []),
  )
  return {
    byType: new Map(shown.map((schema) => [schema.type, schema])),
    byModel: new Map(shown.map((schema) => [schema.model.name, schema])),
  }
}

/** The models that a type leads to. */
const modelsOf = ({ relations, actions }: ResourceSchema): readonly string[] => [
  ...[...relations.values()].flatMap(targetModels),
  ...[...actions.values()].map(({ answers }) => answers),
]

function shownSchema(registry: SchemaRegistry, audience: Audience, schema: ResourceSchema): ResourceSchema {
  const { type } = schema
  const canMeet = (model: string) => audience.canMeet(schemaOf(registry, model))
  const relations = [...schema.relations.values()]
    .filter(({ name }) => audience.seen(schema.model.name)?.fields.get(name) !== nothing)
    .filter((relation) => targetModels(relation).some(canMeet) && isShown(audience, schema, relation))
    .map((relation) => [relation.name, withTargets(relation, canMeet)] as const)
  return {
    ...metSchema(audience, schema),
    relations: new Map(relations),
    actions: new Map([...schema.actions].filter(([name]) => audience.has(`${type}.-actions.${name}`))),
  }
}

/** A type that is only led to: nothing can be asked of it by itself. */
function metSchema(audience: Audience, schema: ResourceSchema): ResourceSchema {
  // A caller who sees deleted rows sees their mark as an attribute like others.
  const deletedAtAttribute = audience.seesTrash(schema.model.name) ? null : schema.deletedAtAttribute
  return { ...schema, ...seenFields(audience, schema), relations: new Map(), actions: new Map(), deletedAtAttribute }
}

/**
 * A field that the caller sees in no row is described only if the caller may write it. A field that policies hide in
 * some rows may be null.
 */
function seenFields(audience: Audience, schema: ResourceSchema): Pick<ResourceSchema, 'attributes' | 'statistics'> {
  const access = audience.seen(schema.model.name)
  if (!access) return schema
  const isWritten = (name: string) =>
    (['create', 'update'] as const).some((kind) => audience.rulesOf(schema, kind)?.rules.fields.has(name))
  const attributes = [...schema.attributes].flatMap(([name, attribute]) => {
    const condition = access.fields.get(name)
    if (!condition) return [[name, attribute] as const]
    if (condition !== nothing) return [[name, { ...attribute, isNullable: true }] as const]
    return isWritten(name) ? [[name, { ...attribute, writeOnly: true }] as const] : []
  })
  return {
    attributes: new Map(attributes),
    statistics: seenStatistics(schema, audience),
  }
}

const kinds = ['viewRelated', 'viewRelationship', 'updateRelationship', 'attach', 'detach']

/** Can the relation be read or changed at its own URLs, or written with the resource. */
function isShown(audience: Audience, schema: ResourceSchema, { name, readOnly }: Relation): boolean {
  const { type } = schema
  if (kinds.some((kind) => audience.has(`${type}.${name}.${kind}`))) return true
  if (readOnly) return false
  return (['create', 'update'] as const).some(
    (kind) => audience.has(`${type}.${kind}`) && audience.rulesOf(schema, kind)?.rules.fields.has(name),
  )
}

function withTargets(relation: Relation, canMeet: (model: string) => boolean): Relation {
  if (relation.kind !== 'morphTo' || targetModels(relation).every(canMeet)) return relation
  const { form } = relation
  const narrowed =
    form.kind === 'columns'
      ? { ...form, models: new Map([...form.models].filter(([, model]) => canMeet(model))) }
      : { ...form, branches: form.branches.filter(({ model }) => canMeet(model)) }
  return { ...relation, form: narrowed }
}
