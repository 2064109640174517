import { type CheckedCollection, planMany } from '../../actions/fetch-many.ts'
import { onThread } from '../../actions/on-thread.ts'
import type { AskedRows } from '../../pagination/paginator.ts'
import { checkPrice } from '../../price/check-price.ts'
import { type Price, priceOfCollection } from '../../price/price.ts'
import { runReadHooks } from '../../read/hooks.ts'
import { noOrder, planCount } from '../../read/plan.ts'
import type { ServerContext } from '../../server/server-context.ts'

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

/** How many resources a collection has, by the statement of a total, which is kept as every total is; null where that costs too much. */
export async function countListed(
  ctx: ServerContext,
  { checked, counted }: Listed,
  pays: Pays,
): Promise<number | null> {
  const { schema } = checked
  const plan = { ...planMany(ctx, checked), order: noOrder }
  const alone = { include: new Map(), collections: new Map(), counts: new Set<string>() }
  const query = { ...alone, page: { asks: { take: 0, counted } } }
  if (!pays(priceOfCollection(ctx, plan, query))) return null
  const price = await checkPrice(ctx, { query, plan, schemas: [schema], parents: 0 })
  const most = counted === true ? undefined : Number(counted)
  return onThread(ctx, price, async (within) => {
    await runReadHooks(within, schema.model.name, 'reading')
    return within.store.reader.read(planCount(plan, most))
  })
}
