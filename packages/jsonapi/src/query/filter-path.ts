import type { Quantifier } from '../condition/condition.ts'
import type { DeclaredFilter } from '../schema/filters.ts'
import { isToMany, type MorphTo, type Relation } from '../schema/relation-kinds.ts'
import { type Attribute, type ResourceSchema, type SchemaRegistry, schemaOf } from '../schema/resource-schema.ts'

/** One relation that a path crosses. */
export interface RelationStep {
  readonly relation: Crossable
  readonly quantifier: Quantifier
}

export type Crossable = Exclude<Relation, MorphTo>

/** Where a path ends: the relations crossed, the type they lead to, and the field of it. */
export interface FilterTarget {
  readonly steps: readonly RelationStep[]
  readonly schema: ResourceSchema
  readonly field: Attribute | 'id' | RelationStep | DeclaredFilter
  /** Where the field is a Json attribute: the way to a value inside of it. */
  readonly jsonPath: readonly string[]
  /** A quantifier was written behind the relation that the path ends with (`comments.none`). */
  readonly isQuantified: boolean
  /** What the brackets behind the path hold. */
  readonly operator: string | null
}

const quantifiers: ReadonlySet<string> = new Set<Quantifier>(['some', 'every', 'none'])

/** Names behind a relation in brackets that are operators of the relation, not fields of its target. */
export const relationOperators: ReadonlySet<string> = new Set(['equals', 'in', 'not', 'notIn', 'exists', 'isNull'])

/**
 * In: what stands in the brackets of a filter. Out: the field that it names and the operator; null when it names none.
 * `author.name` and, for clients that nest objects, `author][name` are the same.
 */
export function resolvePath(
  brackets: readonly string[],
  schema: ResourceSchema,
  registry: SchemaRegistry,
): FilterTarget | null {
  let at: FilterPosition | null = startAt(schema, [])
  for (const [i, text] of brackets.entries()) {
    const isOperator = i > 0 && (!isToOneStep(at.field) || relationOperators.has(text))
    if (isOperator) return i === brackets.length - 1 ? toTarget(at, text) : null
    for (const name of text.split('.')) {
      at = step(at, name, registry)
      if (!at) return null
    }
  }
  return toTarget(at, null)
}

/** How far a path has come; `field` is null before its first name. */
type FilterPosition = Omit<FilterTarget, 'operator' | 'field'> & { readonly field: FilterTarget['field'] | null }

const startAt = (schema: ResourceSchema, steps: readonly RelationStep[]): FilterPosition => ({
  steps,
  schema,
  field: null,
  jsonPath: [],
  isQuantified: false,
})

export const isRelationStep = (field: FilterPosition['field']): field is RelationStep =>
  typeof field === 'object' && field !== null && 'quantifier' in field
export const isDeclared = (field: FilterPosition['field']): field is DeclaredFilter =>
  typeof field === 'object' && field !== null && 'where' in field
const isJson = (field: FilterPosition['field']): boolean =>
  typeof field === 'object' && field !== null && 'serialize' in field && field.kind === 'json' && field.isFilterable
const isToOneStep = (field: FilterPosition['field']): boolean => isRelationStep(field) && field.quantifier === 'is'

/** Every relation that a condition on the target crosses. */
export const stepsOf = ({ steps, field }: FilterTarget): readonly RelationStep[] =>
  isRelationStep(field) ? [...steps, field] : steps

function toTarget(at: FilterPosition, operator: string | null): FilterTarget | null {
  return at.field && { operator, ...at, field: at.field }
}

function step(at: FilterPosition, name: string, registry: SchemaRegistry): FilterPosition | null {
  const { field } = at
  if (field === null) return enter(at, name)
  if (!isRelationStep(field)) return isJson(field) ? { ...at, jsonPath: [...at.jsonPath, name] } : null
  if (isToMany(field.relation) && !at.isQuantified && quantifiers.has(name)) {
    return { ...at, field: { ...field, quantifier: name as Quantifier }, isQuantified: true }
  }
  const schema = schemaOf(registry, field.relation.model)
  return enter(startAt(schema, [...at.steps, field]), name)
}

function enter(at: FilterPosition, name: string): FilterPosition | null {
  if (name === 'id') return { ...at, field: 'id' }
  const relation = at.schema.relations.get(name)
  if (relation && relation.kind !== 'morphTo') {
    return { ...at, field: { relation, quantifier: isToMany(relation) ? 'some' : 'is' } }
  }
  const field = at.schema.filters.get(name) ?? at.schema.attributes.get(name)
  return field ? { ...at, field } : null
}
