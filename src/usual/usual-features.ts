import type { Feature } from '../api/feature.ts'
import { pages } from '../browse/serving/pages.ts'
import { deprecation } from '../deprecation/deprecation.ts'
import { explain } from '../explain/explain.ts'
import { guard } from '../guard/guard.ts'
import type { Plugin } from '../http/plugin.ts'
import { costHeader } from '../http/tracing/cost.ts'
import { serverTiming } from '../http/tracing/server-timing.ts'
import { idempotency } from '../idempotency/idempotency.ts'
import { languages } from '../languages/languages.ts'
import { live } from '../live/live.ts'
import { description } from '../openapi/serving/description.ts'
import { statements } from './statements.ts'

const outsideOfProduction = (plugin: Plugin): Feature => ({
  serve:
    ({ production }) =>
    () =>
      production ? null : plugin,
})

/** What every server has, unless `createApi({ features })` says otherwise. */
export const usualFeatures: readonly Feature[] = Object.freeze([
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
  live,
])
