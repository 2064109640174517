import { context, type Meter, type Tracer, trace } from '@opentelemetry/api'
import { type Tracing, untilDone } from '@prismapi/jsonapi/request/observer'
import type { Telemetry } from '@prismapi/jsonapi/request/telemetry'
import { errorType, failed, isFailure } from './query-telemetry.ts'

/** A span of each stage of a request, how many writes began anew, and how many reads and writes went the slow way. */
export function measureStages(tracer: Tracer, meter: Meter): Tracing & Pick<Telemetry, 'fellBack' | 'keptAnswer'> {
  const repeats = meter.createCounter('prismapi.transactions.repeated', {
    description: 'Writes that began anew, because they met another one or came too late.',
    unit: '{transaction}',
  })
  const fallbacks = meter.createCounter('prismapi.fallbacks', {
    description: 'Reads and writes that Prisma did, because one prepared statement would not do.',
    unit: '{operation}',
  })
  const kept = meter.createCounter('prismapi.kept_answers', {
    description: 'Requests that looked for an answer that was kept.',
    unit: '{request}',
  })
  return {
    stage(stage, work, model) {
      const span = tracer.startSpan(model === undefined ? stage : `${stage} ${model}`, {
        attributes: { 'prismapi.stage': stage, ...(model !== undefined && { 'prismapi.model': model }) },
      })
      return untilDone(
        () => context.with(trace.setSpan(context.active(), span), work),
        (error) => {
          if (error !== undefined) span.setAttribute('error.type', errorType(error))
          if (error !== undefined && isFailure(error)) span.setStatus(failed)
          span.end()
        },
      )
    },
    keptAnswer: (isFound) => kept.add(1, { 'prismapi.kept.found': isFound }),
    repeated: (reason) => repeats.add(1, { 'prismapi.repeat.reason': reason }),
    fellBack({ kind, model, reason }) {
      fallbacks.add(1, { 'prismapi.fallback.kind': kind, 'prismapi.model': model, 'prismapi.fallback.reason': reason })
    },
  }
}
