import type { ToolFeature } from '@prismapi/core/server/discover'
import type { ServerFeature } from '@prismapi/core/server/server-feature'
import { compiledLive } from '@prismapi/live/compile-live'
import { compiledOpenApi } from '@prismapi/openapi/compile-openapi'
import { compiledPages } from '@prismapi/pages/compile-pages'
import { compiledQuery } from '@prismapi/query/compiled-query'
import { compiledDeprecation } from '../deprecation/compile-deprecation.ts'
import { compiledIdempotency } from '../idempotency/compile-idempotency.ts'

/** As much of the usual features as tools need that compile servers and answer nothing. */
export const compiledFeatures: readonly ServerFeature[] = Object.freeze([
  compiledPages,
  compiledQuery,
  compiledOpenApi,
  compiledDeprecation,
  compiledIdempotency,
  compiledLive,
])

/** The same with those of the application's own features. */
export const toolFeatures = (own: readonly ToolFeature[]): readonly ServerFeature[] => [
  ...compiledFeatures,
  ...own.flatMap(({ compiled }) => compiled ?? []),
]
