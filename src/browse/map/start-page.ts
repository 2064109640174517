import { purse } from '../data/count-listed.ts'
import type { Caller } from '../data/page-request.ts'
import type { Html } from '../html/html.ts'
import { countsOf } from './counts.ts'
import { isLarge, resourceMap } from './map.ts'
import { recentlyChanged } from './recent.ts'

/** What the page asks of the database costs no more, all together: a tenth of what one request may cost by default. */
const mostPoints = 100_000

/** The types of a server, how many resources each has, and what changed last. A server with many types is asked for nothing. */
export async function startPage(caller: Caller): Promise<Html> {
  const { ctx, api } = caller
  if (isLarge(api.schemas)) return resourceMap(api, { counts: new Map(), recent: null })
  await ctx.store.tableSizes.first()
  const pays = purse(Math.min(mostPoints, ctx.limits.cost))
  const counts = await countsOf(caller, pays)
  return resourceMap(api, { counts, recent: await recentlyChanged(caller, pays) })
}
