import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Part } from './described.ts'

/** Parameters by the name under which operations refer to them. */
export type ParameterParts = Readonly<Record<string, Part>>

/** A comma list. */
export const listParameter = (name: string, items: Part, more: Part = {}): Part => ({
  name,
  in: 'query',
  ...more,
  style: 'form',
  explode: false,
  schema: { type: 'array', items },
})

// The mark of soft deletion is left out wherever it would be named: it exists only for who may see deleted rows.
export const shownAttributes = ({ attributes, deletedAtAttribute }: ResourceSchema) =>
  [...attributes.values()].filter(({ name, writeOnly }) => !writeOnly && name !== deletedAtAttribute)

/** What a reference to a parameter is about. */
export interface NamedParameter {
  /** In the components: `filters.title`, `sort.posts`. */
  readonly name: string
  /** `filter`, `page`, `sort`, `include`, `If-Match` … */
  readonly family: string
  /** The type that it belongs to; null where it is asked of the type that the URL answers with, or of none. */
  readonly type: string | null
}

const familiesOfTypes: Readonly<Record<string, string>> = { filters: 'filter', pages: 'page' }

/** `filters.title` → the filters of the type that the URL answers with, `sort.posts` → the order of posts. */
export function namedParameter({ $ref }: Part): NamedParameter | null {
  if (typeof $ref !== 'string') return null
  const name = $ref.slice('#/components/parameters/'.length)
  const [head = '', type = null] = name.split('.')
  const family = familiesOfTypes[head]
  if (family) return { name, family, type: null }
  return { name, family: head, type }
}
