import { tooManyRequests, unavailable } from '@prismapi/jsonapi/document/errors'
import type { LiveOptions } from '@prismapi/jsonapi/request/features'

/** How many streams are open in a process, and how many of them each caller has. */
export class StreamCounts {
  private readonly ofCallers = new Map<string, number>()
  private count = 0

  /** Counts a stream until the returned function is called. @throws {JsonApiError} 429 and 503 for too many streams */
  enter(caller: string, { streams, streamsPerCaller }: LiveOptions): () => void {
    const own = this.ofCallers.get(caller) ?? 0
    if (own >= streamsPerCaller) throw tooManyRequests(retrySeconds)
    if (this.count >= streams) throw unavailable(retrySeconds)
    this.ofCallers.set(caller, own + 1)
    this.count++
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      this.count--
      const left = (this.ofCallers.get(caller) ?? 1) - 1
      if (left > 0) this.ofCallers.set(caller, left)
      else this.ofCallers.delete(caller)
    }
  }
}

const retrySeconds = 15
