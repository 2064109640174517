import path from 'node:path'
import Koa from 'koa'
import { createApi, discover, health, type Logger, type PrismApi, requestId } from 'prismapi'
import type { Clients, Services } from 'prismapi/types'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import { resources } from '../../prisma/generated/resources.ts'
import { authenticator } from './auth.ts'
import { uploads } from './uploads.ts'
import { paymentsWebhook } from './webhook.ts'

export interface AppParts {
  readonly clients: Clients
  /** Looks members and files up. In a guarded database it is a client that is trusted. */
  readonly prisma: PrismaClient
  readonly services: Services
  readonly baseUrl: string
  readonly cursorSecret: string
  readonly logger: Logger
  readonly production?: boolean
}

/** The studios, without a process around them. */
export async function createStudios({
  prisma,
  ...parts
}: AppParts): Promise<{ readonly app: Koa; readonly api: PrismApi }> {
  const { services } = parts
  const found = await discover({ root: path.resolve(import.meta.dirname, '../..'), resources })
  const authenticate = authenticator(prisma)
  const api = createApi({ ...parts, ...found, resources, authenticate })
  const app = new Koa()
    .use(requestId())
    .use(uploads({ api, prisma, services, authenticate }))
    .use(paymentsWebhook(api, services))
    .use(api.middleware())
    .use(health({ checks: { database: () => prisma.$queryRaw`SELECT 1` } }))
    .use(api.notFound())
  return { app, api }
}
