import cluster, { type Worker } from 'node:cluster'
import type { Logger } from '@prismapi/core/server/logger'
import { drain, isReady } from './worker-messages.ts'

/** What `superviseWorkers` is told. */
export interface WorkersOptions {
  /** How many processes serve. */
  readonly workers: number
  /** Where it says which of them ended. */
  readonly logger: Logger
  /** Milliseconds for `gracefulShutdown` in each worker, by default 10,000. A worker is killed 2 s after that. */
  readonly graceMilliseconds?: number
  /** Environment variables of the workers in addition to this process's, such as the port that all of them share. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Runs this program in several processes that share one port, and keeps them running: a worker that ends is replaced,
 * after a growing delay if it ended early. At SIGTERM or SIGINT all workers drain. The process exits when the last
 * worker has ended, with code 0 if all of them had it. A second signal kills them.
 *
 * Call it in the primary of `node:cluster`; each worker calls `gracefulShutdown`, and `reportReady` when it listens.
 *
 * @returns when all of them are ready
 * @throws {Error} when one of them ends before it was ready
 *
 * @example
 * import cluster from 'node:cluster'
 * import pino from 'pino'
 *
 * declare const serve: () => Promise<void>
 *
 * if (cluster.isPrimary) await superviseWorkers({ workers: 4, logger: pino() })
 * else await serve()
 */
export async function superviseWorkers({
  workers,
  logger,
  graceMilliseconds = 10_000,
  env = {},
}: WorkersOptions): Promise<void> {
  // By default, this process would accept each connection and hand it on; if the worker is killed meanwhile, the
  // connection hangs for ever. A worker that accepts by itself takes its connections with it, which clients notice.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const delays = backOff()
  let isStarted = false
  const ready = new Set<Worker>()
  const stopping = endAllBySignal({ logger, graceMilliseconds, ready })

  const start = (): Promise<void> => {
    // This process ends with the workers that there are.
    if (stopping.aborted) return new Promise(() => {})
    const began = performance.now()
    const worker = cluster.fork(env)
    return new Promise((resolve, reject) => {
      worker.on('message', (message) => {
        if (!isReady(message)) return
        ready.add(worker)
        logger.debug({ worker: worker.process.pid }, 'A worker is ready.')
        resolve()
      })
      worker.once('exit', (code, signal) => {
        const wasReady = ready.delete(worker)
        if (stopping.aborted) return
        reject(new Error(`A worker ended before it was ready, ${signal ? `by ${signal}` : `with code ${code}`}.`))
        if (!wasReady && !isStarted) return
        const wait = delays.after(performance.now() - began)
        logger.error({ worker: worker.process.pid, code, signal, wait }, 'A worker ended; another one takes its place.')
        setTimeout(replace, wait)
      })
    })
  }
  // One that is not ready when it ends is replaced as any other.
  const replace = () => void (stopping.aborted || start().catch(() => {}))

  // One before the others: what keeps it from starting is said once.
  await start()
  await Promise.all(Array.from({ length: workers - 1 }, start))
  isStarted = true
}

const alive = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

interface Ending {
  readonly logger: Logger
  readonly graceMilliseconds: number
  /** Those that serve. */
  readonly ready: ReadonlySet<Worker>
}

/** Aborted at the first signal; ends this process with the last worker. */
function endAllBySignal({ logger, graceMilliseconds, ready }: Ending): AbortSignal {
  const stopping = new AbortController()
  let exitCode = 0
  const kill = (why: string) => {
    logger.error({}, `${why}: the workers are killed.`)
    for (const worker of alive()) worker.process.kill('SIGKILL')
    process.exit(1)
  }
  const endWithTheLast = () => {
    if (stopping.signal.aborted && alive().length === 0) process.exit(exitCode)
  }
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping.signal.aborted) kill(`${signal} once more`)
    stopping.abort()
    for (const worker of alive()) {
      // One that has not begun to serve may not listen to messages yet, and has nothing to lose.
      if (!ready.has(worker)) worker.process.kill('SIGTERM')
      else if (worker.isConnected()) worker.send(drain)
    }
    setTimeout(() => kill('The grace time is over'), graceMilliseconds + 2000)
    endWithTheLast()
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  cluster.on('exit', (_worker, code, by) => {
    if (stopping.signal.aborted && code !== 0 && by !== 'SIGTERM') exitCode = 1
    endWithTheLast()
  })
  // A worker is forgotten with the later of the two.
  cluster.on('disconnect', endWithTheLast)
  return stopping.signal
}

/** How long a process has to live for its end to be no sign that the next one will end as soon. */
const longLife = 10_000
const first = 100
const longest = 10_000

interface BackOff {
  /** Milliseconds to wait before another process takes the place of one that lived that long. */
  after(livedMilliseconds: number): number
}

/**
 * The first worker is replaced at once. If more end early, one after the other, the delay doubles up to ten seconds.
 */
export function backOff(): BackOff {
  let diedYoung = 0
  return {
    after(lived) {
      diedYoung = lived < longLife ? diedYoung + 1 : 0
      return diedYoung < 2 ? 0 : Math.min(first * 2 ** (diedYoung - 2), longest)
    },
  }
}
