import path from 'node:path'
import Koa from 'koa'
import { createApi, discover, type Logger } from 'prismapi'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import { resources } from '../../prisma/generated/resources.ts'
import { authenticator } from './auth.ts'
import type { Env } from './env.ts'

export interface AppParts {
  readonly env: Pick<Env, 'authSecret' | 'production'>
  /** The public origin that links begin with. */
  readonly baseUrl: string
  readonly clients: { readonly reader: PrismaClient; readonly writer: PrismaClient }
  readonly logger: Logger
}

const root = path.resolve(import.meta.dirname, '../..')

/** The example application: Koa with the servers of this folder. */
export async function createApp({ env, baseUrl, clients, logger }: AppParts): Promise<Koa> {
  const found = await discover({ root, resources })
  const api = createApi({
    resources,
    clients,
    ...found,
    authenticate: authenticator(clients.reader, env.authSecret),
    // Another key is derived from it, so that a token tells nothing of cursors.
    cursorSecret: env.authSecret,
    baseUrl,
    production: env.production,
    logger,
  })
  const app = new Koa()
  // A client that goes away in the middle of its request: Koa would print a stack trace for each.
  app.on('error', (err: unknown) => logger.debug({ err }, 'Connection lost'))
  app.use(api.middleware())
  app.use(api.notFound())
  return app
}
