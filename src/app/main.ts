import cluster from 'node:cluster'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createProbe } from 'node:net'
import pino from 'pino'
import {
  gracefulShutdown,
  onClientError,
  type ProcessLogger,
  reportReady,
  serverOptions,
  superviseWorkers,
} from 'prismapi'
import type { ReplicaState } from 'prismapi/postgres'
import { isEmpty, seed } from '../../prisma/seed.ts'
import { createApp } from './app.ts'
import { openDatabase } from './database.ts'
import { type Env, readEnv } from './env.ts'
import { listen } from './listen.ts'

/** Starts the example: one line with its URL when it listens, one line and exit code 1 when it cannot. */
async function main(): Promise<void> {
  const env = readEnv(process.env)
  const logger = pino({ level: env.logLevel }, pino.destination(2))
  if (cluster.isWorker) {
    await serve(env, logger)
    reportReady()
    return
  }
  const port = env.workers > 1 ? await startWorkers(env, logger) : await serve(env, logger)
  // Not earlier: a start that fails says why, in one line and nothing else.
  if (env.isDevelopmentSecret)
    logger.warn('AUTH_SECRET is not set: tokens are signed with a secret that everybody knows.')
  console.log(`prismapi listens on ${originOf(env, port)}/api/v1`)
}

/** Serves from this process; the port that it listens at. */
async function serve(env: Env, logger: ProcessLogger): Promise<number> {
  const clients = await openSeeded(env, logger)
  const server = createServer(serverOptions).on('clientError', onClientError)
  const { draining } = gracefulShutdown(server, { logger, close: () => clients.close() })
  // Which port it is may be known only when it listens, and links name it; who comes this early waits.
  const early: RequestListener = async (request, response) => (await handler)(request, response)
  server.on('request', early)
  await listen(server, env)
  const { port } = server.address() as AddressInfo
  const baseUrl = env.baseUrl ?? originOf(env, port)
  const handler = createApp({ env, baseUrl, clients, logger, draining }).then((app) => app.callback())
  server.on('request', await handler).off('request', early)
  return port
}

/** What would keep each worker from starting is found here, once. */
async function startWorkers(env: Env, logger: ProcessLogger): Promise<number> {
  const clients = await openSeeded(env, logger)
  await clients.close()
  // Where any port will do, it has to be the same one for a worker that comes later.
  const port = await usablePort(env)
  await superviseWorkers({ workers: env.workers, logger, env: { PORT: String(port) } })
  return port
}

async function usablePort(env: Env): Promise<number> {
  const probe = createProbe()
  await listen(probe, env)
  const { port } = probe.address() as AddressInfo
  await new Promise((closed) => probe.close(closed))
  return port
}

async function openSeeded({ databaseUrl, replicaUrls: replicas }: Env, logger: ProcessLogger) {
  const onReplica = (host: string, state: ReplicaState) => logger.info({ host, state }, `Replica ${host}: ${state}`)
  const clients = await openDatabase(databaseUrl, { replicas, onReplica })
  if (!cluster.isWorker && (await isEmpty(clients.reader))) await seed(clients.writer)
  return clients
}

const originOf = (env: Env, port: number): string =>
  `http://${env.host.includes(':') ? `[${env.host}]` : env.host}:${port}`

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
})
