import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  type ContextManager,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  trace,
} from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { openTelemetry } from 'prismapi/internal/telemetry/open-telemetry'
import { afterAll, beforeAll } from 'vitest'

/** A span with those that began inside of it, in the order of their beginnings. */
export interface SpanTree {
  readonly name: string
  readonly kind: keyof typeof SpanKind
  readonly failed: boolean
  readonly attributes: Readonly<Record<string, unknown>>
  readonly spans: readonly SpanTree[]
}

/** Telemetry that ends in memory, as an SDK would set it up for a process. */
export function useTelemetry() {
  const spans = new InMemorySpanExporter()
  const points = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter: points, exportIntervalMillis: 2 ** 30 })
  const meterProvider = new MeterProvider({ readers: [reader] })
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })

  beforeAll(() => {
    context.setGlobalContextManager(asyncContexts())
    propagation.setGlobalPropagator(traceparent)
  })
  afterAll(async () => {
    context.disable()
    propagation.disable()
    await tracerProvider.shutdown()
    await meterProvider.shutdown()
  })

  return {
    telemetry: openTelemetry({ tracerProvider, meterProvider }),
    tracer: tracerProvider.getTracer('test'),
    spans: (): readonly ReadableSpan[] => spans.getFinishedSpans(),
    /** What a piece of work makes, as trees; those of requests end when their answers have been sent. */
    async treesOf(work: () => Promise<unknown>): Promise<readonly SpanTree[]> {
      spans.reset()
      await work()
      await new Promise((resolve) => setTimeout(resolve, 20))
      return treesOf(spans.getFinishedSpans())
    },
    /** The points of a metric so far. */
    async pointsOf(name: string) {
      points.reset()
      await meterProvider.forceFlush()
      const found = points
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
        .filter(({ descriptor }) => descriptor.name === name)
      return found.flatMap(({ descriptor, dataPoints }) =>
        dataPoints.map(({ attributes, value }) => ({ unit: descriptor.unit, attributes, value })),
      )
    },
  }
}

function treesOf(all: readonly ReadableSpan[]): SpanTree[] {
  const known = new Set(all.map((span) => span.spanContext().spanId))
  const inOrder = [...all].sort((a, b) => instant(a) - instant(b))
  const below = (parent: string | undefined): SpanTree[] =>
    inOrder
      .filter(
        ({ parentSpanContext }) =>
          (known.has(parentSpanContext?.spanId ?? '') ? parentSpanContext?.spanId : undefined) === parent,
      )
      .map((span) => ({
        name: span.name,
        kind: SpanKind[span.kind] as keyof typeof SpanKind,
        failed: span.status.code === SpanStatusCode.ERROR,
        attributes: span.attributes,
        spans: below(span.spanContext().spanId),
      }))
  return below(undefined)
}

const instant = ({ startTime: [seconds, nanoseconds] }: ReadableSpan): number => seconds * 1e9 + nanoseconds

/** What the SDK for Node brings along. */
function asyncContexts(): ContextManager {
  const storage = new AsyncLocalStorage<Context>()
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, work, self, ...args) => storage.run(active, () => work.apply(self as never, args)),
    bind: (_active, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}

/** https://www.w3.org/TR/trace-context/, as far as the tests need it. */
const traceparent: TextMapPropagator = {
  inject() {},
  fields: () => ['traceparent'],
  extract(active, carrier, getter) {
    const [, traceId, spanId] = /^00-(\w{32})-(\w{16})-01$/.exec(String(getter.get(carrier, 'traceparent'))) ?? []
    return traceId && spanId ? trace.setSpanContext(active, { traceId, spanId, traceFlags: 1, isRemote: true }) : active
  },
}
