import { authorize } from '../../auth/authorize.ts'
import { JsonApiError } from '../../document/error.ts'
import type { Row } from '../../model/where.ts'
import { relatedRows } from '../../read/related-rows.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import type { ServerContext } from '../../server/server-context.ts'
import { makeRequest } from '../../validation/request/make-request.ts'
import { validateDelete } from '../../validation/run/validate.ts'
import { isTrashed } from '../../write/write-row.ts'
import { errorTold, type Words } from '../texts/words.ts'

/** Why the caller would be refused to delete a resource, as the API would say it; empty for what can be told only when it is tried. */
export async function whyNot(
  ctx: ServerContext,
  schema: ResourceSchema,
  { id, row }: { readonly id: string; readonly row: Row },
): Promise<readonly Words[]> {
  const kind = isTrashed(schema, row) ? 'forceDelete' : 'delete'
  const operation = { kind, schema, id } as const
  try {
    const request = makeRequest(ctx, operation, row)
    await authorize(ctx, operation, { request, row, value: null })
    await validateDelete(ctx, operation, { request, row, related: relatedRows(ctx) })
    return []
  } catch (error) {
    // A database that is busy is no reason.
    if (error instanceof JsonApiError && error.status < 500) return error.split().map(errorTold)
    throw error
  }
}
