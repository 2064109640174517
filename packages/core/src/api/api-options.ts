import type { Languages } from '@prismapi/jsonapi/document/text'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { Register, Services, User } from '@prismapi/jsonapi/model/register'
import type { Telemetry } from '@prismapi/jsonapi/request/telemetry'
import type { PolicyClass } from '../auth/policy.ts'
import type { TransactionLimits } from '../database/prisma/prisma-store.ts'
import type { Clients } from '../database/store.ts'
import type { Authenticate } from '../http/api.ts'
import type { Logger } from '../server/logger.ts'
import type { ServerParts } from '../server/server-parts.ts'
import type { Feature } from './feature.ts'

/**
 * The services of the application: they have to be handed in where `Register` names them.
 *
 * @internal
 */
type ServicesOption = Register extends { services: infer S }
  ? {
      /** What application code gets as `services` and `this.services`: hooks, actions, policies and other classes. */
      readonly services: S
    }
  : {
      /** What hooks, actions, policies and classes of requests, schemas and servers get. `Register` types it. */
      readonly services?: Services
    }

/**
 * One user for each role, where users have roles.
 *
 * @internal
 */
type SampleUsersOf<U> = U extends { readonly role: infer Role extends string }
  ? { readonly [Name in Role]: U & { readonly role: Name } }
  : Readonly<Record<string, U>>

/** What an API is made of, whatever features it has. */
export interface CoreOptions extends ServicesOption {
  /** What `prisma generate` wrote: `resources` of `prisma/generated/resources.ts`. */
  readonly resources: Resources
  /** A Prisma client; on SQLite the two of `sqliteClients`. */
  readonly clients: Clients
  /** The servers with their schemas, authorizers and requests, as `discover` finds them. */
  readonly servers: readonly ServerParts[]
  /** Policy classes by model. */
  readonly policies: ReadonlyMap<string, PolicyClass>
  /**
   * A user of each role that `Register` names. At startup, the server checks the rules of request classes and policies
   * as each of them, where these look at the user. Without it, it checks them as a guest alone.
   */
  readonly sampleUsers?: SampleUsersOf<User>
  /** Who is asking, on each server that does not say so by itself; left out, everybody is a guest. */
  readonly authenticate?: Authenticate
  /** The public origin that links begin with, `https://api.example.org`. */
  readonly baseUrl: string
  /**
   * The secret that seals the cursors of `CursorProfilePagination`: the same in every process that serves the API, and
   * kept across restarts. Left out, each process makes its own, and cursors stop working when it ends.
   */
  readonly cursorSecret?: string
  /** How long the transactions of writes may wait and take; by default ten seconds each, then 503. */
  readonly transactions?: TransactionLimits
  /**
   * The languages of error messages in addition to English: `{ de: german, fr: french }` of `prismapi/languages`. A
   * request chooses by `Accept-Language`. Left out, all errors are in English.
   */
  readonly languages?: Languages
  /** `openTelemetry()` of `prismapi/telemetry`, for spans and metrics; left out, nothing is measured. */
  readonly telemetry?: Telemetry
  /** Where the framework says what it did, and what failed. */
  readonly logger: Logger
  /** Aborted when the process is about to end, as `serve` says: then streams end, and their clients go elsewhere. */
  readonly draining?: AbortSignal
  /**
   * True unless it is said to be otherwise: errors say nothing about the inside, and no client gets `Server-Timing` by
   * `Prefer: server-timing`, or an explanation by `Prefer: explain`.
   */
  readonly production?: boolean
  /** Features of the application's own, or of packages, in addition to those that every server has. */
  readonly features?: readonly Feature[]
}
