import { type PoolOptions, type PoolWorker, ThreadsPoolWorker, type WorkerRequest } from 'vitest/node'

/** Each run leaves a few listeners behind, so a thread is replaced after so many. */
const longest = 100
let kept: { readonly thread: ThreadsPoolWorker; runs: number } | null = null

type Listener = (message: unknown) => void

/**
 * Vitest's thread, kept from one run to the next: packages stay loaded, and all modules of the repository are evaluated anew (vitest's
 * `isolate`). Stryker starts a run for each mutant, which a thread of its own makes several times as long.
 */
export class WarmThread implements PoolWorker {
  readonly name = 'warm'
  private readonly listeners: [event: string, listener: Listener][] = []
  private readonly options: PoolOptions
  private hasEnded = false

  constructor(options: PoolOptions) {
    this.options = options
  }

  async start(): Promise<void> {
    if (kept) return
    kept = { thread: new ThreadsPoolWorker(this.options), runs: 0 }
    await kept.thread.start()
  }

  on(event: string, listener: Listener): void {
    this.listeners.push([event, listener])
    kept?.thread.on(event, listener)
  }

  off(event: string, listener: Listener): void {
    kept?.thread.off(event, listener)
  }

  send(message: WorkerRequest): void {
    if (message.type !== 'stop') {
      kept?.thread.send(message)
      return
    }
    this.hasEnded = true
    const stopped = { __vitest_worker_response__: true, type: 'stopped' }
    for (const [event, listener] of this.listeners) if (event === 'message') listener(stopped)
  }

  /** Without an orderly end, the thread is in the middle of something. */
  async stop(): Promise<void> {
    if (!kept) return
    const { thread } = kept
    for (const [event, listener] of this.listeners) thread.off(event, listener)
    if (this.hasEnded && ++kept.runs < longest) return
    await endThread()
  }

  deserialize(data: unknown): unknown {
    return data
  }
}

/** Before vitest is closed: it would wait for the thread. */
export async function endThread(): Promise<void> {
  const ended = kept?.thread
  kept = null
  await ended?.stop()
}
