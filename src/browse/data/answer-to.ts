import { executeOperation } from '../../actions/actions.ts'
import { JsonApiError } from '../../document/error.ts'
import { documentText } from '../../document/rendered.ts'
import type { Operation } from '../../request/operation.ts'
import { requestedAt } from '../../request/request-url.ts'
import { withParts } from '../../request/with-parts.ts'
import type { ServerContext } from '../../server/server-context.ts'
import type { ShownDocument } from './page-request.ts'

/** What the API answers the caller of a page to one more question; null where it refuses. */
export async function answerTo(
  ctx: ServerContext,
  operation: Operation,
  query: URLSearchParams,
): Promise<ShownDocument | null> {
  const url = new URL(ctx.at.url)
  url.search = `?${query}`
  try {
    const { document } = await executeOperation(withParts(ctx, { at: requestedAt(url) }), operation)
    return document && JSON.parse(documentText(document))
  } catch (error) {
    // What the caller may not see, a limit, a rule of the application's query class: the page does with less.
    if (error instanceof JsonApiError) return null
    throw error
  }
}
