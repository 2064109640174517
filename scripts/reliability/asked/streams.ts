import type { CompiledServer } from '@prismapi/core/server/compile'
import { liveKey } from '@prismapi/jsonapi/request/features'
import { isWatchable } from '@prismapi/live/read-watched'
import type { FuzzedEndpoint } from '@prismapi/testing/internal/kit/fuzz/endpoints'
import fc from 'fast-check'

const accepted = [
  'text/event-stream',
  'text/event-stream',
  'text/event-stream;q=0.9, application/vnd.api+json;q=0.1',
  'text/event-stream, application/vnd.api+json',
  'Text/Event-Stream; charset=utf-8',
  'text/event-stream;q=x',
]

const kept = 20

/** The ids of events that came, the last ones: with one of them a stream goes on. */
export class EventIds {
  readonly #known: string[] = []
  #turn = 0

  note(text: string): void {
    const [, id] = /^id: ?(.+)$/m.exec(text) ?? []
    if (id !== undefined) this.#known[this.#turn++ % kept] = id
  }

  at(turn: number): string {
    return this.#known[turn % kept] ?? 'x'
  }
}

/** What reads is watched, where the server has streams; every third goes on behind an event, or behind something else. */
export function streamEndpoints(
  { features }: Pick<CompiledServer, 'features'>,
  reading: readonly FuzzedEndpoint[],
  known: EventIds,
): readonly FuzzedEndpoint[] {
  if (features.get(liveKey) === null) return []
  const last = fc.oneof(
    fc.nat({ max: kept - 1 }).map((turn) => known.at(turn)),
    fc.constantFrom('', '0', '-1', 'x', '9'.repeat(40), 'x'.repeat(900), '\u00e4', '*'),
  )
  return reading.flatMap(({ name, operation, requests }) => {
    if (!isWatchable(operation) || operation.schema.model.name === 'Change') return []
    const watched = fc
      .tuple(requests, fc.constantFrom(...accepted), fc.option(last, { freq: 2 }))
      .map(([request, accept, id]) => ({
        ...request,
        headers: { Accept: accept, ...(id !== null && { 'Last-Event-ID': id }) },
      }))
    return [{ name, operation, requests: watched }]
  })
}
