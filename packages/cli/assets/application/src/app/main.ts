import pino from 'pino'
import { checkTables, serve, startProcess } from 'prismapi'
import { readEnv } from './env.ts'

/** One line with its URL when it listens, one line and exit code 1 when it cannot. */
await startProcess(async () => {
  const env = readEnv()
  const logger = pino(pino.destination(2))
  // What these import is not there before `npx prisma generate`.
  const { resources } = await import('../../prisma/generated/resources.ts')
  const { createApp } = await import('./app.ts')
  const { openDatabase } = await import('./database.ts')
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
})
