import { checkMany, manyDocument, planMany, readCollection } from '@prismapi/core/actions/fetch-many'
import { priceOfCollection } from '@prismapi/core/price/price'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { asking, shownDocument, unlessRefused } from '../data/answer-to.ts'
import type { Pays } from '../data/count-listed.ts'
import type { Caller, ShownDocument } from '../data/page-request.ts'

interface Asked {
  /** As the caller is told of it. */
  readonly schema: ResourceSchema
  readonly query: Readonly<Record<string, string>>
}

/** The document of a collection that the API answers; null where it refuses, and where that costs too much. */
export function listPriced(
  { ctx }: Caller,
  { schema: shown, query }: Asked,
  pays: Pays,
): Promise<ShownDocument | null> {
  const asked = asking(ctx, new URLSearchParams(query))
  const schema = schemaOf(ctx.server.schemas, shown.model.name)
  return unlessRefused(async () => {
    const checked = await checkMany(asked, { kind: 'viewAny', schema })
    const plan = planMany(checked)
    if (!pays(priceOfCollection(asked, plan, checked.query))) return null
    return shownDocument(await manyDocument(asked, checked, await readCollection(asked, plan, checked.query)))
  })
}
