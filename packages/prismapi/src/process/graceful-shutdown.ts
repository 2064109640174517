import cluster from 'node:cluster'
import type { Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import { type Logger, loggedError } from '@prismapi/core/server/logger'
import { connectionsOf } from './connections.ts'
import { isDrain } from './worker-messages.ts'

/** A logger that may have a level for what ends the process, as pino has. */
export interface ProcessLogger extends Logger {
  /** What ends the process. */
  fatal?(fields: object, message: string): void
}

/** What `gracefulShutdown` is told. */
export interface ShutdownOptions {
  /** Where it says what it does. */
  readonly logger: ProcessLogger
  /** Lets go of what the process holds, its database above all; called after the last answer. */
  readonly close?: () => void | Promise<void>
  /** Milliseconds from the signal on in which requests may be answered, before they are cut off; by default 10,000. */
  readonly graceMilliseconds?: number
}

/** The way to the end of a process. */
export interface Shutdown {
  /**
   * Aborted when the process is about to end. What lasts longer than a request, such as a stream, ends on this signal.
   */
  readonly draining: AbortSignal
  /** Ends the process as a signal would, by default with exit code 0. */
  begin(exitCode?: number): void
}

/**
 * Ends the process well. At SIGTERM or SIGINT, the server takes no more connections and closes idle ones; running
 * requests get their responses, with `Connection: close`; then `close` is called, and the process exits with code 0. If
 * that takes longer than the grace time, or the signal comes again, it exits with code 1.
 *
 * An uncaught exception is logged as fatal; then the same happens, with exit code 1. An unhandled rejection is logged
 * as an error, and the process continues: one piece of work failed, as a request may fail. If it ended the process, any
 * client that can cause it could end the process.
 *
 * Call it before the server listens, once in a process.
 *
 * @example
 * import { createServer } from 'node:http'
 * import Koa from 'koa'
 * import pino from 'pino'
 *
 * declare const clients: { close(): Promise<void> }
 *
 * const app = new Koa()
 * const server = createServer(serverOptions, app.callback()).on('clientError', onClientError)
 * gracefulShutdown(server, { logger: pino(), close: () => clients.close() })
 * server.listen(3000, '127.0.0.1')
 */
export function gracefulShutdown(
  server: Server | SecureServer,
  { logger, close = () => {}, graceMilliseconds = 10_000 }: ShutdownOptions,
): Shutdown {
  const connections = connectionsOf(server)
  const draining = new AbortController()
  let exitCode = 0

  const force = (why: string) => {
    logger.error({}, `${why}: the process ends with requests unanswered.`)
    process.exit(1)
  }
  const end = async () => {
    try {
      await connections.drain()
      await close()
    } catch (err) {
      exitCode = 1
      logger.error({ err }, 'What the process held could not be closed.')
    }
    process.exit(exitCode)
  }
  const begin = (code = 0) => {
    exitCode ||= code
    if (draining.signal.aborted) return
    setTimeout(() => force(`The grace time of ${graceMilliseconds} ms is over`), graceMilliseconds)
    logger.debug({}, 'The process is about to end.')
    draining.abort()
    void end()
  }

  if (cluster.worker) obeySupervisor(begin)
  else obeySignals((signal) => (draining.signal.aborted ? force(`${signal} once more`) : begin()))
  process.on('uncaughtException', (err) => {
    const log = logger.fatal ?? logger.error
    log.call(logger, { err: loggedError(err) }, 'Uncaught exception: the process ends.')
    begin(1)
  })
  process.on('unhandledRejection', (err) => logger.error({ err: loggedError(err) }, 'Unhandled rejection'))
  return { draining: draining.signal, begin }
}

function obeySignals(onSignal: (signal: NodeJS.Signals) => void): void {
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
}

/** A signal may reach the whole group of processes, and this one twice: what forces is the supervisor's affair. */
function obeySupervisor(begin: () => void): void {
  process.on('SIGINT', () => {}).on('SIGTERM', () => begin())
  process.on('message', (message) => {
    if (isDrain(message)) begin()
  })
  cluster.worker?.on('disconnect', () => {
    // Else node would exit here and now.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
    begin()
  })
}
