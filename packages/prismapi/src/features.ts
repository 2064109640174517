// What features are made of, beside what applications are made of.

export type { Feature, ServeParts, UnansweredParts } from '@prismapi/core/api/feature'
export type { Ceiling } from '@prismapi/core/auth/caller'
export { type AroundRead, type AroundStore, wrapStore } from '@prismapi/core/database/wrap'
export type { Call } from '@prismapi/core/http/call'
export type { Execute, Handler, HttpStage, Plugin } from '@prismapi/core/http/plugin'
export {
  type Command,
  type Commands,
  type Input,
  type Option,
  type Terminal,
  UsageError,
} from '@prismapi/core/server/command'
export type { ToolFeature } from '@prismapi/core/server/discover'
export type { DirectFeature, IncomingRequest, KeptAnswer, KeyedCall } from '@prismapi/core/server/incoming-request'
export {
  eachOperation,
  headerRef,
  type OpenApiPart,
  type Part,
  type Paths,
  responseRef,
  withHeaders,
} from '@prismapi/core/server/open-api-part'
export type {
  CollectionMenu,
  CollectionPage,
  OwnPage,
  Page,
  PageContent,
  PageHtml,
  PageNames,
  PagePart,
  ResourcePage,
  RevertOptions,
} from '@prismapi/core/server/page-part'
export type { CompileParts, ServerFeature } from '@prismapi/core/server/server-feature'
export { badParameter } from '@prismapi/jsonapi/document/errors'
export type { Parameter } from '@prismapi/jsonapi/query/parameters'
export {
  onlyValue,
  type ParameterSubject,
  type QueryParameter,
  sentValue,
} from '@prismapi/jsonapi/query/query-parameter'
export { FeatureKey } from '@prismapi/jsonapi/request/features'
export { FieldOption, type FieldOptionValues } from '@prismapi/jsonapi/schema/field-options'
