import type { AbilitiesOverReaders } from '../auth/ability.ts'
import type { AuthContext, AuthServer } from '../auth/auth-context.ts'
import type { Permissions } from '../auth/can.ts'
import { storeWithin } from '../database/prisma/store-within.ts'
import type { Store, Transaction } from '../database/store.ts'
import type { Precondition } from '../request/precondition.ts'
import { withParts } from '../request/with-parts.ts'
import type { DocumentContext, DocumentServer } from '../serialize/document-context.ts'

/**
 * All that the stages of one request share, frozen: the sum of what each of them declares that it needs. Actions pass it as
 * the first parameter; a stage sees its own part.
 */
export interface RequestContext extends AuthContext, DocumentContext {
  readonly server: ActionServer
  readonly served: AuthContext['served']
  readonly store: Store
  readonly abilityOf: AbilitiesOverReaders
  /** What the client says of the version that it wants to change; null where it says nothing. */
  readonly precondition: Precondition | null
}

export interface ActionServer extends AuthServer, DocumentServer {
  /** Tells what callers may do with resources; null where no type of the server shows that. */
  readonly permissions: Permissions | null
}

/** The same request over another store, such as a transaction: it reads there, and policies judge what is written there so far. */
export const withStore = (ctx: RequestContext, store: Store): RequestContext =>
  withParts(ctx, { store, abilityOf: ctx.abilityOf.over(store.reader) })

/** The same request inside of a transaction: its work is done there, and judged by what is written there so far. */
export const contextWithin = (ctx: RequestContext, transaction: Transaction): RequestContext =>
  withStore(ctx, storeWithin(transaction, ctx.store))
