import type { Feature } from '@prismapi/core/api/feature'
import type { Plugin } from '@prismapi/core/http/plugin'
import { exports } from '@prismapi/export/exports'
import { languages } from '@prismapi/languages/languages'
import { live } from '@prismapi/live/live'
import { description } from '@prismapi/openapi/serving/description'
import { pages } from '@prismapi/pages/serving/browser-routes'
import { queryMethod } from '@prismapi/query/query-method'
import { search } from '@prismapi/search/search'
import { guard } from '@prismapi/sql/guard/guard'
import { openReplicaStores } from '@prismapi/sql/replicas/replica-stores'
import { sqlStores } from '@prismapi/sql/sql-stores'
import { deprecation } from '../deprecation/deprecation.ts'
import { explain } from '../explain/explain.ts'
import { idempotency } from '../idempotency/idempotency.ts'
import { costHeader, serverTiming } from '../tracing/preferred-headers.ts'
import { tracing } from '../tracing/tracing.ts'

const outsideOfProduction = (plugin: Plugin): Feature => ({
  serve:
    ({ production }) =>
    () =>
      production ? null : plugin,
})

/** Prepared statements, where the clients bring a connection for them, and replicas. */
const statements: Feature = { openStores: sqlStores, openReplicas: openReplicaStores }

/** What every server has, unless `createApi({ features })` says otherwise. */
export const usualFeatures: readonly Feature[] = Object.freeze([
  tracing,
  // Before all that ask what a request asks.
  queryMethod,
  statements,
  languages,
  guard,
  pages,
  description,
  explain,
  outsideOfProduction(serverTiming),
  outsideOfProduction(costHeader),
  deprecation,
  idempotency,
  exports,
  search,
  live,
])
