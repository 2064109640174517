import Koa from 'koa'
import { checkTables, health, requestId } from 'prismapi'
import { resources } from '../../prisma/generated/resources.ts'
import { type ApiParts, makeApi } from './api.ts'

/** The application, without a process around it. */
export async function createApp(parts: ApiParts): Promise<Koa> {
  const { clients, logger, draining } = parts
  const api = await makeApi(parts)
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
