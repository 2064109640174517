import cluster from 'node:cluster'

// What a worker and the process that supervises it tell each other.

const ready = Object.freeze({ prismapi: 'ready' })

/** To a worker: answer what is on its way, and end. */
export const drain = Object.freeze({ prismapi: 'drain' })

const isMessage = (message: unknown, { prismapi }: { readonly prismapi: string }): boolean =>
  typeof message === 'object' && message !== null && 'prismapi' in message && message.prismapi === prismapi

export const isReady = (message: unknown): boolean => isMessage(message, ready)

export const isDrain = (message: unknown): boolean => isMessage(message, drain)

/**
 * Tells `superviseWorkers`, in the parent process, that this worker answers requests. In a process that is no worker,
 * it does nothing.
 *
 * @example
 * import { createServer } from 'node:http'
 *
 * createServer(serverOptions).listen(3000, '127.0.0.1', reportReady)
 */
export function reportReady(): void {
  cluster.worker?.send(ready)
}
