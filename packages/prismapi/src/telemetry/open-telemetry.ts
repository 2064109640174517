import { type Meter, type MeterProvider, metrics, type TracerProvider, trace } from '@opentelemetry/api'
import type { Telemetry } from '@prismapi/jsonapi/request/telemetry'
import { measureQueries } from './query-telemetry.ts'
import { measureRequests, measureStreams } from './request-telemetry.ts'
import { measureStages } from './stage-telemetry.ts'

/** Where `openTelemetry` sends what it measures. */
export interface OpenTelemetryOptions {
  /** By default the one that is registered with `@opentelemetry/api`. */
  readonly tracerProvider?: TracerProvider
  /** By default the one that is registered with `@opentelemetry/api` when this is called. */
  readonly meterProvider?: MeterProvider
}

const name = 'prismapi'

/**
 * Spans and metrics by OpenTelemetry, named by its semantic conventions 1.x: of each request, of its stages, and of
 * each query. They have no value of a row, a query or a header: ids in paths are `{id}`, statements have placeholders.
 *
 * Call it after the SDK of OpenTelemetry has started. Needs `@opentelemetry/api`.
 *
 * @example
 * import { openTelemetry } from 'prismapi/telemetry'
 *
 * declare const parts: ApiOptions
 *
 * const api = createApi({ ...parts, telemetry: openTelemetry() })
 */
export function openTelemetry({ tracerProvider, meterProvider }: OpenTelemetryOptions = {}): Telemetry {
  const tracer = (tracerProvider ?? trace).getTracer(name)
  const meter: Meter = (meterProvider ?? metrics).getMeter(name)
  return Object.freeze({
    request: measureRequests(tracer, meter),
    query: measureQueries(tracer, meter),
    ...measureStages(tracer, meter),
    streamed: measureStreams(meter),
  })
}
