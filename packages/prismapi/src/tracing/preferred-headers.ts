import type { Call } from '@prismapi/core/http/call'
import type { Handler, Plugin } from '@prismapi/core/http/plugin'
import { parsePreferences } from '@prismapi/core/http/request/headers'
import { noTracing, type Observer, type Stage, untilDone } from '@prismapi/jsonapi/request/observer'

// https://www.w3.org/TR/server-timing/: what each stage took, in milliseconds, for clients that prefer to know it
// (https://www.rfc-editor.org/rfc/rfc7240). Stages lie within each other, so they do not add up to the total.

const timingPreference = 'server-timing'

/** The answer has `Server-Timing` where the client prefers it. Not for production: times tell what is there. */
export const serverTiming: Plugin = {
  around: (next) => (call) => (parsePreferences(call.koa).includes(timingPreference) ? timed(call, next) : next(call)),
}

async function timed(call: Call, next: Handler): Promise<void> {
  const { koa } = call
  const timings = new Timings()
  call.observe(timings)
  await next(call)
  if (koa.headerSent) return
  koa.append('Preference-Applied', timingPreference)
  koa.append('Server-Timing', timings.text())
}

interface Timing {
  readonly stage: Stage
  readonly model: string | null
  times: number
  milliseconds: number
}

class Timings implements Observer {
  private readonly began = performance.now()
  /** By stage and model, of which there are as many as the schema has: a header has an end. */
  private readonly timings = new Map<string, Timing>()

  stage<T>(stage: Stage, work: () => T, model?: string): T {
    const began = performance.now()
    return untilDone(work, () => this.add(stage, model ?? null, performance.now() - began))
  }

  repeated(): void {}

  text(): string {
    const stages = [...this.timings.values()].map(
      ({ stage, model, times, milliseconds }) =>
        `${stage}${descriptionOf(model, times)};dur=${milliseconds.toFixed(2)}`,
    )
    return [`total;dur=${(performance.now() - this.began).toFixed(2)}`, ...stages].join(', ')
  }

  private add(stage: Stage, model: string | null, milliseconds: number): void {
    const key = `${stage} ${model}`
    const timing = this.timings.get(key) ?? { stage, model, times: 0, milliseconds: 0 }
    timing.times++
    timing.milliseconds += milliseconds
    this.timings.set(key, timing)
  }
}

function descriptionOf(model: string | null, times: number): string {
  const parts = [...(model === null ? [] : [model]), ...(times === 1 ? [] : [`x${times}`])]
  return parts.length === 0 ? '' : `;desc="${parts.join(' ')}"`
}

// What a request costs, for clients that prefer to know it (https://www.rfc-editor.org/rfc/rfc7240).

const costPreference = 'cost'

/** Responses have `Prismapi-Cost` if the client prefers it. Not for production: sizes of tables reveal hidden rows. */
export const costHeader: Plugin = {
  around: (next) => (call) => (parsePreferences(call.koa).includes(costPreference) ? told(call, next) : next(call)),
}

async function told(call: Call, next: Handler): Promise<void> {
  const { koa } = call
  let points = 0
  const observer: Observer = {
    ...noTracing,
    priced: (price) => {
      points += price.points
    },
  }
  call.observe(observer)
  await next(call)
  if (koa.headerSent) return
  koa.append('Preference-Applied', costPreference)
  koa.set('Prismapi-Cost', String(points))
}
