import { authorize } from '@prismapi/core/auth/authorize'
import { relatedRows } from '@prismapi/core/read/find'
import type { ServerContext } from '@prismapi/core/server/serving'
import { makeRequest } from '@prismapi/core/validation/request/make-request'
import { validateDelete } from '@prismapi/core/validation/run/validate'
import { isTrashed } from '@prismapi/core/write/write-row'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { errorTold, type Words } from '../texts/words.ts'

/** Why the API would refuse to delete a resource for the caller; empty if only trying it tells. */
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
