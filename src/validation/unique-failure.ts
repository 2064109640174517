import type { JsonApiError } from '../document/error.ts'
import { conflict } from '../document/errors.ts'
import { stateKey } from './classes/request-state.ts'
import type { AnyResourceRequest } from './classes/resource-request.ts'
import { fieldOfColumn } from './columns.ts'
import { failure } from './failures/failure.ts'
import { noPlaces, toErrors } from './failures/places.ts'

/**
 * What a broken unique constraint of the database means to the client, when another request was faster: the same 422 that
 * the rule gives; 409 where no rule covers the columns.
 */
export function uniqueFailure(request: AnyResourceRequest, columns: readonly string[]): JsonApiError {
  const { operation, fields, places, data } = request[stateKey]
  const named = columns.map((column) => fieldOfColumn(operation.schema, column)).filter((name) => name !== null)
  const covered = named.filter((name) => fields.has(name))
  const field = covered.find((name) => data?.[name] !== undefined && data[name] !== null) ?? covered[0]
  if (field === undefined) return conflict('The resource is in conflict with another one.')
  const wording = { messages: request.messages(), attributes: request.attributes() }
  const [error] = toErrors([failure([field], 'unique')], places ?? noPlaces, wording)
  return error as JsonApiError
}
