import type { DeclaredFilter } from '@prismapi/jsonapi/schema/filters'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { KnownRow } from './urls.ts'

/** Values that each filter is asked with; what a filter compares them with is the application's affair. */
const valuesAtMost = 20

/** A collection by the sorts and the filters that its schema class declares; filters by values of known rows. */
export function declaredUrls(schema: ResourceSchema, known: readonly KnownRow[]): readonly string[] {
  const url = `/${schema.type}`
  const sorts = [...schema.sorts.keys()].flatMap((name) => [`${url}?sort=${name}`, `${url}?sort=-${name}`])
  const filters = [...schema.filters.values()].flatMap((filter) =>
    valuesFor(filter, known).map((value) => `${url}?filter[${filter.name}]=${encodeURIComponent(value)}`),
  )
  return [...sorts, ...filters]
}

function valuesFor({ kind, values }: DeclaredFilter, known: readonly KnownRow[]): readonly string[] {
  if (values) return values
  if (kind === 'boolean') return ['true', 'false']
  const all = new Set(known.flatMap((row) => [row.id, ...row.values.values()]))
  return [...all].filter((value) => fits[kind].test(value)).slice(0, valuesAtMost)
}

const digits = /^-?\d+$/
const number = /^-?\d+(?:\.\d+)?$/
const fits: Readonly<Record<Exclude<DeclaredFilter['kind'], 'boolean'>, RegExp>> = {
  string: /^.{1,200}$/,
  integer: digits,
  bigint: digits,
  float: number,
  decimal: number,
  datetime: /^\d{4}-\d\d-\d\d/,
}
