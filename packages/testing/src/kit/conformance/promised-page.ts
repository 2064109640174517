import type { Row } from '@prismapi/jsonapi/model/where'
import type { Page, PageParams, PageSource } from '@prismapi/jsonapi/pagination/paginator'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'

/** A collection as far as it is known: its ids in order. */
export interface KnownCollection {
  readonly ids: readonly string[]
  /** The place at which the page begins. */
  readonly at: number
  /** How many it may have; left out, these. */
  readonly count?: number
}

/**
 * The page that the type's own paginator makes of a collection: its rows, links and meta. Rows have nothing but an id
 * here. Null if a paginator of the application cannot work with such rows, or refuses the parameters.
 */
export async function promisedPage(
  schema: ResourceSchema,
  params: PageParams,
  known: KnownCollection,
): Promise<Page | null> {
  const { paginator, perPage, maxPageSize } = schema
  try {
    return (await paginator?.parse(params, { perPage, maxPageSize }).read(standIn(schema, known))) ?? null
  } catch {
    return null
  }
}

/** The parameter that says how many resources a page has; null where none does. */
export async function sizeKeyOf(schema: ResourceSchema): Promise<string | null> {
  const three = { ids: ['1', '2', '3'], at: 0 }
  const shown = async (key: string, size: string) => (await promisedPage(schema, { [key]: size }, three))?.rows.length
  for (const key of schema.paginator?.keys ?? [])
    if ((await shown(key, '1')) === 1 && (await shown(key, '2')) === 2) return key
  return null
}

function standIn({ id, model }: ResourceSchema, { ids, at, count = ids.length }: KnownCollection): PageSource {
  const blank = Object.fromEntries(Object.keys(model.columns).map((name) => [name, 0]))
  const rows: readonly Row[] = ids.map(() => ({ ...blank }))
  const [column] = id.columns as readonly [string]
  return {
    // Who pages by a cursor passes nothing over: the page begins behind it.
    rows: ({ skip = at, take }) => rows.slice(skip, skip + take),
    count: (most = Infinity) => Math.min(count, most),
    find: () => blank,
    idOf: (row) => ids[rows.indexOf(row)] ?? '',
    idColumns: id.columns,
    order: [{ path: [column], direction: 'asc' }],
    list: {
      keys: [{ column, direction: 'asc', nulls: null, placesNulls: false, values: null }],
      seal: () => 'cursor',
      open: () => [0],
    },
  }
}
