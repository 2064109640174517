import type { CoreOptions } from '@prismapi/core/api/api-options'
import { createApiOf, type PrismApi } from '@prismapi/core/api/create-api'
import { limitRate, type RateLimitOptions } from '../rate-limit/rate-limit.ts'
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
export function createApi({ rateLimit, features = [], ...options }: ApiOptions): PrismApi {
  const limits = rateLimit ? [limitRate(rateLimit)] : []
  return createApiOf({ ...options, features: [...limits, ...usualFeatures, ...features] })
}

/** What an application hands to `createApi`. */
export interface ApiOptions extends CoreOptions {
  /** How many requests a caller may make; left out, any number. */
  readonly rateLimit?: RateLimitOptions
}
