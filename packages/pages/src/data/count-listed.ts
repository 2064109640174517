import { onThread } from '@prismapi/core/actions/context'
import { type CheckedCollection, checkMany, planMany } from '@prismapi/core/actions/fetch-many'
import { checkPrice } from '@prismapi/core/price/check-price'
import { type Price, priceOfCollection } from '@prismapi/core/price/price'
import { runReadHooks } from '@prismapi/core/read/hooks'
import { noOrder, planCount } from '@prismapi/core/read/plan'
import type { ServerContext } from '@prismapi/core/server/serving'
import type { AskedRows } from '@prismapi/jsonapi/pagination/paginator'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { pageParameters } from '@prismapi/openapi/parameter'
import { asking, unlessRefused } from './answer-to.ts'
import type { PageRequest } from './page-request.ts'

/** Pays for a question; false where it costs more than is left. */
export type Pays = (price: Price) => boolean

/** So many points for all questions together. */
export function purse(points: number): Pays {
  let left = points
  return (price) => {
    if (price.points > left) return false
    left -= price.points
    return true
  }
}

/** Up to how many, or all of them; false where nothing is counted. */
export type CountedTo = NonNullable<AskedRows['counted']>

interface Listed {
  readonly checked: CheckedCollection
  readonly counted: CountedTo
}

/** How many resources a collection has, by the total that the API keeps; null if counting costs too much. */
export async function countListed(
  ctx: ServerContext,
  { checked, counted }: Listed,
  pays: Pays,
): Promise<number | null> {
  const { schema } = checked
  const plan = { ...planMany(checked), order: noOrder }
  const alone = { include: new Map(), collections: new Map(), counts: new Set<string>() }
  const query = { ...alone, page: { asks: { take: 0, counted } } }
  if (!pays(priceOfCollection(ctx, plan, query))) return null
  const price = await checkPrice(ctx, { query, plan, schemas: [schema], parents: 0 })
  const most = counted === true ? undefined : Number(counted)
  return onThread(ctx, price, async (within) => {
    await runReadHooks(within, schema.model.name, 'reading')
    return within.rows.read(plan.visibility, planCount(plan, most))
  })
}

/** What counting a list may cost that its own pages do not count: of 200,000 rows. */
const cheap = 2_000

/** Does a question cost no more than that. */
export const isCheap: Pays = ({ points }) => points <= cheap

/** How many resources a list has whose pages do not say; null where they do, and where counting costs too much. */
export async function totalOf({ caller, operation, search, document }: PageRequest): Promise<number | null> {
  const { next, prev } = document.links ?? {}
  const { total, totalMoreThan } = (document.meta?.page ?? {}) as { readonly total?: number; totalMoreThan?: number }
  const isTold = (total ?? totalMoreThan) !== undefined || !document.meta?.page
  if (!caller || operation?.kind !== 'viewAny' || !Array.isArray(document.data) || isTold) return null
  if (!next && !prev) return document.data.length
  const asked = asking(caller.ctx, new URLSearchParams(search))
  return unlessRefused(async () => {
    await caller.ctx.store.tableSizes.first()
    return countListed(asked, { checked: await checkMany(asked, operation), counted: true }, isCheap)
  })
}

export const sizeNames: ReadonlySet<string> = new Set(['page[size]', 'page[limit]'])

/** The parameter for a page of that size, or of the largest size; null if the type's pages have no size. */
export function firstPage(schema: ResourceSchema, size: number): Readonly<Record<string, string>> | null {
  const found = Object.values(pageParameters(schema)).find(({ name }) => sizeNames.has(String(name)))
  const { maximum = size } = (found?.schema ?? {}) as { readonly maximum?: number }
  return found ? { [found.name as string]: String(Math.min(size, maximum)) } : null
}
