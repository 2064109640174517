import type { Attribute, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Sort } from '@prismapi/jsonapi/schema/sorts'
import type { Json } from '../judges/judged.ts'
import { allowed, type Interview, resourcesIn, valueIn } from './interview.ts'
import { isOrdered } from './order.ts'

/** Sorts by every sortable attribute and declared sort, in both directions. `shown` is the unsorted first page. */
export async function askSorts(own: Interview, schema: ResourceSchema, shown: readonly Json[]): Promise<void> {
  const { paginator, attributes, sorts } = schema
  const count = shown.length
  // Pages that have an order of their own are sorted by nothing, and what they seal in cursors has to have an end.
  if (paginator?.order) return
  const status = paginator?.sealsCursors ? [200, 400] : allowed(own, schema)
  for (const attribute of [...attributes.values()].filter((each) => canSort(schema, each))) {
    const { name } = attribute
    // What rules hide from this caller in every row is unknown to it.
    const isUnknown = own.server.mayLack(schema, name) && shown.every((each) => valueIn(each, attribute) === undefined)
    const asked = { schema, count, name, by: attribute, isUp: true }
    await askSort(own, { ...asked, status: isUnknown ? [...status, 400] : status })
  }
  // It may tell of rows that are hidden from this caller.
  for (const [name, sort] of sorts)
    await askSort(own, { schema, count, name, ...columnOf(schema, sort), status: [...status, 400] })
}

const canSort = ({ deletedAtAttribute }: ResourceSchema, { name, isSortable, writeOnly, column }: Attribute): boolean =>
  isSortable && !writeOnly && column !== null && name !== deletedAtAttribute

interface Way {
  /** What resources show of the order; null where that is nothing. */
  readonly by: Attribute | null
  readonly isUp: boolean
}

function columnOf({ attributes }: ResourceSchema, { order: [first] }: Sort): Way {
  const by = [...attributes.values()].find(({ column }) => column !== null && column.name === first?.path.join('.'))
  return { by: by ?? null, isUp: first?.direction === 'asc' }
}

interface SortQuestion extends Way {
  readonly schema: ResourceSchema
  readonly count: number
  readonly name: string
  readonly status: readonly number[]
}

async function askSort(own: Interview, { schema, count, name, by, isUp, status }: SortQuestion): Promise<void> {
  for (const sign of ['', '-']) {
    const path = `/${schema.type}?sort=${sign}${name}`
    const answer = await own.ask({ path, status, primary: 'resources', parameter: 'sort' })
    if (answer.status !== 200) continue
    const found = resourcesIn(answer)
    if (found.length !== count) own.note(answer, `data has ${found.length} resources, and unsorted ${count}`)
    const values = by ? found.map((each) => valueIn(each, by)) : []
    if (by && !isOrdered(sign === '' ? values : values.reverse(), { ...by, isUp }))
      own.note(answer, 'data is in another order')
  }
}
