import { JsonApiError } from '@prismapi/jsonapi/document/error'
import type { PageLimits, PageParams, Paginator } from '@prismapi/jsonapi/pagination/paginator'
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

/** The members of `page` that the type's paginator has. */
export function pageParameters({ type, paginator, perPage, maxPageSize }: ResourceSchema): ParameterParts {
  if (!paginator) return {}
  const takes = (key: string, value: string) => isTaken(paginator, { [key]: value }, { perPage, maxPageSize })
  const entries = paginator.keys.map((key) => {
    const schema = keySchema((value) => takes(key, value), maxPageSize)
    const description = 'maximum' in schema ? 'How many resources a page has at most.' : (places[key] ?? anyPlace)
    const parameter = { name: `page[${key}]`, in: 'query', description, schema }
    return [`page.${type}.${key}`, parameter] as const
  })
  return Object.fromEntries(entries)
}

const places: Readonly<Record<string, string>> = {
  number: 'Which page; 1 is the first.',
  after: 'The page begins after this place. The links of another page have such values.',
  before: 'The page ends before this place. The links of another page have such values.',
}

/** Of a paginator of the application. */
const anyPlace = 'Which page. The links of another page have such values.'

// A paginator, which may be the application's, says what its keys take by taking it.
function keySchema(takes: (value: string) => boolean, maxPageSize: number): Part {
  if (takes('x') || !takes('1')) return { type: 'string' }
  const isSize = takes(String(maxPageSize)) && !takes(String(maxPageSize + 1))
  return { type: 'integer', minimum: 1, ...(isSize && { maximum: maxPageSize }) }
}

function isTaken(paginator: Paginator, params: PageParams, limits: PageLimits): boolean {
  try {
    paginator.parse(params, limits)
    return true
  } catch (error) {
    if (error instanceof JsonApiError) return false
    throw error
  }
}
