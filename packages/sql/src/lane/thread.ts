import { Worker } from 'node:worker_threads'
import { type Bound, type Stored, TooMuchText } from '@prismapi/core/database/sql-database'
import { unavailable } from '@prismapi/jsonapi/document/errors'

/** What `worker.mjs` says: that it is ready, and to each statement parts of its rows, and then one of the others. */
type Answer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'part'; readonly rows: readonly Stored[] }
  | { readonly kind: 'rows'; readonly rows: readonly Stored[] }
  | { readonly kind: 'tooMuchText' }
  | { readonly kind: 'failed'; readonly message: string; readonly code?: string }

/** A thread with a connection, which carries out one statement after the other. */
export interface Thread {
  isEnded(): boolean
  /** @throws {JsonApiError} 503 where it takes too long. @throws {TooMuchText} */
  all(sql: string, values: readonly Bound[], characters?: number): Promise<readonly Stored[]>
  /** What is read next is read from a new snapshot. */
  endSnapshot(): void
  end(): Promise<unknown>
}

interface Asked {
  readonly question: { readonly sql: string; readonly values: readonly Bound[]; readonly characters: number }
  readonly rows: Stored[]
  readonly resolve: (rows: readonly Stored[]) => void
  readonly reject: (error: unknown) => void
}

/**
 * Starts a thread. `onEnd` is told once, when it has ended: by itself,
 * by a fault, or because a statement took too long.
 */
export function laneThread(file: string, statementMilliseconds: number, onEnd: () => void): Thread {
  // Loaders of the process, which may translate sources, are no concern of a plain file.
  const worker = new Worker(new URL('./worker.mjs', import.meta.url), { workerData: { file }, execArgv: [] })
  const asked: Asked[] = []
  let isEnded = false
  let isReady = false
  let timer: NodeJS.Timeout | undefined

  function next(): void {
    const [current] = asked
    if (!current) {
      // A thread that has nothing to do keeps no process alive.
      worker.unref()
      return
    }
    worker.ref()
    if (!isReady) return
    timer = setTimeout(() => void worker.terminate(), statementMilliseconds)
    worker.postMessage(current.question)
  }

  function settle(answer: Answer): void {
    if (answer.kind === 'ready') {
      isReady = true
      next()
      return
    }
    const [current] = asked
    if (!current) return
    if (answer.kind === 'part') {
      current.rows.push(...answer.rows)
      return
    }
    clearTimeout(timer)
    asked.shift()
    if (answer.kind === 'rows') current.resolve(current.rows.concat(answer.rows))
    else current.reject(answer.kind === 'tooMuchText' ? new TooMuchText() : sqliteError(answer))
    next()
  }

  worker.on('message', settle)
  worker.on('error', () => {})
  worker.on('exit', () => {
    isEnded = true
    clearTimeout(timer)
    for (const { reject } of asked.splice(0)) reject(unavailable(1))
    onEnd()
  })
  worker.unref()

  return {
    isEnded: () => isEnded,
    all: (sql, values, characters = Number.MAX_SAFE_INTEGER) =>
      new Promise((resolve, reject) => {
        if (isEnded) return reject(unavailable(1))
        asked.push({ question: { sql, values, characters }, rows: [], resolve, reject })
        if (asked.length === 1) next()
      }),
    endSnapshot: () => worker.postMessage('end'),
    end: () => worker.terminate(),
  }
}

const sqliteError = ({ message, code }: Extract<Answer, { kind: 'failed' }>): Error =>
  Object.assign(new Error(message), { name: 'SqliteError', code })
