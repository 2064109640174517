import type { ResourceObject } from '@prismapi/jsonapi/document/types'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import type { Attribute, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { hasLabel } from '../data/page-data.ts'
import { type PageRequest, shownSchema } from '../data/page-request.ts'
import { listOf } from '../html/links.ts'

/** Beside what a row is called. */
const mostColumns = 5
const longText = 60

/**
 * The columns of a table whose reader has asked for none: those that the schema class declares. Without it, at most
 * five beside the label, and never JSON, long text, or when something was deleted. First come choices and booleans, the
 * owner and the newest date, then other dates, numbers and short texts.
 */
export function usualColumns(schema: ResourceSchema, resources: readonly ResourceObject[]): ReadonlySet<string> {
  const label = hasLabel(schema) ? schema.label : null
  if (schema.columns) return new Set(schema.columns)
  const shown = [...schema.attributes.values()].filter(
    (each) => !each.writeOnly && each.name !== label && each.column?.name !== (schema.deletedAt ?? ''),
  )
  const short = shown.filter(({ name }) => resources.every(({ attributes = {} }) => isShort(attributes[name])))
  const named = (test: (attribute: Attribute) => boolean) => short.filter(test).map(({ name }) => name)
  const relations = [...schema.relations.values()]
  const owners = relations.filter((relation) => !isToMany(relation)).map(({ name }) => name)
  const dates = named(isDate)
  const newest =
    short.find(({ column }) => column?.isUpdatedAt) ?? short.find(({ column }) => column?.default === 'now')
  const changed = newest?.name ?? dates.at(-1)
  const ranked = [
    ...named(({ values, kind, isList }) => (values !== null || kind === 'boolean') && !isList).slice(0, 2),
    ...owners.slice(0, 2),
    ...(changed === undefined ? [] : [changed]),
    // When it was made says little where it is known when it changed.
    ...named((attribute) => isDate(attribute) && attribute.column?.default !== 'now'),
    ...named(({ kind, isList }) => numbers.has(kind) && !isList),
    ...named(({ kind, values }) => kind === 'string' && values === null),
    ...relations.filter(isToMany).map(({ name }) => name),
  ]
  return new Set([...new Set(ranked)].slice(0, mostColumns))
}

const isDate = ({ kind, isList }: Attribute): boolean => (kind === 'datetime' || kind === 'date') && !isList
const numbers: ReadonlySet<string> = new Set(['integer', 'bigint', 'float', 'decimal'])

const isShort = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= longText
    : value === null || typeof value !== 'object' || Array.isArray(value)

/** The columns of a table; null for all that were asked for. */
export function columnsFor(
  browsed: Pick<PageRequest, 'caller' | 'operation' | 'search' | 'kept'>,
  resources: readonly ResourceObject[],
): ReadonlySet<string> | null {
  const schema = shownSchema(browsed)
  const sent = new URLSearchParams(browsed.search)
  if (!schema || sent.has(`fields[${schema.type}]`)) return null
  const asked = ['withCount', 'include'].flatMap((name) => listOf(sent, name)).map((path) => path.split('.')[0] ?? '')
  return new Set([...(browsed.kept.columns.get(schema.type) ?? usualColumns(schema, resources)), ...asked])
}
