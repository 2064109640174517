import type { AuthorizerClass } from '../auth/authorizer.ts'
import type { DataOf, ModelName, User, WhereOf } from '../model/register.ts'
import type { Scopes, Where } from '../model/where.ts'
import { type HookRequest, schemaOf } from '../schema/resource-schema.ts'
import { buildScopes } from '../store/scopes.ts'
import type { FillHook } from '../store/write.ts'
import type { CompiledServer } from './compile.ts'

/** What the serving phase registered for one request. */
export interface Served {
  readonly scopes: Scopes
  /** By model: run when a row is created. */
  readonly creating: ReadonlyMap<string, readonly FillHook[]>
  /** By model: run on every write of a row, after those for its creation. */
  readonly saving: ReadonlyMap<string, readonly FillHook[]>
  /** Authorizers registered together with a list of models, by type. */
  readonly authorizers: ReadonlyMap<string, AuthorizerClass>
  readonly defaultAuthorizer: AuthorizerClass | null
}

type Awaitable<T> = T | Promise<T>

type Fill<M extends ModelName> = (
  data: Partial<DataOf<M>>,
  input: Readonly<Record<string, unknown>>,
) => Awaitable<Partial<DataOf<M>>>

/**
 * The serving phase of one request: here a server says what holds for it. Nothing registered outlives the request, and
 * two servers, or two requests, never see each other's.
 *
 * @example
 * override serving(phase: Serving) {
 *   phase.scope('Post', { deletedAt: null })
 *   phase.creating('Post', (data) => ({ authorId: data.authorId ?? phase.user?.id }))
 * }
 */
export interface Serving extends HookRequest {
  readonly user: User | null
  /**
   * Hides every row of the model that does not meet the condition: from collections, by id, from includes, linkage,
   * totals, filters, and as a target of relationships (*Hiding and filtering*). Several for one model must all be met.
   */
  scope<M extends ModelName>(model: M, where: WhereOf<M> | ((user: User | null) => WhereOf<M> | null)): void
  /**
   * Sets columns of a row that is about to be created: after validation, in the write's transaction, in the order of
   * registration. `data` are the columns so far, `input` the validated attributes as documents name them.
   */
  creating<M extends ModelName>(model: M, fill: Fill<M>): void
  /** The same for every write of a row, created or updated: the place for what a virtual attribute means. */
  saving<M extends ModelName>(model: M, fill: Fill<M>): void
  /** Replaces the policies: for the models that are named, or for all types without an authorizer of their own. */
  authorizer(authorizer: AuthorizerClass, models?: readonly ModelName[]): void
}

/** Runs a server's serving phase for one request. */
export async function serve(
  request: HookRequest,
  { schemas, softDeleted, serving }: Pick<CompiledServer, 'schemas' | 'softDeleted' | 'serving'>,
): Promise<Served> {
  const scopes = new Map<string, Where[]>(softDeleted.map(([model, where]) => [model, [where]]))
  const creating = new Map<string, FillHook[]>()
  const saving = new Map<string, FillHook[]>()
  const authorizers = new Map<string, AuthorizerClass>()
  let defaultAuthorizer: AuthorizerClass | null = null
  const user = request.user as User | null
  await serving({
    user,
    method: request.method,
    url: request.url,
    scope(model, where) {
      const condition =
        typeof where === 'function' ? (where as (user: User | null) => Where | null)(user) : (where as Where)
      if (condition) add(scopes, model, condition)
    },
    creating: (model, fill) => add(creating, model, fill as unknown as FillHook),
    saving: (model, fill) => add(saving, model, fill as unknown as FillHook),
    authorizer(authorizer, models) {
      if (!models) defaultAuthorizer = authorizer
      for (const model of models ?? []) authorizers.set(schemaOf(schemas, model).type, authorizer)
    },
  })
  return Object.freeze({ scopes: buildScopes(scopes), creating, saving, authorizers, defaultAuthorizer })
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
