import { TooMuchText } from '../database/sql-database.ts'
import { documentTooLarge } from '../document/errors.ts'
import { sizeParameter } from '../request/request-url.ts'
import type { RequestContext } from './context.ts'

/** Does work that reads. @throws {JsonApiError} 400 where its rows have more text than a document may have */
export async function refuseText<T>(ctx: Pick<RequestContext, 'at' | 'limits'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TooMuchText)) throw error
    throw documentTooLarge(sizeParameter(ctx.at), ctx.limits.documentBytes)
  }
}
