// All that an application is made of: the package but for createApi, which loads whatever answers a request.

// document
export { type ErrorInit, JsonApiError, type UntoldError } from './document/error.ts'
export {
  badRequest,
  conflict,
  forbidden,
  type InvalidField,
  invalidField,
  notFound,
  unauthorized,
} from './document/errors.ts'
export { Message, say, type Text } from './document/text.ts'
export type {
  DataDocument,
  Document,
  ErrorDocument,
  ErrorObject,
  Identifier,
  JsonApiObject,
  Link,
  Linkage,
  Links,
  Meta,
  MetaDocument,
  Relationship,
  ResourceObject,
  ResultObject,
  ResultsDocument,
} from './document/types.ts'

// model
export type { Awaitable } from './model/awaitable.ts'
export type {
  Annotations,
  ColumnMeta,
  EnumMeta,
  ModelMeta,
  ModelOperation,
  Provider,
  RelationMeta,
  Resources,
  ScalarType,
  SchemaOrigin,
} from './model/meta.ts'
export type {
  ColumnOf,
  DatabaseClient,
  DataOf,
  ModelName,
  Models,
  ModelTypes,
  PolicyMethodsOf,
  Register,
  RelatedRowOf,
  RelationOf,
  RowOf,
  Services,
  ToManyOf,
  ToOneOf,
  TransactionClient,
  User,
  WhereOf,
} from './model/register.ts'
export type { ListOptions, VisibleOptions, VisibleRows } from './model/visible-rows.ts'
export type { OrderTerm } from './condition/order-term.ts'
export type { Row, Where } from './model/where.ts'

// pagination (cursors are an entry of their own: prismapi/cursor-pagination)
export { MultiPagination } from './pagination/multi-pagination.ts'
export type { OrderedList } from './pagination/ordered-list.ts'
export { PagePagination } from './pagination/page-pagination.ts'
export { Pagination } from './pagination/pagination.ts'
export type {
  AskedRows,
  IncludedPage,
  Page,
  PageLimits,
  PageParams,
  PageRequest,
  PageSource,
  Paginator,
  Slice,
} from './pagination/paginator.ts'
export type { Ordered } from './pagination/sort-keys.ts'

// schema
export {
  type ActionAnswer,
  type ActionEvent,
  type ActionInput,
  type ActionOptions,
  type ActionPlace,
  type ActionRules,
  type DeclaredAction,
  type MetaAnswer,
  meta,
} from './schema/actions.ts'
export type { FieldOptions } from './schema/field-options.ts'
export type { AttributeOverride, Field, IdOverride } from './schema/fields.ts'
export type { MorphForm, MorphToOverride, RelationOptions, RelationOverride } from './schema/relation-fields.ts'
export type { Deprecation } from './schema/deprecation.ts'
export type { DeclaredFilter, FilterKind, FilterOptions, FilterRequest } from './schema/filters.ts'
export type { DecimalSize } from './schema/capacity.ts'
export type { HookRequest } from './schema/hook-request.ts'
export { type Fields, type NewAttribute, Schema, type SchemaClass } from './schema/schema.ts'
export type { DeclaredSort } from './schema/sorts.ts'

// request
export type { IdempotencyOptions } from './request/idempotency.ts'
export type { Limits } from './request/limits.ts'
export type { LiveOptions } from './request/live.ts'
export type { AskedQuery, Exchange, Fallback, Telemetry } from './request/telemetry.ts'
export type { Repeat, Stage, StreamStep, Tracing } from './request/tracing.ts'
export type { TransactionLimits } from './database/prisma/prisma-store.ts'

// store
export { wholeTransactions } from './database/prisma/whole-transactions.ts'
export { type Scopes, scopedClient } from './database/scoped-client.ts'
export type { ReadEvent, ReadHookName } from './read/hooks.ts'
export type { CommittedEvent, FillHookName, PrepareEvent, RowHookName, WriteEvent } from './write/hooks.ts'
export type { Clients, PrismaClientLike } from './database/store.ts'
export type { Reads } from './database/stores.ts'

