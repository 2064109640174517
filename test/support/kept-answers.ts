import { noTracing } from '@prismapi/jsonapi/request/observer'
import type { Telemetry } from 'prismapi/types'

/** How many questions found an answer that was kept, and how many looked in vain. */
export function keptCounter() {
  const counts = { found: 0, missed: 0 }
  const telemetry: Telemetry = {
    ...noTracing,
    request: (_exchange, work) => work(),
    query: (_query, work) => work(),
    keptAnswer(isFound) {
      if (isFound) counts.found++
      else counts.missed++
    },
  }
  return { counts, telemetry }
}
