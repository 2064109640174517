import { channel } from 'node:diagnostics_channel'
import type { Language } from '@prismapi/jsonapi/document/text'
import type { Context } from 'koa'
import type { AnyPolicy } from '../auth/policy.ts'
import type { ReplicaStores, Store } from '../database/store.ts'
import type { CompiledServer } from '../server/compile.ts'
import type { OpenTransactions } from '../server/open-transactions.ts'
import type { Plugin } from './plugin.ts'
import type { SignIn } from './sign-in.ts'
import type { Batching, DearRequests, SlowReaders } from './throttling.ts'

/**
 * Who is asking: the user, or null for a guest.
 * @throws {JsonApiError} 401, made by `unauthorized`, for credentials that are present and wrong.
 */
export type Authenticate = (ctx: Context) => unknown

/**
 * The language that a request prefers.
 *
 * @internal
 */
export type LanguageOf = (ctx: Context) => Language

/**
 * A server, and what its requests share.
 *
 * @internal
 */
export interface Api {
  readonly server: CompiledServer
  readonly store: Store
  readonly authenticate: Authenticate
  /** How people sign in at its pages; null where that is by a token alone. */
  readonly signIn: SignIn | null
  readonly batching: Batching
  readonly slowReaders: SlowReaders
  readonly dearRequests: DearRequests
  /** Null where there are none. */
  readonly replicas: ReplicaStores | null
  /** Null where everybody is told everything in English. */
  readonly languageOf: LanguageOf | null
  readonly plugins: readonly Plugin[]
  /** Those of all servers, which calls inside of them join. */
  readonly transactions: OpenTransactions
}

/** An API before its servers are compiled. A tool may change its policies, and add plug-ins by their names. */
export interface ApiBeingMade {
  /** With how tools call them; one that two servers inherit is there twice. */
  readonly policies: readonly (readonly [name: string, policy: AnyPolicy])[]
  readonly plugins: Map<string, Plugin>
}

/**
 * `createApi` publishes each `ApiBeingMade` here. Tools of tests are loaded before the application and subscribe. So a
 * server has no part of them, and no variable of its environment changes who is allowed what.
 */
export const apiBeingMade = channel('prismapi.api-being-made')
