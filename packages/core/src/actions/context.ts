import type { Document } from '@prismapi/jsonapi/document/types'
import { withParts } from '@prismapi/jsonapi/request/hook-context'
import type { Precondition } from '@prismapi/jsonapi/request/operation'
import { Spent } from '@prismapi/jsonapi/request/write-state'
import type { AbilitiesOverReaders } from '../auth/ability.ts'
import type { AuthContext, AuthServer } from '../auth/auth-context.ts'
import type { Permissions } from '../auth/can.ts'
import type { Admission } from '../price/check-price.ts'
import type { Price } from '../price/price.ts'
import { type RequestStore, type RequestTransaction, type Rows, storeWithin } from '../read/rows.ts'
import type { DocumentContext, DocumentServer } from '../serialize/document-context.ts'

/**
 * All that the stages of one request share, frozen: the sum of what each stage declares that it needs. Actions pass it
 * as the first parameter; a stage sees its own part.
 *
 * @internal
 */
export interface RequestContext extends AuthContext, DocumentContext {
  readonly server: ActionServer
  readonly served: AuthContext['served']
  readonly store: RequestStore
  readonly abilityOf: AbilitiesOverReaders
  /** What the client says of the version that it wants to change; null where it says nothing. */
  readonly precondition: Precondition | null
  /** Its place among dear requests; null where it needs none, or has one. */
  readonly place: Admission | null
}

export interface ActionServer extends AuthServer, DocumentServer {
  /** Tells what callers may do with resources; null where no type of the server shows that. */
  readonly permissions: Permissions | null
}

/** The same request over other rows, such as those of a transaction: reads and policies see what was written there. */
export const withRows = (ctx: RequestContext, rows: Rows, store: RequestStore): RequestContext =>
  withParts(ctx, { rows, store, abilityOf: ctx.abilityOf.over(rows.unscoped), spent: new Spent(ctx.limits.cost) })

/** The same request inside of a transaction: its work is done there, and judged by what is written there so far. */
export const contextWithin = (ctx: RequestContext, transaction: RequestTransaction): RequestContext =>
  withRows(ctx, transaction.rows, storeWithin(transaction, ctx.store))

/**
 * Runs a read that would block the event loop in a thread, and every other read in the event loop. A price is an upper
 * bound, so a read is tried in the event loop for a moment first. A text search goes to a thread at once: the server
 * rarely knows how long the texts are, and cannot interrupt the search of one.
 */
export function onThread<T>(
  ctx: RequestContext,
  { points, searched }: Pick<Price, 'points' | 'searched'>,
  work: (ctx: RequestContext) => T | Promise<T>,
): T | Promise<T> {
  const { threads } = ctx.store
  if (threads === null || (points <= threads.inlineCost && searched === 0)) return work(ctx)
  return threads.read(async (rows) => work(withRows(ctx, rows, { ...ctx.store, threads: null })), searched === 0)
}

/**
 * What an action answers: a status, a document or none, headers of its own.
 *
 * @internal
 */
export interface ActionResult {
  readonly status: number
  readonly document: Document | null
  readonly headers?: Readonly<Record<string, string>>
  /** The version of the resource that a write of this URL would change, or null. Left out, there is no entity tag. */
  readonly version?: string | null
}

export const ok = (document: Document, version: string | null = null): ActionResult => ({
  status: 200,
  document,
  version,
})
export const noContent: ActionResult = Object.freeze({ status: 204, document: null })
