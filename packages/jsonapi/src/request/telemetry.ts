import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Tracing } from './observer.ts'

/** A request and its answer, as the outside sees them. */
export interface Exchange {
  /** Node's request. */
  readonly req: IncomingMessage
  /** Node's response; `statusCode` is known when it has ended. */
  readonly res: ServerResponse
  /** The path with `{id}` in the place of an id, as in the OpenAPI document; null where nothing is served. */
  readonly route: string | null
  /** Where the server lies: its public origin with its base path. */
  readonly baseUrl: URL
}

/** What the database is asked, without any value. */
export interface AskedQuery {
  /** `sqlite`, `postgresql`, `mysql` … */
  readonly system: string
  /** `SELECT`, or Prisma's `findMany`. */
  readonly operation: string
  /** The table or the model; null where that is not known. */
  readonly collection: string | null
  /** The statement, with placeholders; null where Prisma makes it. */
  readonly text: string | null
}

/** What goes the slow way. */
export interface Fallback {
  /**
   * A `read` that Prisma Client does, because SQL does not say it; a `write` that
   * takes a transaction, because one statement would not do; or what Prisma Client
   * writes inside of a transaction, because SQL does not say it: `transaction`.
   */
  readonly kind: 'read' | 'write' | 'transaction'
  /** Prisma's name. */
  readonly model: string
  /** Names a part of the schema or of the request. It has no value of either. */
  readonly reason: string
}

/** What `createApi({ telemetry })` takes: `openTelemetry()` of `prismapi/telemetry`, or anything of its shape. */
export interface Telemetry extends Tracing {
  /** Does the work on a request. What is told within is part of it. */
  request(exchange: Exchange, work: () => Promise<void>): Promise<void>
  /** Asks the database, at once where that answers at once. */
  query<T>(query: AskedQuery, work: () => T): T
  /** Is told of each read and write that goes the slow way. */
  fellBack?(fallback: Fallback): void
  /** Is told of each request that looked for an answer that was kept, and whether it found one. */
  keptAnswer?(isFound: boolean): void
}
