import type { CoreOptions } from '@prismapi/core/api/api-options'
import { type CoreApi, createApiOf } from '@prismapi/core/api/create-api'
import { callerOf } from '@prismapi/direct/callers'
import type { Caller, CallerOptions } from '@prismapi/direct/types'
import type { User } from '@prismapi/jsonapi/model/register'
import { type KeptAnswersOptions, keptAnswers } from '@prismapi/kept/kept-answers'
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
export function createApi({ rateLimit, keptAnswers: kept, features = [], ...options }: ApiOptions): PrismApi {
  const limits = rateLimit ? [limitRate(rateLimit)] : []
  // Innermost: what other features do around an answer, they do around one that is kept.
  const keeping = kept === false ? [] : [keptAnswers(kept)]
  const api = createApiOf({ ...options, features: [...limits, ...usualFeatures, ...features, ...keeping] })
  return {
    ...api,
    as: (user, { server, params, ...own }) => callerOf(api.serverNamed(server, params), { user }, own),
    asSystem: (job, { server, params, ...own }) =>
      callerOf(api.serverNamed(server, params), { job }, own) as unknown as Caller<'all'>,
  }
}

/** The servers of an application, ready to be mounted, and to be asked without HTTP. */
export interface PrismApi extends CoreApi {
  /**
   * Acts as a user without HTTP, or with null as a guest: the rules of a request hold. Inside of a hook or an action,
   * each call is a part of their transaction.
   *
   * @throws {Error} when there is no such server, and for a parameter of its base path without a value.
   * @example
   * declare const api: PrismApi
   * declare const user: User
   *
   * const post = await api.as(user, { server: 'v1' }).find('Post', 1, { include: ['author'] })
   */
  as(user: User | null, options: CallerOptions): Caller
  /**
   * Acts as a job of the application's own: no policy and no scope holds; validation, hooks and limits do, and the
   * trail has its name.
   *
   * @throws {Error} when there is no such server, for a parameter of its base path without a value, and for an empty
   * name.
   * @example
   * declare const api: PrismApi
   *
   * await api.asSystem('nightly invoices', { server: 'v1' }).create('Tag', { name: 'new' })
   */
  asSystem(name: string, options: CallerOptions): Caller<'all'>
}

/** What an application hands to `createApi`. */
export interface ApiOptions extends CoreOptions {
  /** How many requests a caller may make; left out, any number. */
  readonly rateLimit?: RateLimitOptions
  /**
   * How much of what is asked for again and again the server keeps, while nothing is committed; by default 16 MiB in
   * each process. False for nothing.
   */
  readonly keptAnswers?: KeptAnswersOptions | false
}
