import cluster, { type Worker } from 'node:cluster'
import type { Logger } from '@prismapi/core/server/logger'
import { drain, isReady } from './worker-messages.ts'

/** What `superviseWorkers` is told. */
export interface WorkersOptions {
  /** How many processes serve. */
  readonly workers: number
  /** Where it says which of them ended. */
  readonly logger: Logger
  /** Milliseconds, as of `gracefulShutdown`, which every worker calls; by default 10,000. A worker that takes 2 s more is killed. */
  readonly graceMilliseconds?: number
  /** Environment variables of the workers beside those of this process, such as the port that was found for all of them. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Runs this program in several processes that share one port, and keeps them running: one that ends is replaced, with a
 * growing delay where they end young. At SIGTERM or SIGINT all of them are told to drain, and the process exits when the last
 * one has, with code 0 where all of them did; a second signal kills them.
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
  // Node would have this process accept each connection and hand it on; one that is on its way to a worker that is killed
  // then hangs for ever. A worker that accepts by itself takes its connections with it, and clients see that.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const delays = backOff()
  let isStarted = false
  const stopping = endAllBySignal(logger, graceMilliseconds)

  const start = (): Promise<void> => {
    const began = performance.now()
    const worker = cluster.fork(env)
    return new Promise((resolve, reject) => {
      let wasReady = false
      worker.on('message', (message) => {
        if (!isReady(message)) return
        wasReady = true
        logger.debug({ worker: worker.process.pid }, 'A worker is ready.')
        resolve()
      })
      worker.once('exit', (code, signal) => {
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

/** Aborted at the first signal; ends this process with the last worker. */
function endAllBySignal(logger: Logger, graceMilliseconds: number): AbortSignal {
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
    for (const worker of alive()) if (worker.isConnected()) worker.send(drain)
    setTimeout(() => kill('The grace time is over'), graceMilliseconds + 2000)
    endWithTheLast()
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  cluster.on('exit', (_worker, code) => {
    if (stopping.signal.aborted && code !== 0) exitCode = 1
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

/** The first is replaced at once; those that die young, one after the other, after a time that doubles up to ten seconds. */
export function backOff(): BackOff {
  let diedYoung = 0
  return {
    after(lived) {
      diedYoung = lived < longLife ? diedYoung + 1 : 0
      return diedYoung < 2 ? 0 : Math.min(first * 2 ** (diedYoung - 2), longest)
    },
  }
}
