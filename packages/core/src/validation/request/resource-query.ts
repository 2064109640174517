import type { ModelName } from '@prismapi/jsonapi/model/register'
import type { ISchema } from 'yup'
import type { Named, RuleSet } from '../rules/rule-set.ts'
import { operationOf, RequestBase, type RequestFacts } from './request-base.ts'
import type { AnyResourceRequest } from './resource-request.ts'

/**
 * The families of query parameters.
 *
 * @internal
 */
type Family =
  | ('page' | 'sort' | 'filter' | 'include' | 'fields' | 'withCount')
  | ('includePage' | 'includeSort' | 'includeFilter')

/**
 * Rules by query parameter: `page`, `page.size`, `filter.slug`.
 *
 * @see https://jsonapi.org/format/#query-parameters-families
 */
export type QueryRules = { readonly [Key in Family | `${Family}.${string}`]?: ISchema<unknown> | undefined }

/**
 * What the framework knows of a query class, whatever its model.
 *
 * @internal
 */
export interface AnyResourceQuery extends RequestBase {
  rules(): RuleSet
}

/**
 * Rules for the query of requests that answer one resource of the type, beyond what the schema allows. Lives in
 * `requests/<model>.query.ts`. A failure is a 400 whose `source.parameter` is the key (`page[size]`).
 *
 * A value that a number or boolean rule is about is read as one where it is written as one.
 *
 * @see https://jsonapi.org/format/#query-parameters
 * @example
 * export default class PostQuery extends ResourceQuery<'Post'> {
 *   override rules() {
 *     return this.checked({ include: notSupported() })
 *   }
 * }
 */
export class ResourceQuery<_M extends ModelName = ModelName> extends RequestBase {
  /** By query parameter; none by default: what the schema allows is allowed. */
  rules(): QueryRules {
    return {}
  }

  /** The same rules. A name that is no query parameter does not compile, wherever the rules were made. */
  protected checked<const R extends QueryRules>(rules: Named<R, QueryRules, 'query parameter'>): QueryRules {
    return rules as QueryRules
  }

  /** The query is about the type's own endpoints, not about a relationship that leads to it. */
  isNotRelationship(): boolean {
    return !('relation' in operationOf(this))
  }
}

/**
 * Rules for the query of requests that answer collections of the type, also when they are read through a relationship.
 * Lives in `requests/<model>.collection-query.ts`.
 *
 * @see https://jsonapi.org/format/#query-parameters
 * @example
 * export default class PostCollectionQuery extends ResourceCollectionQuery<'Post'> {
 *   override rules() {
 *     return this.checked({ 'page.size': integer().min(1).max(200) })
 *   }
 * }
 */
export class ResourceCollectionQuery<M extends ModelName = ModelName> extends ResourceQuery<M> {}

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
