import { conflict } from '../document/errors.ts'
import type { ModelMeta } from '../model/meta.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { BrokenUnique, OnUnique } from '../store/prisma/database-errors.ts'
import type { AnyResourceRequest } from '../validation/classes/resource-request.ts'
import { uniqueFailure } from '../validation/unique-failure.ts'

/** What a unique constraint that was broken in a race means to the client: its id is taken, or one of its fields is. */
export const onUnique =
  (schema: ResourceSchema, request: AnyResourceRequest, id: string | null): OnUnique =>
  (broken) => {
    const columns = columnsOf(schema.model, broken)
    return id !== null && columns.length > 0 && columns.every((column) => schema.id.columns.includes(column))
      ? conflict(`Resource ${id} already exists.`, '/data/id')
      : uniqueFailure(request, columns)
  }

/** Prisma's names of the columns, of which the database says its own, or none but the name of the constraint. */
function columnsOf(model: ModelMeta, { constraint, columns }: BrokenUnique): readonly string[] {
  if (constraint !== null) return model.constraints[constraint] ?? []
  const all = Object.values(model.columns)
  return columns.map((stored) => all.find(({ column }) => column === stored)?.name ?? stored)
}