// validation
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
} from './validation/rules/field-rules.ts'
export type { AttributeNames, MessageParts, Messages, MessageText } from './validation/failures/messages.ts'
export { type ToManyRule, type ToOneRule, toMany, toOne } from './validation/rules/relation-rules.ts'
export type {
  CollectionQueryClass,
  QueryClass,
  RequestClass,
  RequestClasses,
} from './validation/request/request-classes.ts'
export type { RequestBase } from './validation/request/request-base.ts'
export type { ClassFiles } from './validation/request/check-request-classes.ts'
export type { Values } from './validation/request/request-facts.ts'
export { type QueryRules, ResourceCollectionQuery, ResourceQuery } from './validation/request/resource-query.ts'
export { ResourceRequest } from './validation/request/resource-request.ts'
export type { Rules as RequestRules, ValidationData } from './validation/rules/rule-set.ts'
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
  uuid,
} from './validation/rules/rules.ts'
export type { Validator } from './validation/request/validator.ts'

// auth
export type { ActionGroup, FieldAction, RowAction, RowGroup, TypeAction } from './auth/actions.ts'
export { type AuthorizationRequest, Authorizer, type AuthorizerClass, PolicyAuthorizer } from './auth/authorizer.ts'
export {
  type Allowed,
  allow,
  type Decision,
  type Denied,
  type DenyOptions,
  deny,
  type PolicyAnswer,
} from './auth/decision.ts'
export type { LazyRelation, LazyToMany, LazyToOne } from './auth/lazy-relation.ts'
export {
  type Declare,
  type FieldOf,
  Policy,
  type PolicyBase,
  type PolicyClass,
  type Prohibition,
  type Rules,
} from './auth/policy.ts'

// openapi
export type { OpenApiOptions } from './server/openapi-options.ts'

// server
export type { Logger } from './server/logger.ts'
export type { ServerParts } from './server/server-parts.ts'
export { type Discovered, type DiscoverOptions, discover } from './server/discover.ts'
export type { ExplainedApp, OpenExplained } from './explain/explained-app.ts'
export type { DocsViewer } from './server/docs.ts'
export type { PageOptions } from './server/pages.ts'
export { Server, type ServerClass } from './server/server.ts'
export type {
  HookColumnsOf,
  FillHookOf,
  PrepareEventOf,
  PrepareHookOf,
  ModelHooks,
  ReadHookOf,
  RowHookOf,
  ScopesOfAll,
  Serving,
  WriteEventOf,
} from './server/serving-phase.ts'

// http
export { type AccessLogOptions, accessLog } from './http/middleware/access-log.ts'
export type { ApiOptions } from './api/api-options.ts'
export type { Authenticate } from './http/api.ts'
export { onClientError } from './http/middleware/client-error.ts'
export { type CorsOptions, corsOptions } from './http/middleware/cors-options.ts'
export { type HealthOptions, health } from './http/middleware/health.ts'
export type { CostLimit, RateLimitOptions, RateLimitParts, RequestLimit } from './http/throttling/rate-limit.ts'
export { requestId } from './http/middleware/request-id.ts'
export { checkTables } from './database/check-tables.ts'
export { bearerToken } from './http/request/bearer-token.ts'
export { keepTokens, type VerifiedToken } from './http/request/keep-tokens.ts'
export { serverOptions } from './http/middleware/server-options.ts'
export type { Responder, ResponderOptions } from './http/own-routes.ts'

// process
export {
  gracefulShutdown,
  type ProcessLogger,
  type Shutdown,
  type ShutdownOptions,
} from './process/graceful-shutdown.ts'
export { listen } from './process/listen.ts'
export { type Served, type ServeOptions, type ServeStart, serve } from './process/serve.ts'
export { startProcess } from './process/start-process.ts'
export { superviseWorkers, type WorkersOptions } from './process/supervise-workers.ts'
export { reportReady } from './process/worker-messages.ts'
