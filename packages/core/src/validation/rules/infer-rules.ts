import { memo } from '@prismapi/jsonapi/model/memo'
import type { Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type Attribute, isKeyAttribute, type ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Schema } from 'yup'
import { attributeRule } from './attribute-rule.ts'
import { clientId, unique } from './field-rules.ts'
import type { RuleSet } from './rule-set.ts'
import { toMany, toOne } from './rules.ts'
import { fieldOfColumn, isTakenOver } from './unique-rules.ts'

interface Inferred {
  readonly create: RuleSet
  readonly update: RuleSet
}

/** The rules that the Prisma schema implies. */
export const inferRules = (schema: ResourceSchema, isCreating: boolean): RuleSet =>
  inferred(schema)[isCreating ? 'create' : 'update']

const inferred = memo(
  (schema: ResourceSchema): Inferred => Object.freeze({ create: infer(schema, true), update: infer(schema, false) }),
)

function infer(schema: ResourceSchema, isCreating: boolean): RuleSet {
  const rules: Record<string, Schema> = {}
  if (isCreating && schema.id.clientGenerated) rules.id = needsId(schema) ? idRules.required : idRules.optional
  for (const attribute of schema.attributes.values()) {
    // A write-only value is not among the current ones, so an update cannot ask for it.
    if (hasRule(schema, attribute)) rules[attribute.name] = inferredRule(attribute, isCreating || !attribute.writeOnly)
  }
  for (const relation of schema.relations.values())
    if (!relation.readOnly) rules[relation.name] = relationRule(relation)
  addUniques(schema, rules)
  return Object.freeze(rules)
}

const marked = (rule: Schema): Schema => rule.meta({ isInferred: true })

// Rules are constants, because yup makes them slowly: the thousands of columns of a large schema share some ten rules.
const attributeRules = new Map<string, Schema>()
const idRules = { required: marked(clientId().required()), optional: marked(clientId()) }
const toOneRules = {
  required: marked(toOne().required()),
  nullable: marked(toOne().nullable()),
  neither: marked(toOne()),
}
const toManyRule = marked(toMany())

function inferredRule(attribute: Attribute, asksForRequired: boolean): Schema {
  const { kind, column, values, isList, isNullable, isRequired } = attribute
  const shape = JSON.stringify([kind, column?.native, values, isList, isNullable, isRequired && asksForRequired])
  const known = attributeRules.get(shape)
  if (known) return known
  const rule = marked(attributeRule(attribute, asksForRequired))
  attributeRules.set(shape, rule)
  return rule
}

/** Do clients write the attribute: not where it is read-only, or a part of the id that they send. */
export const hasRule = (schema: ResourceSchema, attribute: Attribute): boolean =>
  !attribute.readOnly && !(schema.id.clientGenerated && isKeyAttribute(schema, attribute))

/** A key that nothing but the client can give. */
export const needsId = ({ id, model }: ResourceSchema): boolean =>
  id.columns.every((column) => model.columns[column]?.default === null && !model.columns[column]?.isForeignKey)

function relationRule(relation: Relation): Schema {
  switch (relation.kind) {
    case 'belongsTo':
    case 'morphTo':
      return toOneRules[relation.isRequired ? 'required' : relation.isNullable ? 'nullable' : 'neither']
    case 'hasOne':
      return toOneRules.nullable
    case 'hasMany':
    case 'manyToMany':
    case 'manyThrough':
      return toManyRule
    default:
      return relation satisfies never
  }
}

// A unique of several fields is a rule of the last of them that has rules.
function addUniques(schema: ResourceSchema, rules: Record<string, Schema>): void {
  for (const columns of schema.model.uniques) {
    if (columns.every((column) => schema.id.columns.includes(column)) || isTakenOver(schema, columns)) continue
    const fields = columns.map((column) => fieldOfColumn(schema, column))
    const field = fields.findLast((name) => name !== null && rules[name])
    if (!field || fields.includes(null)) continue
    const together = [...new Set(fields as string[])].filter((name) => name !== field)
    rules[field] = (rules[field] as Schema).test(unique(...together))
  }
}
