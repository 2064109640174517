import { type Attributes, context, type Meter, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { untilDone } from '@prismapi/jsonapi/request/observer'
import type { AskedQuery, Telemetry } from '@prismapi/jsonapi/request/telemetry'

// https://opentelemetry.io/docs/specs/semconv/db/database-spans/ and …/database-metrics/

const seconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

/** A span of each query, and how long it takes. */
export function measureQueries(tracer: Tracer, meter: Meter): Telemetry['query'] {
  const duration = meter.createHistogram('db.client.operation.duration', {
    description: 'Duration of database client operations.',
    unit: 's',
    advice: { explicitBucketBoundaries: seconds },
  })
  return (query, work) => {
    const began = performance.now()
    const attributes = attributesOf(query)
    const { operation, collection, text } = query
    const span = tracer.startSpan(collection === null ? operation : `${operation} ${collection}`, {
      kind: SpanKind.CLIENT,
      attributes: { ...attributes, ...(text !== null && { 'db.query.text': text }) },
    })
    return untilDone(
      () => context.with(trace.setSpan(context.active(), span), work),
      (error) => {
        const outcome: Attributes = error === undefined ? {} : { 'error.type': errorType(error) }
        duration.record((performance.now() - began) / 1000, { ...attributes, ...outcome })
        span.setAttributes(outcome)
        if (error !== undefined) span.setStatus(failed)
        span.end()
      },
    )
  }
}

const attributesOf = ({ system, operation, collection }: AskedQuery): Attributes => ({
  'db.system.name': system === 'sqlserver' ? 'microsoft.sql_server' : system,
  'db.operation.name': operation,
  ...(collection !== null && { 'db.collection.name': collection }),
})

/** The status of a span whose work failed. Without a message: that of an error may quote a value. */
export const failed = Object.freeze({ code: SpanStatusCode.ERROR })

/** What kind of error it is: the status of an answer, the code of a driver, or the name of a class. */
export function errorType(error: unknown): string {
  if (error instanceof JsonApiError) return String(error.status)
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown }
  return [code, name].find((each): each is string => typeof each === 'string' && /^\w{1,64}$/.test(each)) ?? '_OTHER'
}

/** A refusal is an answer like others; an error that is none of ours, or what the server could not do, is a failure. */
export const isFailure = (error: unknown): boolean => !(error instanceof JsonApiError) || error.status >= 500
