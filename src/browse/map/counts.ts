import { type CheckedCollection, checkMany, planMany } from '../../actions/fetch-many.ts'
import { onThread } from '../../actions/on-thread.ts'
import { checkPrice } from '../../price/check-price.ts'
import { priceOfCollection } from '../../price/price.ts'
import { runReadHooks } from '../../read/hooks.ts'
import { noOrder } from '../../read/plan.ts'
import { schemaOf } from '../../schema/resource-schema.ts'
import type { ServerContext } from '../../server/server-context.ts'
import { asking, unlessRefused } from '../data/answer-to.ts'
import type { Caller } from '../data/page-request.ts'
import { listedTypes, type Pays } from './listed-types.ts'

/** How many resources the caller would be listed, by type: of those whose pages say it, and as far as that can be paid for. */
export async function countsOf({ ctx, api }: Caller, pays: Pays): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const asked = asking(ctx, new URLSearchParams())
  // One after the other: a page takes one connection.
  for (const { type, model } of listedTypes(api)) {
    const schema = schemaOf(ctx.server.schemas, model.name)
    const found = await unlessRefused(async () => {
      const checked = await checkMany(asked, { kind: 'viewAny', schema })
      return tellsTotal(checked) ? count(asked, checked, pays) : null
    })
    if (found !== null) counts.set(type, found)
  }
  return counts
}

/** A type whose pages never say how many there are is counted for nobody. */
const tellsTotal = ({ query: { page } }: CheckedCollection): boolean => page === null || page.asks?.counted === true

const countedAlone = {
  include: new Map(),
  collections: new Map(),
  counts: new Set<string>(),
  page: { asks: { take: 0, counted: true } },
}

/** By the statement of a total, which is kept as every total is. */
async function count(ctx: ServerContext, checked: CheckedCollection, pays: Pays): Promise<number | null> {
  const { schema } = checked
  const plan = { ...planMany(ctx, checked), order: noOrder }
  if (!pays(priceOfCollection(ctx, plan, countedAlone))) return null
  const price = await checkPrice(ctx, { query: countedAlone, plan, schemas: [schema], parents: 0 })
  return onThread(ctx, price, async (within) => {
    await runReadHooks(within, schema.model.name, 'reading')
    return within.store.reader.read({ kind: 'count', model: schema.model.name, where: plan.where })
  })
}
