// Types that applications seldom write down: of events, of what a schema says, of documents and options.

export type { CoreOptions } from '@prismapi/core/api/api-options'
export type { CoreApi } from '@prismapi/core/api/create-api'
export type { ActionGroup, FieldAction, RowAction, RowGroup, TypeAction } from '@prismapi/core/auth/actions'
export type { AuthorizerClass } from '@prismapi/core/auth/authorizer'
export type { Allowed, Decision, Denied, DenyOptions } from '@prismapi/core/auth/decision'
export type { LazyRelation } from '@prismapi/core/auth/lazy-relation'
export type { Declare, FieldOf, PolicyBase, PolicyClass, Prohibition } from '@prismapi/core/auth/policy'
export type { TransactionLimits } from '@prismapi/core/database/prisma/prisma-store'
export type { Clients, PrismaClientLike } from '@prismapi/core/database/store'
export type { Reads } from '@prismapi/core/database/stores'
export type { Authenticate } from '@prismapi/core/http/api'
export type { AccessLogOptions } from '@prismapi/core/http/middleware/request-log'
export type { Responder, ResponderOptions } from '@prismapi/core/http/own-routes'
export type { ReadEvent, ReadHookName } from '@prismapi/core/read/hooks'
export type { Discovered, DiscoverOptions } from '@prismapi/core/server/discover'
export type { DocsViewer, OpenApiOptions, PageOptions, ServerClass } from '@prismapi/core/server/server'
export type { ServerParts } from '@prismapi/core/server/server-parts'
export type {
  FillHookOf,
  HookColumnsOf,
  ModelHooks,
  PrepareEventOf,
  PrepareHookOf,
  ReadHookOf,
  RowHookOf,
  ScopesOfAll,
  WriteEventOf,
} from '@prismapi/core/server/serving-phase'
export type { CommittedEvent, FillHookName, PrepareEvent, RowHookName, WriteEvent } from '@prismapi/core/write/hooks'
export type {
  Acted,
  ActOptions,
  Caller,
  CallerOptions,
  CreateOptions,
  DeleteOptions,
  DocumentValue,
  FieldsQuery,
  FieldsSent,
  FilterQuery,
  IncludePath,
  LinkOptions,
  ListedRows,
  Listing,
  ListQuery,
  Operations,
  RowHead,
  RowId,
  RowQuery,
  RowReference,
  RowSeen,
  Seeing,
  SeenRow,
  UpdateOptions,
  WholeRow,
} from '@prismapi/direct/types'
export type {
  BigIntFilter,
  BooleanFilter,
  Bytes,
  BytesFilter,
  ColumnRef,
  DateTimeFilter,
  DecimalFilter,
  EnumFilter,
  FloatFilter,
  IntFilter,
  JsonFilter,
  JsonInput,
  JsonValue,
  ListFilter,
  StringFilter,
  ToManyFilter,
  ToOneFilter,
} from '@prismapi/jsonapi/condition/column-filters'
export type { ErrorInit, UntranslatedError } from '@prismapi/jsonapi/document/error'
export type { InvalidField } from '@prismapi/jsonapi/document/errors'
export type { Text } from '@prismapi/jsonapi/document/text'
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
} from '@prismapi/jsonapi/document/types'
export type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
export type {
  Annotations,
  ColumnMeta,
  EnumMeta,
  ModelMeta,
  ModelOperation,
  Provider,
  RelationMeta,
  ScalarType,
  SchemaOrigin,
} from '@prismapi/jsonapi/model/meta'
export type { AnyNull, DbNull, Decimal, DecimalLike, JsonNull } from '@prismapi/jsonapi/model/prisma-types'
export type {
  AttributeOf,
  BasePathParams,
  ColumnOf,
  DatabaseClient,
  DataOf,
  Models,
  ModelTypes,
  OwnFieldsOf,
  OwnFiltersOf,
  PolicyMethodsOf,
  RelatedRowOf,
  RelationOf,
  Services,
  TargetOf,
  ToManyOf,
  ToOneOf,
  TransactionClient,
} from '@prismapi/jsonapi/model/register'
export type { ListOptions, VisibleOptions, VisibleRows } from '@prismapi/jsonapi/model/visible-rows'
export type { Row, Where } from '@prismapi/jsonapi/model/where'
export type { IdempotencyOptions, LiveOptions } from '@prismapi/jsonapi/request/features'
export type { Limits, OwnLimits } from '@prismapi/jsonapi/request/limits'
export type { Repeat, Stage, StreamStep, Tracing } from '@prismapi/jsonapi/request/observer'
export type { AskedQuery, Exchange, Fallback, Telemetry } from '@prismapi/jsonapi/request/telemetry'
export type {
  ActionAnswer,
  ActionEvent,
  ActionInput,
  ActionOptions,
  ActionPlace,
  ActionRules,
  DeclaredAction,
  MetaAnswer,
} from '@prismapi/jsonapi/schema/actions'
export type { DecimalSize } from '@prismapi/jsonapi/schema/attributes'
export type { Deprecation } from '@prismapi/jsonapi/schema/deprecation'
export type { FieldOptions } from '@prismapi/jsonapi/schema/field-options'
export type { AttributeOverride, Field, IdOverride } from '@prismapi/jsonapi/schema/fields'
export type {
  DeclaredFilter,
  FilterKind,
  FilterOptions,
  FilterRequest,
  HookRequest,
} from '@prismapi/jsonapi/schema/filters'
export type {
  MorphForm,
  MorphToOverride,
  RelationOptions,
  RelationOverride,
} from '@prismapi/jsonapi/schema/relation-fields'
export type { NewAttribute, SchemaClass } from '@prismapi/jsonapi/schema/schema'
export type { DeclaredSearch } from '@prismapi/jsonapi/schema/search'
export type { DeclaredSort } from '@prismapi/jsonapi/schema/sorts'
export type { KeptAnswersOptions } from '@prismapi/kept/kept-answers'
export type { ExplainedApp, OpenExplained } from './explain/explained-app.ts'
export type { CorsOptions } from './middleware/cors-options.ts'
export type { HealthOptions } from './middleware/health.ts'
export type { CostLimit, RateLimitOptions, RateLimitParts, RequestLimit } from './rate-limit/rate-limit.ts'
export type { Scopes } from './scoped-client.ts'
