import { compiledIdempotency } from '../idempotency/compile-idempotency.ts'
import { compiledLive } from '../live/compile-live.ts'
import type { ServerFeature } from '../server/server-feature.ts'

/** As much of the usual features as tools need that compile servers and answer nothing. */
export const compiledFeatures: readonly ServerFeature[] = Object.freeze([compiledIdempotency, compiledLive])
