import { all, everything, isEverything } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { FieldAccess, FieldRule } from '@prismapi/jsonapi/condition/scopes'
import { foreignKeyColumns, keyColumns, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { Attribute, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { namesOfAttribute, namesOfRelation } from './field-names.ts'
import type { CaslRule } from './rules.ts'

/** The rules that name an action, the strongest first, and what they are combined by. */
export interface FieldRules {
  readonly rules: readonly CaslRule[]
  /** Does a method of the policy decide on the rows: then it stands where a rule without fields would. */
  readonly isByMethod: boolean
  readonly combine: (rules: readonly CaslRule[]) => Condition
  /** Which of the declared rules it is. */
  readonly numberOf: (rule: CaslRule) => number
}

/**
 * In: the rules that name an action. Out: for each field, of which rows it may be seen or written; null if of all rows.
 * A field that no rule names follows the columns that it reads, or else the row.
 */
export function fieldAccess(schema: ResourceSchema, given: FieldRules): FieldAccess | null {
  if (!given.rules.some(({ fields }) => fields)) return null
  const access = new Naming(schema, given)
  const fields = new Map<string, Condition>()
  const stored = new Map<string, Condition>()
  for (const attribute of schema.attributes.values()) put(fields, attribute.name, access.attribute(attribute))
  for (const relation of schema.relations.values()) {
    const condition = access.named(namesOfRelation(relation)) ?? access.columns(keyColumns(relation))
    put(fields, relation.name, condition)
    for (const own of storedAs(relation)) put(stored, own, condition)
  }
  for (const name of Object.keys(schema.model.columns)) put(stored, name, access.column(name))
  for (const name of Object.keys(schema.model.relations)) if (!stored.has(name)) put(stored, name, access.unshown(name))
  return fields.size + stored.size === 0 ? null : { fields, stored, ruledBy: (field) => access.ruledBy(field) }
}

function put(map: Map<string, Condition>, name: string, condition: Condition): void {
  if (!isEverything(condition)) map.set(name, condition)
}

/** The rules of one action, by the fields that they name. */
class Naming {
  /** Of a field that no rule names. */
  readonly rest: Condition
  private readonly schema: ResourceSchema
  private readonly given: FieldRules
  private readonly known: ReadonlySet<string>
  /** By the numbers of the rules that they are made of. */
  private readonly made = new Map<string, Condition>()

  constructor(schema: ResourceSchema, given: FieldRules) {
    const { rules, isByMethod } = given
    this.schema = schema
    this.given = given
    this.known = new Set(rules.flatMap(({ fields }) => fields ?? []))
    // Who sees a row for the sake of one field does not see the others by that.
    const isWhole = isByMethod || !rules.some(({ fields, inverted }) => fields && !inverted)
    this.rest = isWhole ? everything : this.of([])
  }

  /** Null where no rule has one of the names. */
  named(names: readonly string[]): Condition | null {
    return names.some((name) => this.known.has(name)) ? this.of(names) : null
  }

  attribute(attribute: Attribute): Condition {
    if (attribute.column && this.schema.id.columns.includes(attribute.column.name)) return everything
    return this.named(namesOfAttribute(attribute)) ?? this.columns(attribute.reads)
  }

  /** Of what is made of these columns: where each of them is seen. */
  columns(names: readonly string[]): Condition {
    const shown = names.filter((name) => !this.schema.id.columns.includes(name))
    return shown.length === 0 ? this.rest : all(...new Set(shown.flatMap((name) => this.ofColumn(name))))
  }

  /** A column is seen where all that stands for it is. */
  column(name: string): Condition {
    return this.schema.id.columns.includes(name) ? everything : all(...new Set(this.ofColumn(name)))
  }

  private ofColumn(name: string): readonly Condition[] {
    const conditions = this.standingFor(name).flatMap((each) => this.named(each) ?? [])
    return conditions.length === 0 ? [this.rest] : conditions
  }

  /** A relation of Prisma's that is none of the type. */
  unshown(name: string): Condition {
    return this.named([name]) ?? this.columns(this.schema.model.relations[name]?.foreignKey?.columns ?? [])
  }

  /** What rules may call a column: as itself, as an attribute, as a relation. */
  private standingFor(name: string): readonly (readonly string[])[] {
    const { attributes, relations, model } = this.schema
    const leading = Object.values(model.relations).filter(({ foreignKey }) => foreignKey?.columns.includes(name))
    return [
      [name],
      ...leading.map((relation) => [relation.name]),
      ...[...attributes.values()].filter(({ column }) => column?.name === name).map(namesOfAttribute),
      ...[...relations.values()].filter((relation) => foreignKeyColumns(relation).includes(name)).map(namesOfRelation),
    ]
  }

  /** Of what no rule names, those of the columns that it reads. */
  ruledBy(field: string): readonly FieldRule[] {
    const attribute = this.schema.attributes.get(field)
    const relation = this.schema.relations.get(field)
    const own = attribute ? namesOfAttribute(attribute) : relation ? namesOfRelation(relation) : []
    const columns = attribute ? attribute.reads : relation ? keyColumns(relation) : []
    const isNamed = own.some((name) => this.known.has(name))
    const names = isNamed ? own : columns.flatMap((name) => this.standingFor(name).flat())
    return this.about(names).map((rule) => ({
      rule: this.given.numberOf(rule),
      effect: rule.inverted ? 'cannot' : 'can',
      where: rule.conditions ?? null,
      ...(rule.reason !== undefined && { because: rule.reason }),
    }))
  }

  /** The same rules make the same condition, so that a set has it once. */
  private of(names: readonly string[]): Condition {
    const rules = this.about(names)
    const key = rules.map(this.given.numberOf).join()
    const condition = this.made.get(key) ?? this.given.combine(rules)
    this.made.set(key, condition)
    return condition
  }

  private about(names: readonly string[]): readonly CaslRule[] {
    return this.given.rules.filter(({ fields }) => !fields || fields.some((name) => names.includes(name)))
  }
}

/** The relations of Prisma's that it is made of. */
function storedAs(relation: Relation): readonly string[] {
  if (relation.kind === 'manyThrough') return [relation.pivot.list]
  if (relation.kind !== 'morphTo') return [relation.field]
  return relation.form.kind === 'keys' ? relation.form.branches.map(({ field }) => field) : []
}
