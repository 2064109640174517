import type { AuthorizerClass } from '../auth/authorizer.ts'
import { all, equals } from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import type { Scopes } from '../condition/scopes.ts'
import { type Awaitable, isPromise } from '../model/awaitable.ts'
import type { ModelMeta } from '../model/meta.ts'
import { nearest } from '../model/nearest.ts'
import type { Services, User } from '../model/register.ts'
import type { Where } from '../model/where.ts'
import { type AnyHook, type Hooks, hookKey, readHooks } from '../read/hooks.ts'
import { hookRequest } from '../request/hook-request.ts'
import type { HookRequest } from '../schema/hook-request.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { fillHooks, prepareHooks, rowHooks } from '../write/hooks.ts'
import { missingOf, type Scope } from './all-scopes.ts'
import type { CompiledServer } from './compile.ts'
import { inServer } from './in-server.ts'
import { scopeCondition } from './scope-condition.ts'
import type { Serving } from './serving-phase.ts'

/** What the serving phase registered for one request. */
export interface Served {
  readonly scopes: Scopes
  /** The same for a query that asks for rows that were deleted softly: they are there for who may see them. */
  readonly scopesWithDeleted: Scopes
  /** Those for what is named by its id: deleted rows are there, and a policy answers for what the caller may not view. */
  readonly scopesById: Scopes
  /** The models whose deleted rows the user may see. */
  readonly trash: ReadonlySet<string>
  readonly hooks: Hooks
  /** Authorizers registered together with a list of models, by type. */
  readonly authorizers: ReadonlyMap<string, AuthorizerClass>
  readonly defaultAuthorizer: AuthorizerClass | null
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
  /** What is wrong with the names, for every caller, whatever becomes of the error. */
  fault: Error | null = null
  private readonly request: HookRequest
  private readonly server: RegisteringServer

  constructor(request: HookRequest, server: RegisteringServer) {
    this.user = request.user as User | null
    this.services = server.services
    this.method = request.method
    this.request = request
    this.server = server
  }

  get url(): URL {
    return this.request.url
  }

  readonly scope = (model: string, where: Where | ((user: User | null) => Where | null)): void => {
    const { models } = this.server.resources
    const scoped = this.modelOf('scope', model)
    const condition = typeof where === 'function' ? where(this.user) : where
    if (condition !== null) add(this.conditions, model, scopeCondition(condition, scoped, models))
  }

  readonly scopes = (all: Readonly<Record<string, Scope>>): void => {
    const missing = missingOf(all, this.server.resources.models)
    if (missing) this.fail(missing)
    for (const [model, scope] of Object.entries(all)) {
      const where = typeof scope === 'function' ? scope(this.user) : scope
      if (where === null)
        throw new Error(
          `scopes(): the condition of ${model} is null. Write 'public' where all of its rows may be seen.`,
        )
      if (where !== 'public') this.scope(model, where)
    }
  }

  readonly authorizer = (authorizer: AuthorizerClass, models?: readonly string[]): void => {
    if (!models) this.defaultAuthorizer = authorizer
    for (const model of models ?? []) this.authorizers.set(this.typeOf('authorizer', model), authorizer)
  }

  hook(name: string, model: string, hook: AnyHook): void {
    this.typeOf(name, model)
    add(this.hooks, hookKey(model, name), hook)
  }

  private modelOf(said: string, name: string): ModelMeta {
    const { models } = this.server.resources
    const model = Object.hasOwn(models, name) ? models[name] : undefined
    if (model) return model
    const meant = nearest(name, Object.keys(models))
    const cure = meant ? `Did you mean ${meant}?` : 'Name one of the Prisma schema.'
    return this.fail(new Error(`${said}('${name}'): there is no such model. ${cure}`))
  }

  private typeOf(said: string, name: string): string {
    const type = this.server.schemas.byModel.get(this.modelOf(said, name).name)?.type
    if (type !== undefined) return type
    const cure = "Add it to models of the server's class."
    return this.fail(new Error(`${said}('${name}'): the server has no type for this model. ${cure}`))
  }

  private fail(fault: Error): never {
    this.fault ??= fault
    throw fault
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
 * Runs the serving phase once, as for a guest, before there are requests: it names models that there are, and `scopes` all of them.
 * What else it throws there may be right for another caller.
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
  const hidden = softDeleted.filter(({ model }) => !trash.has(model.name))
  const scopesById = buildScopes(withoutDeleted(conditions, hidden))
  for (const [model, where] of viewable) add(conditions, model, where)
  const scopesWithDeleted = viewable.size === 0 ? scopesById : buildScopes(withoutDeleted(conditions, hidden))
  const scopes = trash.size === 0 ? scopesWithDeleted : buildScopes(withoutDeleted(conditions, softDeleted))
  return { scopes, scopesWithDeleted, scopesById, trash, hooks, authorizers, defaultAuthorizer }
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
