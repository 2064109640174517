import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { onClientError } from 'prismapi'
import { isEmpty, seed } from '../../prisma/seed.ts'
import { createApp } from './app.ts'
import { openDatabase } from './database.ts'
import { type Env, readEnv } from './env.ts'

/** Starts the example: one line with its URL when it listens, one line and exit code 1 when it cannot. */
async function main(): Promise<void> {
  const env = readEnv(process.env)
  const logger = pino({ level: env.logLevel }, pino.destination(2))
  const clients = await openDatabase(env.databaseUrl)
  if (await isEmpty(clients.reader)) await seed(clients.writer)
  const app = await createApp({ env, clients, logger })
  const server = createServer(app.callback())
  server.on('clientError', onClientError)
  await listen(server, env)
  // Not earlier: a start that fails says why, in one line and nothing else.
  if (env.isDevelopmentSecret)
    logger.warn('AUTH_SECRET is not set: tokens are signed with a secret that everybody knows.')
  const stop = () => server.close(() => void clients.close())
  process.once('SIGTERM', stop).once('SIGINT', stop)
  const { port } = server.address() as AddressInfo
  console.log(`prismapi listens on ${originOf(env, port)}/api/v1`)
}

const originOf = (env: Env, port: number): string =>
  `http://${env.host.includes(':') ? `[${env.host}]` : env.host}:${port}`

function listen(server: ReturnType<typeof createServer>, { port, host }: Env): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE' ? new Error(`Port ${port} of ${host} is in use. Set PORT to a free one.`) : error,
      )
    })
    server.listen(port, host, resolve)
  })
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
})
