import { isFinerThanDate } from '@prismapi/jsonapi/pagination/keyset'
import { operatorsOf } from '@prismapi/jsonapi/query/filter-operators'
import { valueKind } from '@prismapi/jsonapi/query/filter-values'
import type { DeclaredFilter, FilterKind } from '@prismapi/jsonapi/schema/filters'
import type { Attribute, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Json } from '../judges/judged.ts'
import { allowed, type Interview, resourcesIn, valueIn } from './interview.ts'

/** Filters by id, and by the values of a shown resource: only that one comes back. `shown` is the first page. */
export async function askFilters(own: Interview, schema: ResourceSchema, shown: readonly Json[]): Promise<void> {
  for (const filter of schema.filters.values()) await askDeclared(own, schema, filter)
  const [first] = shown
  if (!first) return
  const status = allowed(own, schema)
  // One value, whatever is in it.
  const id = encodeURIComponent(String(first.id).replaceAll(',', '\\,'))
  const byId = await own.ask({ path: `/${schema.type}?filter[id]=${id}`, status })
  const ids = resourcesIn(byId).map(({ id }) => id)
  if (byId.status === 200 && ids.join() !== first.id) own.note(byId, `data is not ${schema.type}:${first.id}`)
  for (const attribute of schema.attributes.values()) {
    if (!operatorsOf(attribute, own.server.resources.provider).includes('equals')) continue
    const item = shown.find((each) => isPlain(attribute, valueIn(each, attribute)))
    if (item) await askValue(own, schema, { attribute, item })
  }
}

interface Shown {
  readonly attribute: Attribute
  readonly item: Json
}

async function askValue(own: Interview, schema: ResourceSchema, { attribute, item }: Shown): Promise<void> {
  const { type } = schema
  const { name } = attribute
  const value = valueIn(item, attribute)
  const path = `/${type}?filter[${name}]=${encodeURIComponent(String(value))}`
  const answer = await own.ask({ path, status: allowed(own, schema) })
  if (answer.status !== 200) return
  const found = resourcesIn(answer)
  for (const other of found)
    if (!isSame(valueIn(other, attribute), value)) own.note(answer, `${type}:${other.id} has another ${name}`)
  // It was on the first page, and the resources before it are only fewer.
  if (!found.some(({ id }) => id === item.id)) own.note(answer, `${type}:${item.id} has this ${name}, and is missing`)
}

/** As long as a value of a URL may be. */
const longest = 200

/** Can the value be written as it is, and is it all that the database has of it. */
function isPlain({ column, kind, values, isConverted, isList }: Attribute, value: unknown): boolean {
  if (!column || isConverted || isList || value === null || value === undefined || isFinerThanDate(column)) return false
  // A column may have fewer digits than the number it is compared with.
  if (kind === 'float' && Math.fround(Number(value)) !== value) return false
  const text = String(value)
  if (text === '' || text.length > longest || /[,\\]/.test(text)) return false
  return (valueKind(kind, column, values)?.parse(text) ?? null) !== null
}

/** Some databases take no notice of case. */
const isSame = (a: unknown, b: unknown): boolean => String(a).toLowerCase() === String(b).toLowerCase()

const examples: Readonly<Record<FilterKind, string>> = {
  string: 'a',
  integer: '1',
  bigint: '1',
  float: '1.5',
  decimal: '1.5',
  boolean: 'true',
  datetime: '2020-01-31T09:30:00Z',
}

/** What it finds is the application's affair, and so is what it refuses; but not what is no value of its kind. */
async function askDeclared(own: Interview, schema: ResourceSchema, filter: DeclaredFilter): Promise<void> {
  const parameter = `filter[${filter.name}]`
  const path = `/${schema.type}?${parameter}=`
  const value = filter.values?.[0] ?? examples[filter.kind]
  await own.ask({ path: path + encodeURIComponent(value), status: [200, 400, 422, ...own.denials] })
  if (filter.kind !== 'string' || filter.values)
    await own.ask({ path: `${path}no-such-value`, status: [400], parameter })
}
