// Serves what `npm run reliability -- fuzz` asks: the example with all types, in all languages. The environment is that of `npm start`.
import path from 'node:path'
import Koa from 'koa'
import pino from 'pino'
import { createApi, health, requestId, serve, startProcess } from 'prismapi'
import { french, german } from 'prismapi/languages'
import { resources } from '../../prisma/generated/resources.ts'
import { isEmpty, seed } from '../../prisma/seed.ts'
import { authenticator } from '../../src/app/auth.ts'
import { openDatabase } from '../../src/app/database.ts'
import { readEnv } from '../../src/app/env.ts'
import { securityHeaders } from '../../src/app/security-headers.ts'
import { wholeExample } from './whole-example.ts'

const root = path.resolve(import.meta.dirname, '../..')

async function main(): Promise<void> {
  const env = readEnv(process.env)
  const logger = pino({ level: env.logLevel }, pino.destination(2))
  const clients = await openDatabase(env.databaseUrl)
  if (await isEmpty(clients.reader)) await seed(clients.writer)
  const example = await wholeExample(root)
  const { address } = await serve(
    ({ baseUrl, draining }) => {
      const api = createApi({
        ...example,
        resources,
        clients,
        authenticate: authenticator(clients.reader, env.authSecret),
        cursorSecret: env.authSecret,
        languages: { de: german, fr: french },
        baseUrl,
        production: env.production,
        logger,
        draining,
      })
      const app = new Koa()
      // A client that goes away in the middle of its request: Koa would print a stack trace for each.
      app.on('error', (err: unknown) => logger.debug({ err }, 'Connection lost'))
      app.use(requestId()).use(securityHeaders(baseUrl)).use(api.middleware())
      app.use(health({ checks: { database: () => clients.reader.$queryRaw`SELECT 1` }, draining }))
      return app.use(api.notFound()).callback()
    },
    { ...env, logger, close: () => clients.close() },
  )
  console.log(`The whole example listens on ${address}/api/v1`)
}

await startProcess(main)
