import type { ServerFeature } from '@prismapi/core/server/server-feature'
import { FeatureKey } from '@prismapi/jsonapi/request/features'

/** As much of QUERY as is told to clients. */
export const compiledQuery: ServerFeature<true> = {
  key: new FeatureKey('query'),
  compile: () => true,
  openapi: () => ({ takesQuery: true }),
}
