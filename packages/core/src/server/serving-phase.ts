import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type {
  DataOf,
  ModelName,
  RowOf,
  Services,
  TransactionClient,
  User,
  WhereOf,
} from '@prismapi/jsonapi/model/register'
import type { HookRequest } from '@prismapi/jsonapi/schema/filters'
import type { AuthorizerClass } from '../auth/authorizer.ts'
import type { ReadEvent, ReadHookName } from '../read/hooks.ts'
import type { FillHookName, PrepareEvent, RowHookName, WriteEvent } from '../write/hooks.ts'

/** `WriteEvent` with the model's own types. */
export interface WriteEventOf<M extends ModelName> extends Omit<WriteEvent, 'user' | 'row' | 'db' | 'asSystem'> {
  /** The signed-in user; null for a guest. */
  readonly user: User | null
  /** The row as it was before; null on create. */
  readonly row: RowOf<M> | null
  /**
   * Prisma Client inside of the write's transaction, without scopes and hooks. It is no use in `afterCommit`, whose
   * work is given a client of its own.
   */
  readonly db: TransactionClient
  /**
   * The same client, trusted: row level security lets it read and write all rows of the database, such as an audit or
   * an outbox that the caller may not write. Without row level security it is `db`. The trail names the request's
   * caller.
   *
   * @throws {Error} where the database's roles are older: write its migration anew by `prismapi rls`.
   * @example
   * export default class V1 extends Server {
   *   override name = 'v1'
   *   override serving(phase: Serving) {
   *     phase.saved('Post', async ({ id }, event) => {
   *       const data = { content: `Post ${id} was saved.`, postId: id, authorId: 1 }
   *       await event.asSystem().comment.create({ data })
   *     })
   *   }
   * }
   */
  asSystem(): TransactionClient
}

/** `PrepareEvent` with the model's own types. */
export interface PrepareEventOf<M extends ModelName> extends Omit<PrepareEvent, 'user' | 'row'> {
  /** The signed-in user; null for a guest. */
  readonly user: User | null
  /** The row as it was before; null on create. */
  readonly row: RowOf<M> | null
}

/** Columns by name; one that is undefined is not set. */
export type HookColumnsOf<M extends ModelName> = {
  readonly [Column in keyof DataOf<M>]?: DataOf<M>[Column] | undefined
}

/** A hook before a write: it gets the columns that will be set, and returns more of them, or others. */
export type FillHookOf<M extends ModelName> = (
  data: HookColumnsOf<M>,
  event: WriteEventOf<M>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook that sets nothing returns nothing
) => Awaitable<HookColumnsOf<M> | null | void>

/** A hook before the transaction of a write: it gets the columns to be set, and returns more of them, or others. */
export type PrepareHookOf<M extends ModelName> = (
  data: HookColumnsOf<M>,
  event: PrepareEventOf<M>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook that sets nothing returns nothing
) => Awaitable<HookColumnsOf<M> | null | void>

/** A hook that looks at a row. */
export type RowHookOf<M extends ModelName> = (row: RowOf<M>, event: WriteEventOf<M>) => Awaitable<void>

/** A hook around a read: `reading` gets no rows, `read` those that were read, with the columns that were. */
export type ReadHookOf<M extends ModelName> = (rows: readonly Partial<RowOf<M>>[], event: ReadEvent) => Awaitable<void>

/**
 * Hooks of one model. Those of writes run inside the write's transaction, in the order of their registration; one that
 * throws undoes the write, and a `JsonApiError` is the answer then. `preparing` runs before the transaction begins,
 * once for each resource that is created or updated, and returns columns to set, too: work that takes its time belongs
 * there. After validation, before the write: `creating`, `updating` and `saving` (both) return columns to set;
 * `deleting`, `attaching`, `detaching` only look. After it, with the row as it is then: `created`, `updated`, `saved`,
 * `deleted`, `attached`, `detached`. A PATCH of a relationship is an update that names its `relation`. `reading` runs
 * after authorization, before a collection of the model is read; for a single resource, after its row was found and
 * authorized. `read` gets the rows after that. Neither runs for includes.
 */
export type ModelHooks = {
  readonly preparing: <M extends ModelName>(model: M, hook: PrepareHookOf<M>) => void
} & {
  readonly [Name in FillHookName]: <M extends ModelName>(model: M, hook: FillHookOf<M>) => void
} & {
  readonly [Name in RowHookName]: <M extends ModelName>(model: M, hook: RowHookOf<M>) => void
} & {
  readonly [Name in ReadHookName]: <M extends ModelName>(model: M, hook: ReadHookOf<M>) => void
}

/**
 * The serving phase of one request: here a server says what holds for it. Nothing registered outlives the request, and
 * two servers, or two requests, never see each other's.
 *
 * @example
 * export default class V1 extends Server {
 *   override name = 'v1'
 *   override serving(phase: Serving) {
 *     phase.scope('Post', { deletedAt: null })
 *     phase.creating('Post', (data) => ({ authorId: data.authorId ?? phase.user?.id }))
 *   }
 * }
 */
export interface Serving extends HookRequest, ModelHooks {
  /** The signed-in user; null for a guest. */
  readonly user: User | null
  /** What the application handed to `createApi({ services })`. */
  readonly services: Services
  /**
   * Hides every row of the model that does not meet the condition: from collections, by id, from includes, linkage,
   * totals and filters, and as a target of relationships (docs/specification.md#hiding-and-filtering). If a model has
   * several scopes, a row must meet all of them. `{}` says that all rows may be seen, where another server hides some.
   *
   * @throws {Error} for a condition that Prisma would take for less than it says; the response is 500.
   */
  scope<M extends ModelName>(model: M, where: WhereOf<M> | ((user: User | null) => WhereOf<M> | null)): void
  /**
   * The same for all models at once: a condition for each, or `'public'` where every row may be seen. A model that is
   * not named does not compile, and where types were evaded it stops the start: `createApi` runs `serving` once, for a
   * guest, to see that.
   *
   * @throws {Error} for a model that is missing, or that the Prisma schema does not have.
   * @example
   * export default class V1 extends Server {
   *   override name = 'v1'
   *   override serving(phase: Serving) {
   *     phase.scopes({
   *       User: 'public',
   *       Profile: 'public',
   *       Tag: 'public',
   *       Post: (user) => (user?.role === 'ADMIN' ? 'public' : { publishedAt: { lt: new Date() } }),
   *       Video: 'public',
   *       Comment: { post: { deletedAt: null } },
   *     })
   *   }
   * }
   */
  scopes(all: ScopesOfAll): void
  /** Replaces the policies: for the models that are named, or for all types without an authorizer of their own. */
  authorizer(authorizer: AuthorizerClass, models?: readonly ModelName[]): void
}

/** What is seen of each model: rows that meet a condition, or all. */
export type ScopesOfAll = {
  readonly [M in ModelName]: 'public' | WhereOf<M> | ((user: User | null) => WhereOf<M> | 'public')
}
