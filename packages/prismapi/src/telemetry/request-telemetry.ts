import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Attributes, context, type Meter, propagation, SpanKind, type Tracer, trace } from '@opentelemetry/api'
import type { Tracing } from '@prismapi/jsonapi/request/observer'
import type { Exchange, Telemetry } from '@prismapi/jsonapi/request/telemetry'
import { failed } from './query-telemetry.ts'

// https://opentelemetry.io/docs/specs/semconv/http/http-spans/ and …/http-metrics/

const knownMethods = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE'])
const seconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** A span of each request, how long it takes until its answer is sent, and how many there are at one time. */
export function measureRequests(tracer: Tracer, meter: Meter): Telemetry['request'] {
  const duration = meter.createHistogram('http.server.request.duration', {
    description: 'Duration of HTTP server requests.',
    unit: 's',
    advice: { explicitBucketBoundaries: seconds },
  })
  const active = meter.createUpDownCounter('http.server.active_requests', {
    description: 'Number of active HTTP server requests.',
    unit: '{request}',
  })
  return (exchange, work) => {
    const { req, res, route, baseUrl } = exchange
    const began = performance.now()
    const asked = askedBy(req, baseUrl)
    const known = { ...asked, ...(route !== null && { 'http.route': route }) }
    const method = asked['http.request.method'] === '_OTHER' ? 'HTTP' : asked['http.request.method']
    const outer = parentOf(req)
    const span = tracer.startSpan(
      route === null ? method : `${method} ${route}`,
      {
        // Inside of a server's span, that of an instrumentation of Node's HTTP, it is a part of the work.
        kind: trace.getSpan(context.active()) ? SpanKind.INTERNAL : SpanKind.SERVER,
        attributes: { ...known, ...placeOf(exchange) },
      },
      outer,
    )
    active.add(1, asked)
    res.once('close', () => {
      active.add(-1, asked)
      const outcome = outcomeOf(res)
      duration.record((performance.now() - began) / 1000, { ...known, ...versionOf(req), ...outcome }, outer)
      span.setAttributes(outcome)
      if ('error.type' in outcome) span.setStatus(failed)
      span.end()
    })
    return context.with(trace.setSpan(outer, span), work)
  }
}

/** Who called from elsewhere: the span of this process where there is one, else that of `traceparent`. */
const parentOf = ({ headers }: IncomingMessage) => {
  const active = context.active()
  return trace.getSpan(active) ? active : propagation.extract(active, headers)
}

const askedBy = ({ method = '' }: IncomingMessage, { protocol }: URL) => ({
  'http.request.method': knownMethods.has(method) ? method : '_OTHER',
  'url.scheme': protocol.slice(0, -1),
})

/** What the path has in the place of an id may tell whose row it is. */
const placeOf = ({ req, route, baseUrl }: Exchange): Attributes => ({
  ...versionOf(req),
  'url.path': route === null ? `${baseUrl.pathname}/REDACTED` : route.replace(/\{\w+\}/g, 'REDACTED'),
  'server.address': baseUrl.hostname,
  ...(baseUrl.port !== '' && { 'server.port': Number(baseUrl.port) }),
})

const versionOf = ({ httpVersion }: IncomingMessage): Attributes => ({ 'network.protocol.version': httpVersion })

function outcomeOf({ headersSent, statusCode }: ServerResponse): Attributes {
  if (!headersSent) return { 'error.type': 'aborted' }
  return { 'http.response.status_code': statusCode, ...(statusCode >= 500 && { 'error.type': String(statusCode) }) }
}

const streamSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** How many streams are open, what they send, and how long after a change its readers are told. */
export function measureStreams(meter: Meter): NonNullable<Tracing['streamed']> {
  const open = meter.createUpDownCounter('prismapi.live.streams', {
    description: 'Number of open streams.',
    unit: '{stream}',
  })
  const events = meter.createCounter('prismapi.live.events', { description: 'Events that were sent.', unit: '{event}' })
  const lag = meter.createHistogram('prismapi.live.lag', {
    description: 'From the first of the changes that were read together until all streams of their watch were told.',
    unit: 's',
    advice: { explicitBucketBoundaries: streamSeconds },
  })
  return (step) => {
    if (step.kind === 'sent') events.add(1, { 'prismapi.live.event': step.event })
    else if (step.kind === 'looked') lag.record(step.seconds)
    else open.add(step.kind === 'opened' ? 1 : -1)
  }
}
