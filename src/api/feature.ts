import type { ReplicaStores } from '../database/replicas.ts'
import type { Reads, Stores, StoresParts } from '../database/stores.ts'
import type { LanguageOf } from '../http/api.ts'
import type { Plugin } from '../http/plugin.ts'
import type { CompiledServer } from '../server/compile.ts'
import type { ServerFeature } from '../server/server-feature.ts'
import type { ApiOptions } from './api-options.ts'

/**
 * All that is optional, as one value: what it makes of the class of a server (`ServerFeature`), its place in the way of each request
 * (`Plugin`), and what it does for the application as a whole. Features are used in the order of their list.
 *
 * @example
 * // Each answer names the release that made it.
 * const release: Feature = {
 *   serve: ({ options }) => () => ({
 *     around: (next) => async (call) => {
 *       await next(call)
 *       call.koa.set('Release', '2026-11-27')
 *     },
 *   }),
 * }
 */
export interface Feature {
  /** What it makes of the class of each server, where it makes anything of it. */
  readonly compiled?: ServerFeature
  /**
   * Is called once, when all servers are compiled. The function that it returns says for each of them what the feature does there; null
   * where it does nothing.
   */
  readonly serve?: (parts: ServeParts) => (server: CompiledServer) => Plugin | null
  /** Opens the stores in place of Prisma's: the last feature that does so is asked. */
  readonly openStores?: (parts: StoresParts) => Stores
  /** Opens stores that read from copies of the database; null where there are none. */
  readonly openReplicas?: (parts: StoresParts, primary: Stores) => Readonly<Record<Reads, ReplicaStores>> | null
  /** Says in which language a request is answered; null where that is English. The first feature that says so is asked. */
  readonly languageOf?: (options: ApiOptions) => LanguageOf | null
}

/** What a feature is told when the application starts. */
export interface ServeParts {
  readonly options: ApiOptions
  /** Those that are optional in `options`, with their defaults. */
  readonly production: boolean
  readonly servers: readonly CompiledServer[]
  readonly stores: Stores
  /** Opens stores once more, with parts of their own. */
  openStores(own: Partial<StoresParts>): Stores
}
