import path from 'node:path'
import cors from '@koa/cors'
import Koa from 'koa'
import { accessLog, corsOptions, createApi, discover, health, type Logger, requestId } from 'prismapi'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import { resources } from '../../prisma/generated/resources.ts'
import { authenticator } from './auth.ts'
import type { Env } from './env.ts'
import { securityHeaders } from './security-headers.ts'

export interface AppParts {
  readonly env: Pick<Env, 'authSecret' | 'production'>
  /** The public origin that links begin with. */
  readonly baseUrl: string
  readonly clients: { readonly reader: PrismaClient; readonly writer: PrismaClient }
  /** Looks up who signs in; by default the reader. In a guarded database it is a client that is trusted. */
  readonly accounts?: PrismaClient
  readonly logger: Logger
  /** Aborted when the process is about to end. */
  readonly draining?: AbortSignal
  /** The origins of pages in browsers that may use it, `https://app.example.org`; by default none. */
  readonly corsOrigins?: readonly string[]
}

const root = path.resolve(import.meta.dirname, '../..')

/** The example application: Koa with the servers of this folder. */
export async function createApp(parts: AppParts): Promise<Koa> {
  const { env, baseUrl, clients, accounts = clients.reader, logger, draining, corsOrigins = [] } = parts
  const found = await discover({ root, resources })
  const api = createApi({
    resources,
    clients,
    ...found,
    authenticate: authenticator(accounts, env.authSecret),
    // Another key is derived from it, so that a token tells nothing of cursors.
    cursorSecret: env.authSecret,
    baseUrl,
    production: env.production,
    logger,
    ...(draining && { draining }),
  })
  const app = new Koa()
  // A client that goes away in the middle of its request: Koa would print a stack trace for each.
  app.on('error', (err: unknown) => logger.debug({ err }, 'Connection lost'))
  app.use(requestId())
  app.use(accessLog({ logger, level: 'debug' }))
  app.use(securityHeaders(baseUrl))
  if (corsOrigins.length > 0) app.use(cors(corsOptions(corsOrigins)))
  app.use(api.middleware())
  app.use(health({ checks: { database: () => clients.reader.$queryRaw`SELECT 1` }, ...(draining && { draining }) }))
  app.use(api.notFound())
  return app
}
