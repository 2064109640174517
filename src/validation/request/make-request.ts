import type { Reader } from '../../database/reader.ts'
import type { Services } from '../../model/register.ts'
import type { Row } from '../../model/where.ts'
import type { Operation } from '../../request/operation.ts'
import type { RequestClass, RequestClasses } from './request-classes.ts'
import { factsOf } from './request-facts.ts'
import { type AnyResourceRequest, ResourceRequest } from './resource-request.ts'

/** What instances of request classes are made from. */
export interface RequestSource {
  readonly server: { readonly requests: ReadonlyMap<string, RequestClasses>; readonly services: Services }
  /** Null for a guest. */
  readonly user: unknown
  readonly store: { readonly reader: Reader }
}

/** An instance of the request class for this request; with the row that the URL names, where it is known. */
export function makeRequest(source: RequestSource, operation: Operation, row: Row | null = null): AnyResourceRequest {
  const Class: RequestClass = source.server.requests.get(operation.schema.model.name)?.request ?? ResourceRequest
  const caller = { user: source.user, reader: source.store.reader }
  return new Class(factsOf(operation, { caller, row, services: source.server.services }))
}

/** The same where a request class may have its say on a read; null where there is none. */
export const makeReadRequest = (source: RequestSource, operation: Operation, row: Row | null = null) =>
  source.server.requests.get(operation.schema.model.name)?.request ? makeRequest(source, operation, row) : null
