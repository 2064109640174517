import type { Meter } from '@opentelemetry/api'
import type { Tracing } from '../request/tracing.ts'

const seconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

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
    advice: { explicitBucketBoundaries: seconds },
  })
  return (step) => {
    if (step.kind === 'sent') events.add(1, { 'prismapi.live.event': step.event })
    else if (step.kind === 'looked') lag.record(step.seconds)
    else open.add(step.kind === 'opened' ? 1 : -1)
  }
}
