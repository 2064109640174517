import { asTooLarge } from '@prismapi/core/actions/actions'
import { checkMany, manyDocument, planMany, readCollection } from '@prismapi/core/actions/fetch-many'
import type { ServerContext } from '@prismapi/core/server/serving'
import { CursorProfilePagination } from '@prismapi/jsonapi/pagination/cursor-profile-pagination'
import { withParts } from '@prismapi/jsonapi/request/hook-context'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import { type ShownRow, ShownRows } from './shown-rows.ts'

const rowsAtOnce = 100

/**
 * The rows of a collection, a hundred at a time. Cursors lead from one part to the next, so no row comes twice,
 * whatever is written meanwhile.
 */
export async function* everyRow(ctx: ServerContext, operation: Operation): AsyncGenerator<readonly ShownRow[]> {
  const { schema } = operation
  const checked = await checkMany(ctx, { kind: 'viewAny', schema })
  const limits = { perPage: rowsAtOnce, maxPageSize: rowsAtOnce }
  const ordered = { model: schema.model, resources: ctx.server.resources }
  for (let after: string | null = null; ; ) {
    const page = pages.parse({ size: String(rowsAtOnce), ...(after !== null && { after }) }, limits)
    page.checkOrder?.(checked.query.order, ordered)
    const part = { ...checked, query: { ...checked.query, page, isSingular: false } }
    const taker = new ShownRows()
    const within = withParts(ctx, { taker })
    const collection = await asTooLarge(ctx, async () => readCollection(within, planMany(part), part.query))
    await manyDocument(within, part, collection)
    yield taker.rows as readonly ShownRow[]
    after = (taker.next?.after as string | undefined) ?? null
    if (after === null) return
  }
}

const pages = new CursorProfilePagination()
