import type { Context } from 'koa'
import type { ReplicaStores } from '../database/replicas.ts'
import type { Store } from '../database/store.ts'
import type { Language } from '../document/language.ts'
import type { CompiledServer } from '../server/compile.ts'
import type { Plugin } from './plugin.ts'
import type { Batching } from './throttling/batching.ts'
import type { SlowReaders } from './throttling/slow-readers.ts'

/**
 * Who is asking: the user, or null for a guest.
 * @throws {JsonApiError} 401, made by `unauthorized`, for credentials that are present and wrong.
 */
export type Authenticate = (ctx: Context) => unknown

/** The language that a request prefers. */
export type LanguageOf = (ctx: Context) => Language

/** A server, and what its requests share. */
export interface Api {
  readonly server: CompiledServer
  readonly store: Store
  readonly authenticate: Authenticate
  readonly batching: Batching
  readonly slowReaders: SlowReaders
  /** Null where there are none. */
  readonly replicas: ReplicaStores | null
  /** Null where everybody is told everything in English. */
  readonly languageOf: LanguageOf | null
  readonly plugins: readonly Plugin[]
}
