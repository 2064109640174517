import type { Middleware } from 'koa'
import type { ReplicaStores } from '../database/store.ts'
import type { Reads, Stores, StoresParts } from '../database/stores.ts'
import type { Authenticate, LanguageOf } from '../http/api.ts'
import type { Plugin } from '../http/plugin.ts'
import type { CompiledServer } from '../server/compile.ts'
import type { ToolFeature } from '../server/discover.ts'
import type { CoreOptions } from './api-options.ts'

/**
 * Everything optional, as one value: what it compiles of a server class (`ServerFeature`), its stages in each request
 * (`Plugin`), and what it does for the whole application. Features are used in the order of their list.
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
export interface Feature extends ToolFeature {
  /**
   * Called once, after all servers are compiled. The function that it returns gives the feature's stages on each
   * server; null where the feature does nothing.
   */
  readonly serve?: (parts: ServeParts) => (server: CompiledServer) => Plugin | null
  /** Koa middleware in front of all servers, for paths that belong to none of them: `/.well-known/…`. */
  readonly middleware?: (parts: ServeParts) => Middleware
  /** Around the look-up of who is asking on a server. */
  readonly authenticate?: (next: Authenticate, server: CompiledServer) => Authenticate
  /** Opens the stores in place of Prisma's: the last feature that does so is asked. */
  readonly openStores?: (parts: StoresParts) => Stores
  /** Opens stores that read from copies of the database; null where there are none. */
  readonly openReplicas?: (parts: StoresParts, primary: Stores) => Readonly<Record<Reads, ReplicaStores>> | null
  /** Answers what no server and nothing of the application has answered, or calls `next`, which is a 404. */
  readonly unanswered?: (parts: UnansweredParts) => Middleware
  /** The language of a request; null for English. The server asks the first feature that has one. */
  readonly languageOf?: (options: CoreOptions) => LanguageOf | null
}

/** What a feature is told that answers outside of all servers. */
export interface UnansweredParts {
  /** All servers of the API, as they were compiled. */
  readonly servers: readonly CompiledServer[]
  /** Null where everybody is told everything in English. */
  readonly languageOf: LanguageOf | null
}

/** What a feature is told when the application starts. */
export interface ServeParts {
  /** What the application has handed in. */
  readonly options: CoreOptions
  /** Those that are optional in `options`, with their defaults. */
  readonly production: boolean
  /** All servers of the API, as they were compiled. */
  readonly servers: readonly CompiledServer[]
  /** What the servers ask the database by. */
  readonly stores: Stores
  /** Opens stores once more, with parts of their own. */
  openStores(own: Partial<StoresParts>): Stores
}
