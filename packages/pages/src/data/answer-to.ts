import { executeOperation } from '@prismapi/core/actions/actions'
import type { ServerContext } from '@prismapi/core/server/serving'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { documentText } from '@prismapi/jsonapi/document/rendered'
import type { Document } from '@prismapi/jsonapi/document/types'
import { requestedAt, withParts } from '@prismapi/jsonapi/request/hook-context'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import type { ShownDocument } from './page-request.ts'

/** What the API answers the caller of a page to one more question; null where it refuses. */
export const answerTo = (
  ctx: ServerContext,
  operation: Operation,
  query: URLSearchParams,
): Promise<ShownDocument | null> =>
  unlessRefused(async () => {
    const { document } = await executeOperation(asking(ctx, query), operation)
    return document && shownDocument(document)
  })

/** The context of one more question of the same caller. */
export function asking(ctx: ServerContext, query: URLSearchParams): ServerContext {
  const url = new URL(ctx.at.url)
  url.search = `?${query}`
  return withParts(ctx, { at: requestedAt(url) })
}

export const shownDocument = (document: Document): ShownDocument => JSON.parse(documentText(document))

/** Null for what the caller may not see, a limit, a rule of the application's query class: the page does with less. */
export async function unlessRefused<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof JsonApiError) return null
    throw error
  }
}
