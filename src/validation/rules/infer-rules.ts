import type { Schema } from 'yup'
import type { Relation } from '../../schema/relation-kinds.ts'
import { type Attribute, isKeyAttribute, type ResourceSchema } from '../../schema/resource-schema.ts'
import { attributeRule } from './attribute-rule.ts'
import { fieldOfColumn } from './columns.ts'
import { clientId, unique } from './field-rules.ts'
import { toMany, toOne } from './relation-rules.ts'
import type { RuleSet } from './rule-set.ts'

interface Inferred {
  readonly create: RuleSet
  readonly update: RuleSet
}

// Made from a schema that never changes, so there is nothing to invalidate.
const cache = new WeakMap<ResourceSchema, Inferred>()

/** The rules that the Prisma schema implies. */
export function inferRules(schema: ResourceSchema, isCreating: boolean): RuleSet {
  let inferred = cache.get(schema)
  if (!inferred) {
    inferred = Object.freeze({ create: infer(schema, true), update: infer(schema, false) })
    cache.set(schema, inferred)
  }
  return isCreating ? inferred.create : inferred.update
}

function infer(schema: ResourceSchema, isCreating: boolean): RuleSet {
  const rules: Record<string, Schema> = {}
  if (isCreating && schema.id.clientGenerated) rules.id = needsId(schema) ? clientId().required() : clientId()
  for (const attribute of schema.attributes.values()) {
    // A write-only value is not among the current ones, so an update cannot ask for it.
    if (!hasRule(schema, attribute)) continue
    rules[attribute.name] = attributeRule(attribute, isCreating || !attribute.writeOnly)
  }
  for (const relation of schema.relations.values())
    if (!relation.readOnly) rules[relation.name] = relationRule(relation)
  addUniques(schema, rules)
  return Object.freeze(
    Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, rule.meta({ isInferred: true })])),
  )
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
      return relation.isRequired ? toOne().required() : relation.isNullable ? toOne().nullable() : toOne()
    case 'hasOne':
      return toOne().nullable()
    case 'hasMany':
    case 'manyToMany':
    case 'manyThrough':
      return toMany()
    default:
      return relation satisfies never
  }
}

// A unique of several fields is a rule of the last of them that has rules.
function addUniques(schema: ResourceSchema, rules: Record<string, Schema>): void {
  for (const columns of schema.model.uniques) {
    if (columns.every((column) => schema.id.columns.includes(column))) continue
    const fields = columns.map((column) => fieldOfColumn(schema, column))
    const field = fields.findLast((name) => name !== null && rules[name])
    if (!field || fields.includes(null)) continue
    const together = [...new Set(fields as string[])].filter((name) => name !== field)
    rules[field] = (rules[field] as Schema).test(unique(...together))
  }
}
