import type { JsonApiError } from '../../document/error.ts'
import { conflict } from '../../document/errors.ts'
import { say } from '../../document/text.ts'
import { failure } from '../failures/failure.ts'
import { toErrors } from '../failures/places.ts'
import { fieldOfColumn } from '../rules/columns.ts'
import type { Validated } from './run.ts'

/**
 * What a broken unique constraint of the database means to the client, when another request was faster: the same 422 that
 * the rule gives; 409 where no rule covers the columns.
 */
export function uniqueFailure({ prepared, rules }: Validated, columns: readonly string[]): JsonApiError {
  const { request, operation, places, data } = prepared
  const named = columns.map((column) => fieldOfColumn(operation.schema, column)).filter((name) => name !== null)
  const covered = named.filter((name) => rules.fields.has(name))
  const field = covered.find((name) => data[name] !== undefined && data[name] !== null) ?? covered[0]
  if (field === undefined) return conflict(say`The resource is in conflict with another one.`)
  const wording = { messages: request.messages(), attributes: request.attributes() }
  const [error] = toErrors([failure([field], 'unique')], places, wording)
  return error as JsonApiError
}
