import path from 'node:path'
import { createApi, discover, type Logger, type PrismApi } from 'prismapi'
import { resources } from '../../prisma/generated/resources.ts'
import { authenticator } from './auth.ts'
import type { Database } from './database.ts'
import type { Env } from './env.ts'

export interface ApiParts {
  readonly env: Pick<Env, 'authSecret' | 'production'>
  /** The public origin that links begin with. */
  readonly baseUrl: string
  readonly clients: Database
  readonly logger: Logger
  /** Aborted when the process is about to end. */
  readonly draining?: AbortSignal
}

/** The API: for the server, and for jobs, seeds and tests, which act by `api.as` without HTTP. */
export async function makeApi({ env, baseUrl, clients, logger, draining }: ApiParts): Promise<PrismApi> {
  // Policies, requests and servers lie in the same folders below here and below dist/.
  const root = path.resolve(import.meta.dirname, '../..')
  return createApi({
    resources,
    clients,
    ...(await discover({ root, resources })),
    authenticate: authenticator(clients.reader, env.authSecret),
    cursorSecret: env.authSecret,
    baseUrl,
    production: env.production,
    logger,
    ...(draining && { draining }),
  })
}
