import type { RequestState } from './request-state.ts'
import type { AnyResourceQuery } from './resource-query.ts'
import type { AnyResourceRequest } from './resource-request.ts'

export type RequestClass = new (state: RequestState) => AnyResourceRequest
export type QueryClass = new (state: RequestState) => AnyResourceQuery
export type CollectionQueryClass = QueryClass

/** The application's request and query classes of one model; null where there is none. */
export interface RequestClasses {
  readonly request: RequestClass | null
  readonly query: QueryClass | null
  readonly collectionQuery: CollectionQueryClass | null
}
