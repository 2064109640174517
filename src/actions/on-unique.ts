import { conflict } from '../document/errors.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { OnUnique } from '../store/database-errors.ts'
import type { AnyResourceRequest } from '../validation/resource-request.ts'
import { uniqueFailure } from '../validation/unique-failure.ts'

/** What a unique constraint that was broken in a race means to the client: its id is taken, or one of its fields is. */
export const onUnique =
  (schema: ResourceSchema, request: AnyResourceRequest, id: string | null): OnUnique =>
  (columns) =>
    id !== null && columns.length > 0 && columns.every((column) => schema.id.columns.includes(column))
      ? conflict(`Resource ${id} already exists.`, '/data/id')
      : uniqueFailure(request, columns)
