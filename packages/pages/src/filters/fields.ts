import { type ResourceSchema, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { filterParameters, trashedParameter } from '@prismapi/openapi/filter-parameters'
import type { VisibleApi } from '../data/page-request.ts'
import { filters as words } from '../texts/asking.ts'
import { titleOf, type Words } from '../texts/words.ts'

export type FilterKind = 'text' | 'number' | 'datetime' | 'date' | 'boolean' | 'choice' | 'relation'

/** A field that a collection can be narrowed by, as a sentence about it is written. */
export interface FilterField {
  readonly name: string
  readonly title: Words
  readonly kind: FilterKind
  /** Of an enumeration. */
  readonly values: readonly string[]
  /** What a relation leads to. */
  readonly target: ResourceSchema | null
  /** Is it no condition on resources, but which of the deleted ones are shown: it stands in no group. */
  readonly isApart: boolean
  /** By what stands in the URL: an operator, nothing for none, `isNull:true` where the value is settled. */
  readonly operators: ReadonlyMap<string, Words>
}

interface Parameter {
  readonly name: string
  readonly schema: ValueSchema & { readonly items?: ValueSchema }
}

interface ValueSchema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
}

/** The path of a filter: `filter[author.name][contains]` → `author.name`, `contains`. */
export const pathOf = (name: string): readonly string[] => name.slice('filter['.length, -1).split('][')

export function filterFields(api: VisibleApi, schema: ResourceSchema): readonly FilterField[] {
  const parameters = Object.values({ ...filterParameters(api, schema), ...trashedParameter(api, schema) })
  const byField = new Map<string, Map<string, ValueSchema>>()
  for (const { name, schema: value } of parameters as unknown as readonly Parameter[]) {
    const [field = '', operator = ''] = pathOf(name)
    const known = byField.get(field) ?? new Map<string, ValueSchema>()
    byField.set(field, known.set(operator, value.items ?? value))
  }
  return [...byField].map(([name, forms]) => fieldOf({ api, schema }, name, forms))
}

interface Place {
  readonly api: VisibleApi
  readonly schema: ResourceSchema
}

function fieldOf({ api, schema }: Place, name: string, forms: ReadonlyMap<string, ValueSchema>): FilterField {
  const relation = schema.relations.get(name)
  const [target = null, ...others] = relation ? targetSchemas(api.schemas, relation) : []
  const value = forms.get('') ?? forms.get('has') ?? forms.values().next().value ?? {}
  const kind = relation ? 'relation' : kindOf(value)
  return {
    name,
    title: name === 'id' ? words.id : titleOf(name),
    kind,
    values: value.enum ?? [],
    target: others.length === 0 ? target : null,
    isApart: name === 'trashed' && api.audience.seesTrash(schema.model.name),
    operators: operatorsOf(kind, [...forms.keys()]),
  }
}

function kindOf({ type, format, enum: values }: ValueSchema): FilterKind {
  if (values) return 'choice'
  if (type === 'boolean') return 'boolean'
  if (type === 'integer' || type === 'number') return 'number'
  if (format === 'date') return 'date'
  return format === 'date-time' ? 'datetime' : 'text'
}

const flags: ReadonlySet<string> = new Set(['isNull', 'isEmpty', 'exists'])

/** Those that a field has and that sentences are made of, in the order in which people look for them. */
function operatorsOf(kind: FilterKind, has: readonly string[]): ReadonlyMap<string, Words> {
  const offered: (readonly [string, Words])[] = Object.entries(words.operators[kind]).filter(([key]) => {
    const [operator = ''] = key.split(':')
    // Without an operator a field means the same as with this one.
    return has.includes(operator) && !(operator === '' && has.includes('equals') && takesOne.has(kind))
  })
  const others = has.filter((each) => !flags.has(each) && each !== '' && !Object.hasOwn(words.operators[kind], each))
  return new Map([...offered, ...(offered.length === 0 ? others.map((each) => [each, each] as const) : [])])
}

const takesOne: ReadonlySet<FilterKind> = new Set(['text', 'number', 'datetime', 'date'])
