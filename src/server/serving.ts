import type { AuthorizerClass } from '../auth/authorizer.ts'
import { all, equals } from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import type { Scopes } from '../condition/scopes.ts'
import { type Awaitable, isPromise } from '../model/awaitable.ts'
import type { DataOf, ModelName, RowOf, Services, TransactionClient, User, WhereOf } from '../model/register.ts'
import type { Where } from '../model/where.ts'
import { type AnyHook, type Hooks, hookKey, type ReadEvent, type ReadHookName, readHooks } from '../read/hooks.ts'
import { hookRequest } from '../request/hook-request.ts'
import type { HookRequest } from '../schema/hook-request.ts'
import { type ResourceSchema, schemaOf } from '../schema/resource-schema.ts'
import {
  type FillHookName,
  fillHooks,
  type PrepareEvent,
  prepareHooks,
  type RowHookName,
  rowHooks,
  type WriteEvent,
} from '../write/hooks.ts'
import { missingOf, type Scope } from './all-scopes.ts'
import type { CompiledServer } from './compile.ts'
import { inServer } from './in-server.ts'
import { scopeCondition } from './scope-condition.ts'

/** What the serving phase registered for one request. */
export interface Served {
  readonly scopes: Scopes
  /** The scopes for what is named by its id, where rows that were deleted softly are there for who may see them. */
  readonly scopesById: Scopes
  /** The models whose deleted rows the user may see. */
  readonly trash: ReadonlySet<string>
  readonly hooks: Hooks
  /** Authorizers registered together with a list of models, by type. */
  readonly authorizers: ReadonlyMap<string, AuthorizerClass>
  readonly defaultAuthorizer: AuthorizerClass | null
}

