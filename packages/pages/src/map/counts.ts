import { checkMany } from '@prismapi/core/actions/fetch-many'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { asking, unlessRefused } from '../data/answer-to.ts'
import { type CountedTo, countListed, isCheap, type Pays } from '../data/count-listed.ts'
import type { Caller, VisibleApi } from '../data/page-request.ts'
import { map as words } from '../texts/reading.ts'
import { numberTold, type Words } from '../texts/words.ts'

/** How many resources the caller may list, by type: as far as its pages count, or if it is cheap, while points last. */
export async function readCounts({ ctx, api }: Caller, pays: Pays): Promise<ReadonlyMap<string, Words>> {
  const counts = new Map<string, Words>()
  const asked = asking(ctx, new URLSearchParams())
  // One after the other: a page takes one connection.
  for (const { type, model } of listedTypes(api)) {
    const schema = schemaOf(ctx.server.schemas, model.name)
    const found = await unlessRefused(async () => {
      const checked = await checkMany(asked, { kind: 'viewAny', schema })
      const { page } = checked.query
      const told = page === null || (page.asks?.counted ?? false)
      const counted = told || true
      const isPaid: Pays = (price) => (told !== false || isCheap(price)) && pays(price)
      const count = await countListed(asked, { checked, counted }, isPaid)
      return count === null ? null : countTold(count, counted)
    })
    if (found !== null) counts.set(type, found)
  }
  return counts
}

/** What is told of a type without rows. */
export const none = '0'

function countTold(count: number, counted: CountedTo): Words {
  // The start page looks for it.
  if (count === 0) return none
  return counted !== true && count === Number(counted) ? words.moreThan(count - 1) : numberTold(count)
}

/** The types that the caller may list, as they are shown to the caller. */
export const listedTypes = ({ schemas, audience }: VisibleApi): readonly ResourceSchema[] =>
  [...schemas.byType.values()].filter(({ type }) => audience.has(`${type}.viewAny`))
