// All that an application is made of: the package but for createApi, which loads whatever answers a request.

export { type AuthorizationRequest, Authorizer, PolicyAuthorizer } from '@prismapi/core/auth/authorizer'
export { allow, deny, type PolicyAnswer } from '@prismapi/core/auth/decision'
export type { LazyToMany, LazyToOne } from '@prismapi/core/auth/lazy-relation'
export { Policy, type Rules } from '@prismapi/core/auth/policy'
export { accessLog, requestId } from '@prismapi/core/http/middleware/request-log'
export { discover } from '@prismapi/core/server/discover'
export type { Logger } from '@prismapi/core/server/logger'
export { Server } from '@prismapi/core/server/server'
export type { Serving } from '@prismapi/core/server/serving-phase'
export { ResourceCollectionQuery, ResourceQuery } from '@prismapi/core/validation/request/resource-query'
export { ResourceRequest } from '@prismapi/core/validation/request/resource-request'
export {
  clientId,
  confirmed,
  future,
  notSupported,
  page,
  requiredWith,
  same,
  unique,
  whenSent,
} from '@prismapi/core/validation/rules/field-rules'
export type { Rules as RequestRules } from '@prismapi/core/validation/rules/rule-set'
export {
  array,
  bigint,
  boolean,
  bytes,
  date,
  dateTime,
  decimal,
  enumOf,
  integer,
  json,
  number,
  object,
  string,
  time,
  toMany,
  toOne,
  uuid,
} from '@prismapi/core/validation/rules/rules'
export { JsonApiError } from '@prismapi/jsonapi/document/error'
export {
  badRequest,
  conflict,
  forbidden,
  invalidField,
  notFound,
  unauthorized,
} from '@prismapi/jsonapi/document/errors'
export { say } from '@prismapi/jsonapi/document/text'
export type { Resources } from '@prismapi/jsonapi/model/meta'
export type { ModelName, Register, RowOf, User, WhereOf } from '@prismapi/jsonapi/model/register'
export { PagePagination } from '@prismapi/jsonapi/pagination/page-pagination'
export { meta } from '@prismapi/jsonapi/schema/actions'
export { type Fields, Schema } from '@prismapi/jsonapi/schema/schema'
export { checkTables } from '@prismapi/sql/databases/check-database'
export { wholeTransactions } from '@prismapi/sql/prisma/adapter-transactions'
export { bearerToken, keepTokens, type VerifiedToken } from './middleware/bearer-token.ts'
export { corsOptions } from './middleware/cors-options.ts'
export { health } from './middleware/health.ts'
export { onClientError, serverOptions } from './process/node-server.ts'
export { serve } from './process/serve.ts'
export { startProcess } from './process/start-process.ts'
export { scopedClient } from './scoped-client.ts'
export { serializable } from './serializable.ts'
export type { ApiOptions } from './usual/create-api.ts'
