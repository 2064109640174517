import { type CheckedCollection, checkMany, planMany } from '../../actions/fetch-many.ts'
import { onThread } from '../../actions/on-thread.ts'
import type { AskedRows } from '../../pagination/paginator.ts'
import { checkPrice } from '../../price/check-price.ts'
import { priceOfCollection } from '../../price/price.ts'
import { runReadHooks } from '../../read/hooks.ts'
import { noOrder, planCount } from '../../read/plan.ts'
import { schemaOf } from '../../schema/resource-schema.ts'
import type { ServerContext } from '../../server/server-context.ts'
import { asking, unlessRefused } from '../data/answer-to.ts'
import type { Caller } from '../data/page-request.ts'
import { map as words } from '../texts/reading.ts'
import { numberTold, type Words } from '../texts/words.ts'
import { listedTypes, type Pays } from './listed-types.ts'

/** How many resources the caller would be listed, by type: of those whose pages say it, and as far as that can be paid for. */
export async function countsOf({ ctx, api }: Caller, pays: Pays): Promise<ReadonlyMap<string, Words>> {
  const counts = new Map<string, Words>()
  const asked = asking(ctx, new URLSearchParams())
  // One after the other: a page takes one connection.
  for (const { type, model } of listedTypes(api)) {
    const schema = schemaOf(ctx.server.schemas, model.name)
    const found = await unlessRefused(async () => {
      const checked = await checkMany(asked, { kind: 'viewAny', schema })
      const counted = countedBy(checked)
      return counted === false ? null : count(asked, { checked, counted }, pays)
    })
    if (found !== null) counts.set(type, found)
  }
  return counts
}

type CountedTo = NonNullable<AskedRows['counted']>

/** As far as its pages count it: a type whose pages never say how many there are is counted for nobody. */
const countedBy = ({ query: { page } }: CheckedCollection): CountedTo =>
  page === null ? true : (page.asks?.counted ?? false)

interface Counted {
  readonly checked: CheckedCollection
  readonly counted: CountedTo
}

/** By the statement of a total, which is kept as every total is. */
async function count(ctx: ServerContext, { checked, counted }: Counted, pays: Pays): Promise<Words | null> {
  const { schema } = checked
  const plan = { ...planMany(ctx, checked), order: noOrder }
  const alone = { include: new Map(), collections: new Map(), counts: new Set<string>() }
  const query = { ...alone, page: { asks: { take: 0, counted } } }
  if (!pays(priceOfCollection(ctx, plan, query))) return null
  const price = await checkPrice(ctx, { query, plan, schemas: [schema], parents: 0 })
  const most = counted === true ? undefined : Number(counted)
  const found = await onThread(ctx, price, async (within) => {
    await runReadHooks(within, schema.model.name, 'reading')
    return within.store.reader.read(planCount(plan, most))
  })
  return found === most ? words.moreThan(found - 1) : numberTold(found)
}
