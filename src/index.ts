// document
export { JsonApiError } from './document/error.ts'
export { badRequest, conflict, forbidden, invalidField, notFound, unauthorized } from './document/errors.ts'
export type { Document, ErrorObject, Identifier, Linkage, ResourceObject } from './document/types.ts'

// model
export type { Resources } from './model/meta.ts'
export type {
  ColumnOf,
  DataOf,
  ModelName,
  Models,
  Register,
  RelationOf,
  RowOf,
  ToManyOf,
  ToOneOf,
  TransactionClient,
  User,
  WhereOf,
} from './model/register.ts'

// pagination (cursors are an entry of their own: prismapi/cursor-pagination)
export { MultiPagination } from './pagination/multi-pagination.ts'
export { PagePagination } from './pagination/page-pagination.ts'
export type {
  IncludedPage,
  Page,
  PageLimits,
  PageParams,
  PageRequest,
  PageSource,
  Paginator,
  Slice,
} from './pagination/paginator.ts'

// schema
export { type ActionEvent, type ActionOptions, meta } from './schema/actions.ts'
export type { FilterRequest } from './schema/filters.ts'
export type { HookRequest } from './schema/resource-schema.ts'
export { type Fields, Schema } from './schema/schema.ts'

// request
export type { IdempotencyOptions } from './request/idempotency.ts'
export type { Limits } from './request/limits.ts'
export type { AskedQuery, Exchange, Telemetry } from './request/telemetry.ts'
export type { Repeat, Stage } from './request/tracing.ts'
export type { TransactionLimits } from './store/prisma-store.ts'

// store
export { scopedClient } from './store/scopes.ts'
export type { Clients } from './store/store.ts'

// validation
export { clientId, confirmed, notSupported, page, requiredWith, same, unique } from './validation/field-rules.ts'
export type { AttributeNames, MessageParts, Messages } from './validation/messages.ts'
export { toMany, toOne } from './validation/relation-rules.ts'
export type { CollectionQueryClass, QueryClass, RequestClass, RequestClasses } from './validation/request-classes.ts'
export type { Values } from './validation/request-state.ts'
export { type QueryRules, ResourceCollectionQuery, ResourceQuery } from './validation/resource-query.ts'
export { ResourceRequest } from './validation/resource-request.ts'
export type { Rules as RequestRules } from './validation/rule-set.ts'
export {
  array,
  bigint,
  boolean,
  bytes,
  dateTime,
  decimal,
  enumOf,
  integer,
  json,
  number,
  object,
  string,
  uuid,
} from './validation/rules.ts'
export type { Validator } from './validation/validator.ts'

// auth
export { type AuthorizationRequest, Authorizer } from './auth/authorizer.ts'
export { allow, type Decision, deny, type PolicyAnswer } from './auth/decision.ts'
export type { LazyToMany, LazyToOne } from './auth/lazy-relation.ts'
export { Policy, type Rules } from './auth/policy.ts'
export { PolicyAuthorizer } from './auth/policy-authorizer.ts'

// openapi
export type { OpenApiOptions } from './openapi/described.ts'

// server
export type { Logger, ServerParts } from './server/compile.ts'
export { type Discovered, type DiscoverOptions, discover } from './server/discover.ts'
export type { ExplainedApp, OpenExplained } from './server/explained-app.ts'
export { Server } from './server/server.ts'
export type { ModelHooks, Serving, WriteEventOf } from './server/serving.ts'

// http
export { type AccessLogOptions, accessLog } from './http/access-log.ts'
export { type ApiOptions, createApi, type PrismApi } from './http/api.ts'
export { onClientError } from './http/client-error.ts'
export { type CorsOptions, corsOptions } from './http/cors-options.ts'
export { type HealthOptions, health } from './http/health.ts'
export type { RateLimitOptions } from './http/rate-limit.ts'
export { requestId } from './http/request-id.ts'
export { serverOptions } from './http/server-options.ts'
export type { Responder, ResponderOptions } from './http/responder.ts'

// process
export {
  gracefulShutdown,
  type ProcessLogger,
  type Shutdown,
  type ShutdownOptions,
} from './process/graceful-shutdown.ts'
export { superviseWorkers, type WorkersOptions } from './process/supervise-workers.ts'
export { reportReady } from './process/worker-messages.ts'
