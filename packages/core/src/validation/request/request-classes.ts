import type { RequestFacts } from './request-base.ts'
import type { AnyResourceQuery } from './resource-query.ts'
import type { AnyResourceRequest } from './resource-request.ts'

/** The class of a model's `requests/<model>.request.ts`. */
export type RequestClass = new (facts: RequestFacts) => AnyResourceRequest
/** The class of a model's `requests/<model>.query.ts`. */
export type QueryClass = new (facts: RequestFacts) => AnyResourceQuery
/** The class of a model's `requests/<model>.collection-query.ts`. */
export type CollectionQueryClass = QueryClass

/** The application's request and query classes of one model; null where there is none. */
export interface RequestClasses {
  /** What clients may write. */
  readonly request: RequestClass | null
  /** The query of requests for one resource. */
  readonly query: QueryClass | null
  /** The query of requests for collections. */
  readonly collectionQuery: CollectionQueryClass | null
}
