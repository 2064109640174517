import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Attributes, context, type Meter, propagation, SpanKind, type Tracer, trace } from '@opentelemetry/api'
import type { Exchange, Telemetry } from '../request/telemetry.ts'
import { failed } from './failed.ts'

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
  'url.path': route === null ? `${baseUrl.pathname}/REDACTED` : route.replace('{id}', 'REDACTED'),
  'server.address': baseUrl.hostname,
  ...(baseUrl.port !== '' && { 'server.port': Number(baseUrl.port) }),
})

const versionOf = ({ httpVersion }: IncomingMessage): Attributes => ({ 'network.protocol.version': httpVersion })

function outcomeOf({ headersSent, statusCode }: ServerResponse): Attributes {
  if (!headersSent) return { 'error.type': 'aborted' }
  return { 'http.response.status_code': statusCode, ...(statusCode >= 500 && { 'error.type': String(statusCode) }) }
}
