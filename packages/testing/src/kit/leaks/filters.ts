import { operatorsOf, takesList } from '@prismapi/jsonapi/query/filter-operators'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import {
  type Attribute,
  type ResourceSchema,
  type SchemaRegistry,
  schemaOf,
  targetSchemas,
} from '@prismapi/jsonapi/schema/resource-schema'
import { type Grounds, idsOf } from './urls.ts'

/** A filter: its key behind `filter`, and its value. */
export type Clause = readonly [key: string, value: string]

/** Where a filter's path ends. */
export interface Leaf {
  readonly path: string
  readonly schema: ResourceSchema
  readonly field: Attribute | Relation | 'id'
}

export function leavesOf(registry: SchemaRegistry, schema: ResourceSchema, depth: number, prefix = ''): Leaf[] {
  const at = (name: string, field: Leaf['field']): Leaf => ({ path: prefix + name, schema, field })
  return [
    at('id', 'id'),
    ...[...schema.attributes.values()].map((attribute) => at(attribute.name, attribute)),
    ...[...schema.relations.values()].flatMap((relation) => {
      if (relation.kind === 'morphTo') return []
      const ways = isToMany(relation) ? ['', '.every', '.none'] : ['']
      const next = schemaOf(registry, relation.model)
      return ways.flatMap((way) => [
        at(relation.name + way, relation),
        ...(depth > 0 ? leavesOf(registry, next, depth - 1, `${prefix}${relation.name}${way}.`) : []),
      ])
    }),
  ]
}

/** Every condition that the types know to put on a path of so many relations, each on one of the known values. */
export function clausesOf(grounds: Grounds, schema: ResourceSchema, depth: number): Clause[] {
  let turn = 0
  const next = (values: readonly string[]) => values[turn++ % values.length] ?? ''
  return leavesOf(grounds.registry, schema, depth)
    .filter(({ path }) => path.split('.').filter((name) => name !== 'every' && name !== 'none').length > depth)
    .flatMap((leaf) => leafClauses(grounds, leaf, next))
}

/** A filter on an attribute of the type, with its operators that take one value of the attribute's kind. */
export interface TypedLeaf {
  readonly path: string
  readonly attribute: Attribute
  readonly operators: readonly string[]
}

export const typedLeaves = (
  { provider }: Grounds,
  { attributes, deletedAtAttribute }: ResourceSchema,
): readonly TypedLeaf[] =>
  [...attributes.values()].flatMap((attribute) => {
    const { name, kind, isList } = attribute
    if (name === deletedAtAttribute || kind === 'json' || isList) return []
    const operators = operatorsOf(attribute, provider).filter((each) => each !== 'isNull')
    return operators.length > 0 ? [{ path: name, attribute, operators }] : []
  })

type Next = (values: readonly string[]) => string

function leafClauses(grounds: Grounds, { path, schema, field }: Leaf, next: Next): Clause[] {
  if (field === 'id') return idClauses(path, ['equals', 'not', 'notIn', 'gte'], idsOf(grounds, schema.type), next)
  if ('deserialize' in field) {
    const known = (grounds.rows.get(schema.type) ?? []).flatMap(({ values }) => values.get(field.name) ?? [])
    return operatorsOf(field, grounds.provider).flatMap((operator) => attributeClause(path, { operator, known, next }))
  }
  return relationClauses(grounds, path, field, next)
}

function relationClauses(grounds: Grounds, path: string, relation: Relation, next: Next): Clause[] {
  const [target] = targetSchemas(grounds.registry, relation)
  const ids = target ? idsOf(grounds, target.type) : []
  const presence = ['true', 'false'].map((value): Clause => [`[${path}][exists]`, value])
  const isQuantified = path.endsWith('.every') || path.endsWith('.none')
  if (isToMany(relation)) return [...idClauses(path, [], ids, next), ...(isQuantified ? [] : presence)]
  return [...idClauses(path, ['equals', 'not', 'notIn'], ids, next), ...presence]
}

function idClauses(path: string, operators: readonly string[], ids: readonly string[], next: Next): Clause[] {
  return [
    [`[${path}]`, inList(next(ids))],
    [`[${path}]`, `${inList(next(ids))},${inList(next(ids))}`],
    ...operators.map((operator): Clause => {
      const id = next(ids)
      return [`[${path}][${operator}]`, takesList.has(operator) ? inList(id) : id]
    }),
  ]
}

/** A value where a comma would separate. */
export const inList = (value: string): string => value.replaceAll(',', '\\,')

interface Condition {
  readonly operator: string
  readonly known: readonly string[]
  readonly next: Next
}

function attributeClause(path: string, { operator, known, next }: Condition): Clause[] {
  const key = `[${path}][${operator}]`
  if (operator === 'isNull' || operator === 'isEmpty') return ['true', 'false'].map((value): Clause => [key, value])
  if (known.length === 0) return []
  if (takesList.has(operator)) return [[key, `${inList(next(known))},${inList(next(known))}`]]
  const value = next(known)
  const piece = { contains: value.slice(1, -1), startsWith: value.slice(0, 8), endsWith: value.slice(-8) }[operator]
  return [[key, piece ?? value]]
}

export const filterUrl = (url: string, clauses: readonly Clause[]): string =>
  `${url}?${clauses.map(([key, value]) => `filter${key}=${encodeURIComponent(value)}`).join('&')}`
