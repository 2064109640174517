import type { ApiOptions } from '../api/api-options.ts'
import { createApiOf, type PrismApi } from '../api/create-api.ts'
import { usualFeatures } from './usual-features.ts'

/**
 * Makes the API of an application from its parts.
 *
 * @throws {Error} at boot, for whatever is wrong with them; it names the file or field and the cure.
 * @see https://jsonapi.org/format/
 * @example
 * import Koa from 'koa'
 * import pino from 'pino'
 *
 * declare const resources: Resources // of prisma/generated/resources.ts
 * declare const clients: Clients // a Prisma client, or those of prismapi/sqlite and prismapi/postgres
 *
 * const discovered = await discover({ root: import.meta.dirname, resources })
 * const api = createApi({ resources, clients, ...discovered, baseUrl: 'http://127.0.0.1:3000', logger: pino() })
 * new Koa().use(api.middleware()).listen(3000, '127.0.0.1')
 */
export function createApi(options: ApiOptions): PrismApi {
  return createApiOf({ features: usualFeatures, ...options })
}
