import { all, any, columnOf, compare, not } from '@prismapi/jsonapi/condition/build'
import type { Compare, Condition } from '@prismapi/jsonapi/condition/condition'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { ManyToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'

/** A side of an implicit many-to-many: the log has its links by the name of the join table. */
export interface LinkSide {
  readonly schema: ResourceSchema
  readonly relation: ManyToMany
  readonly table: string
  /** Which part of the key this side is. */
  readonly own: 'A' | 'B'
}

export const linkSides = ({ byModel }: Pick<SchemaRegistry, 'byModel'>): readonly LinkSide[] =>
  [...byModel.values()].flatMap((schema) =>
    [...schema.relations.values()].flatMap((relation) => {
      const join = relation.kind === 'manyToMany' ? schema.model.relations[relation.field]?.join : null
      return join && relation.kind === 'manyToMany' ? [{ schema, relation, table: join.table, own: join.own }] : []
    }),
  )

/** How the keys of all links of a row at that side begin, or end: databases write them with blanks, or without. */
export function linkKeys({ own }: LinkSide, id: string): readonly (readonly ['startsWith' | 'endsWith', string])[] {
  const text = JSON.stringify(id)
  return own === 'A'
    ? [['startsWith', `[${text},`]]
    : [
        ['endsWith', `,${text}]`],
        ['endsWith', `, ${text}]`],
      ]
}

/** The ids that the key of a link has; null where the whole table was emptied. */
export function linkIds(key: string): Readonly<Record<'A' | 'B', string>> | null {
  if (key === '') return null
  const parts: unknown = JSON.parse(key)
  return Array.isArray(parts) && parts.length === 2 ? { A: String(parts[0]), B: String(parts[1]) } : null
}

/** What the log calls the actions of links, which are created and deleted there, and how they are shown. */
export const linkActions: Readonly<Record<string, string>> = { create: 'attach', delete: 'detach' }

/** The same condition over the log, where it is about actions as they are shown. */
export function overLogged(condition: Condition, log: ModelMeta, tables: readonly string[]): Condition {
  if (tables.length === 0) return condition
  const isLink = compare(columnOf(log, 'model'), 'in', tables)
  const action = columnOf(log, 'action')
  const logged = (shown: string): Condition => {
    const [own] = Object.entries(linkActions).find(([, each]) => each === shown) ?? []
    if (own !== undefined) return all(compare(action, 'equals', own), isLink)
    return all(compare(action, 'equals', shown), shown in linkActions ? not(isLink) : null)
  }
  const over = (node: Condition): Condition => {
    if (node.kind === 'all') return all(...node.conditions.map(over))
    if (node.kind === 'any') return any(node.conditions.map(over))
    if (node.kind === 'not') return not(over(node.condition))
    return node.kind === 'compare' && node.column.name === 'action' ? overCompared(node) : node
  }
  const overCompared = ({ operator, value }: Compare): Condition => {
    const values = (Array.isArray(value) ? value : [value]).map(String)
    if (operator === 'equals' || operator === 'in') return any(values.map(logged))
    if (operator === 'not' || operator === 'notIn') return not(any(values.map(logged)))
    return compare(action, operator, value)
  }
  return over(condition)
}
