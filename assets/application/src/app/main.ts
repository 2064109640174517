import pino from 'pino'
import { checkTables, serve } from 'prismapi'
import { resources } from '../../prisma/generated/resources.ts'
import { createApp } from './app.ts'
import { openDatabase } from './database.ts'
import { readEnv } from './env.ts'

/** One line with its URL when it listens, one line and exit code 1 when it cannot. */
async function main(): Promise<void> {
  const env = readEnv()
  const logger = pino(pino.destination(2))
  const clients = await openDatabase(env.databaseUrl)
  // Not the end: the migration may come later, and /ready is 503 until then.
  await checkTables(clients.reader, resources).catch((error: Error) => logger.error(error.message))
  const { address } = await serve(
    async ({ baseUrl, draining }) => (await createApp({ env, baseUrl, clients, logger, draining })).callback(),
    { ...env, logger, close: () => clients.close() },
  )
  if (env.isModeUnset)
    logger.warn(
      'NODE_ENV is not set, so this is development: clients get explanations (Prefer: explain), browsers get pages, and errors tell details. Set NODE_ENV=production to close all three.',
    )
  console.log(`prismapi listens on ${address}/api/v1`)
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
})