/** `WriteEvent` with the model's own types. */
export interface WriteEventOf<M extends ModelName> extends Omit<WriteEvent, 'user' | 'row' | 'db'> {
  /** The signed-in user; null for a guest. */
  readonly user: User | null
  /** The row as it was before; null on create. */
  readonly row: RowOf<M> | null
  /** Prisma Client inside of the write's transaction, without scopes and hooks. It is no use in `afterCommit`, whose work is given a client of its own. */
  readonly db: TransactionClient
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

/** A hook before the transaction of a write: it gets the columns that will be set, and returns more of them, or others. */
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
 * throws undoes the write, and a `JsonApiError` is the answer then. `preparing` runs before the transaction begins, once for
 * each resource that is created or updated, and returns columns to set, too: work that takes its time belongs there. After validation, before the write: `creating`,
 * `updating` and `saving` (both) return columns to set; `deleting`, `attaching`, `detaching` only look. After it, with the
 * row as it is then: `created`, `updated`, `saved`, `deleted`, `attached`, `detached`. A PATCH of a relationship is an
 * update that names its `relation`. `reading` runs before a collection or a resource
 * of the model is read for an answer, after authorization, and `read` with the rows after it; includes are not told of.
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
   * totals, filters, and as a target of relationships (docs/specification.md#hiding-and-filtering). Several for one model
   * must all be met.
   *
   * @throws {Error} for a condition that Prisma would take for less than it says; the answer is 500.
   */
  scope<M extends ModelName>(model: M, where: WhereOf<M> | ((user: User | null) => WhereOf<M> | null)): void
  /**
   * The same for all models at once: a condition for each, or `'public'` where every row may be seen. A model that is not named does
   * not compile, and where types were evaded it stops the start: `createApi` runs `serving` once, for a guest, to see that.
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

/** What a serving phase says, collected: one for each request. */
class Registration {
  readonly user: User | null
  readonly services: Services
  readonly method: string
  readonly conditions = new Map<string, Condition[]>()
  readonly hooks = new Map<string, AnyHook[]>()
  readonly authorizers = new Map<string, AuthorizerClass>()
  defaultAuthorizer: AuthorizerClass | null = null
  /** What is wrong with `scopes`, whatever becomes of the error. */
  fault: Error | null = null
  private readonly request: HookRequest
  private readonly served: RegisteringServer

  constructor(request: HookRequest, served: RegisteringServer) {
    this.user = request.user as User | null
    this.services = served.services
    this.method = request.method
    this.request = request
    this.served = served
  }

  get url(): URL {
    return this.request.url
  }

  readonly scope = (model: string, where: Where | ((user: User | null) => Where | null)): void => {
    const { models } = this.served.resources
    const scoped = Object.hasOwn(models, model) ? models[model] : undefined
    if (!scoped) throw new Error(`scope('${model}'): the Prisma schema has no such model.`)
    const condition = typeof where === 'function' ? where(this.user) : where
    if (condition) add(this.conditions, model, scopeCondition(condition, scoped, models))
  }

  readonly scopes = (all: Readonly<Record<string, Scope>>): void => {
    this.fault = missingOf(all, this.served.resources.models)
    if (this.fault) throw this.fault
    for (const [model, scope] of Object.entries(all)) {
      const where = typeof scope === 'function' ? scope(this.user) : scope
      if (where !== 'public') this.scope(model, where)
    }
  }

  readonly authorizer = (authorizer: AuthorizerClass, models?: readonly string[]): void => {
    if (!models) this.defaultAuthorizer = authorizer
    for (const model of models ?? []) this.authorizers.set(schemaOf(this.served.schemas, model).type, authorizer)
  }

  hook(name: string, model: string, hook: AnyHook): void {
    schemaOf(this.served.schemas, model)
    add(this.hooks, hookKey(model, name), hook)
  }
}

// Made when they are asked for, because most requests need few of them; bound, because applications take them apart.
for (const name of [...prepareHooks, ...fillHooks, ...rowHooks, ...readHooks]) {
  Object.defineProperty(Registration.prototype, name, {
    get(this: Registration) {
      return (model: string, hook: AnyHook) => this.hook(name, model, hook)
    },
  })
}

/** What the policies say of visibility, for one request. */
interface Visibility {
  /** The models whose softly deleted rows the user may see. */
  readonly trash: ReadonlySet<string>
  /** The rows that the user may view, where the server asks for that everywhere. */
  readonly viewable: Scopes
}

type RegisteringServer = Pick<CompiledServer, 'resources' | 'schemas' | 'services'>
type ServingServer = RegisteringServer & Pick<CompiledServer, 'softDeleted' | 'serving'>

/** Runs a server's serving phase for one request. */
export function serve(request: HookRequest, server: ServingServer, visibility: Visibility): Awaitable<Served> {
  const registration = new Registration(request, server)
  const serving = server.serving(registration as unknown as Serving)
  return isPromise(serving)
    ? serving.then(() => toServed(registration, server, visibility))
    : toServed(registration, server, visibility)
}

/**
 * Runs the serving phase once, as for a guest, before there are requests: `scopes` has to name all models. What else it throws there
 * may be right for another caller.
 *
 * @throws {Error} where it does not; of an async `serving` that is seen as far as its first `await`.
 */
export function checkServing(server: ServingServer & Pick<CompiledServer, 'name' | 'file' | 'baseUrl'>): void {
  const at = { url: new URL(server.baseUrl), search: '' }
  const registration = new Registration(hookRequest({ user: null, method: 'GET', at }), server)
  try {
    const running = server.serving(registration as unknown as Serving)
    if (isPromise(running)) running.catch(() => {})
  } catch {}
  const { fault } = registration
  inServer(server, () => {
    if (fault) throw fault
  })
}

function toServed(
  { conditions, hooks, authorizers, defaultAuthorizer }: Registration,
  { softDeleted }: ServingServer,
  { trash, viewable }: Visibility,
): Served {
  const isHidden = ({ model }: ResourceSchema) => !trash.has(model.name)
  const scopesById = buildScopes(withoutDeleted(conditions, softDeleted.filter(isHidden)))
  const isSame = trash.size === 0 && viewable.size === 0
  for (const [model, where] of viewable) add(conditions, model, where)
  const visible = isSame ? scopesById : buildScopes(withoutDeleted(conditions, softDeleted))
  return { scopes: visible, scopesById, trash, hooks, authorizers, defaultAuthorizer }
}

/** The conditions with those that hide what was deleted softly. */
function withoutDeleted(scopes: ReadonlyMap<string, readonly Condition[]>, schemas: readonly ResourceSchema[]) {
  if (schemas.length === 0) return scopes
  const narrowed = new Map(scopes)
  for (const { model, deletedAt } of schemas) {
    if (deletedAt) narrowed.set(model.name, [equals(model, deletedAt, null), ...(scopes.get(model.name) ?? [])])
  }
  return narrowed
}

/** All scopes that were registered, as one condition for each model. */
const buildScopes = (registered: ReadonlyMap<string, readonly Condition[]>): Scopes =>
  new Map([...registered].map(([model, conditions]) => [model, all(...conditions)]))

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
