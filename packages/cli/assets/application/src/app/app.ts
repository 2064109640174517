import path from 'node:path'
import Koa from 'koa'
import { checkTables, createApi, discover, health, type Logger, requestId } from 'prismapi'
import { resources } from '../../prisma/generated/resources.ts'
import { authenticator } from './auth.ts'
import type { Database } from './database.ts'
import type { Env } from './env.ts'

export interface AppParts {
  readonly env: Pick<Env, 'authSecret' | 'production'>
  /** The public origin that links begin with. */
  readonly baseUrl: string
  readonly clients: Database
  readonly logger: Logger
  /** Aborted when the process is about to end. */
  readonly draining?: AbortSignal
}

/** The application, without a process around it. */
export async function createApp({ env, baseUrl, clients, logger, draining }: AppParts): Promise<Koa> {
  // Policies, requests and servers lie in the same folders below here and below dist/.
  const root = path.resolve(import.meta.dirname, '../..')
  const api = createApi({
    resources,
    clients,
    ...(await discover({ root, resources })),
    authenticate: authenticator(clients.reader, env.authSecret),
    cursorSecret: env.authSecret,
    baseUrl,
    production: env.production,
    logger,
  })
  const app = new Koa()
  // A client that goes away in the middle of its request.
  app.on('error', (err: unknown) => logger.debug({ err }, 'Connection lost'))
  app.use(requestId())
  app.use(api.middleware())
  const checks = {
    database: () => clients.reader.$queryRaw`SELECT 1`,
    migrations: () => checkTables(clients.reader, resources),
  }
  app.use(health({ checks, ...(draining && { draining }) }))
  app.use(api.notFound())
  return app
}
