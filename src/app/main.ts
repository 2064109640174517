import cluster from 'node:cluster'
import { type AddressInfo, createServer as createProbe } from 'node:net'
import pino from 'pino'
import { serve, startProcess } from 'prismapi'
import { listen, type ProcessLogger, superviseWorkers } from 'prismapi/node'
import type { ReplicaState } from 'prismapi/postgres'
import { isEmpty, seed } from '../../prisma/seed.ts'
import { createApp } from './app.ts'
import { openDatabase } from './database.ts'
import { type Env, readEnv } from './env.ts'

/** One line with its URL when it listens, one line and exit code 1 when it cannot. */
async function main(): Promise<void> {
  const env = readEnv(process.env)
  const logger = pino({ level: env.logLevel }, pino.destination(2))
  if (cluster.isWorker) {
    await serveHere(env, logger)
    return
  }
  const address = env.workers > 1 ? await startWorkers(env, logger) : await serveHere(env, logger)
  // Not earlier: a start that fails says why, in one line and nothing else.
  if (env.isDevelopmentSecret)
    logger.warn('AUTH_SECRET is not set: tokens are signed with a secret that everybody knows.')
  if (env.isModeUnset)
    logger.warn(
      'NODE_ENV is not set, so this is development: clients get explanations (Prefer: explain), browsers get pages, and errors tell details. Set NODE_ENV=production to close all three.',
    )
  console.log(`prismapi listens on ${address}/api/v1`)
}

/** Serves from this process; where it listens. */
async function serveHere(env: Env, logger: ProcessLogger): Promise<string> {
  const clients = await openSeeded(env, logger)
  const { address } = await serve(
    async ({ baseUrl, draining }) => (await createApp({ env, baseUrl, clients, logger, draining })).callback(),
    { ...env, logger, close: () => clients.close() },
  )
  return address
}

/** What would keep each worker from starting is found here, once. */
async function startWorkers(env: Env, logger: ProcessLogger): Promise<string> {
  const clients = await openSeeded(env, logger)
  await clients.close()
  // Where any port will do, it has to be the same one for a worker that comes later.
  const { address, port } = await usableAddress(env)
  await superviseWorkers({ workers: env.workers, logger, env: { PORT: String(port) } })
  return originOf(address, port)
}

async function usableAddress(env: Env): Promise<AddressInfo> {
  const probe = createProbe()
  await listen(probe, env)
  const address = probe.address() as AddressInfo
  await new Promise((closed) => probe.close(closed))
  return address
}

async function openSeeded({ databaseUrl, replicaUrls: replicas }: Env, logger: ProcessLogger) {
  const onReplica = (host: string, state: ReplicaState) => logger.info({ host, state }, `Replica ${host}: ${state}`)
  const clients = await openDatabase(databaseUrl, { replicas, onReplica })
  if (!cluster.isWorker && (await isEmpty(clients.reader))) await seed(clients.writer)
  return clients
}

const originOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

await startProcess(main)
