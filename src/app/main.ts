import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { onClientError } from 'prismapi'
import { isEmpty, seed } from '../../prisma/seed.ts'
import { createApp } from './app.ts'
import { openDatabase } from './database.ts'
import { type Env, readEnv } from './env.ts'
import { listen } from './listen.ts'

/** Starts the example: one line with its URL when it listens, one line and exit code 1 when it cannot. */
async function main(): Promise<void> {
  const env = readEnv(process.env)
  const logger = pino({ level: env.logLevel }, pino.destination(2))
  const clients = await openDatabase(env.databaseUrl)
  if (await isEmpty(clients.reader)) await seed(clients.writer)
  // Which port it is may be known only now, and links name it; who comes this early waits.
  const server = createServer(async (request, response) => (await handler)(request, response))
  server.on('clientError', onClientError)
  await listen(server, env)
  const { port } = server.address() as AddressInfo
  const baseUrl = env.baseUrl ?? originOf(env, port)
  const handler = createApp({ env, baseUrl, clients, logger }).then((app) => app.callback())
  await handler
  // Not earlier: a start that fails says why, in one line and nothing else.
  if (env.isDevelopmentSecret)
    logger.warn('AUTH_SECRET is not set: tokens are signed with a secret that everybody knows.')
  const stop = () => server.close(() => void clients.close())
  process.once('SIGTERM', stop).once('SIGINT', stop)
  console.log(`prismapi listens on ${originOf(env, port)}/api/v1`)
}

const originOf = (env: Env, port: number): string =>
  `http://${env.host.includes(':') ? `[${env.host}]` : env.host}:${port}`

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
})
