import type { BrokenConstraint, OnBroken } from '../database/prisma/database-errors.ts'
import type { JsonApiError } from '../document/error.ts'
import { conflict, invalidField } from '../document/errors.ts'
import { say } from '../document/text.ts'
import type { ModelMeta } from '../model/meta.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { failure } from '../validation/failures/failure.ts'
import { toErrors } from '../validation/failures/places.ts'
import { fieldOfColumn } from '../validation/rules/columns.ts'
import type { Validated } from '../validation/run/run.ts'

/**
 * What a constraint that was broken means to the client. A unique one, in a race: its id is taken, or one of its fields is. A
 * column that cannot be null, which no rule asked for: the field that stands for it.
 */
export const onBroken =
  (schema: ResourceSchema, validated: Validated, id: string | null): OnBroken =>
  (broken) => {
    const columns = columnsOf(schema.model, broken)
    if (broken.kind === 'missing') return missing(schema, columns)
    return id !== null && columns.length > 0 && columns.every((column) => schema.id.columns.includes(column))
      ? conflict(say`Resource ${id} already exists.`, '/data/id')
      : takenByAnother(validated, columns)
  }

/** Prisma's names of the columns, of which the database says its own, or none but the name of the constraint. */
function columnsOf(model: ModelMeta, { constraint, columns }: BrokenConstraint): readonly string[] {
  if (constraint !== null) return model.constraints[constraint] ?? []
  const all = Object.values(model.columns)
  return columns.map((stored) => all.find(({ column }) => column === stored)?.name ?? stored)
}

function missing(schema: ResourceSchema, [column = '']: readonly string[]): JsonApiError | null {
  const field = fieldOfColumn(schema, column)
  if (field === null) return null
  return invalidField({
    detail: say`The ${field} field is required.`,
    pointer: '/data',
    code: 'required',
    meta: { field },
  })
}

/**
 * What a broken unique constraint of the database means to the client, when another request was faster: the same 422 that
 * the rule gives; 409 where no rule covers the columns.
 */
export function takenByAnother({ prepared, rules }: Validated, columns: readonly string[]): JsonApiError {
  const { request, operation, places, data } = prepared
  const named = columns.map((column) => fieldOfColumn(operation.schema, column)).filter((name) => name !== null)
  const covered = named.filter((name) => rules.fields.has(name))
  const field = covered.find((name) => data[name] !== undefined && data[name] !== null) ?? covered[0]
  if (field === undefined) return conflict(say`The resource is in conflict with another one.`)
  const wording = { messages: request.messages(), attributes: request.attributes() }
  const [error] = toErrors([failure([field], 'unique')], places, wording)
  return error as JsonApiError
}
