import { isEverything } from '@prismapi/jsonapi/condition/build'
import { type Condition, type Visitor, visit } from '@prismapi/jsonapi/condition/condition'
import { parseCondition, UndefinedValue } from '@prismapi/jsonapi/condition/parse'
import type { Scopes } from '@prismapi/jsonapi/condition/scopes'
import type { Extensions } from '@prismapi/jsonapi/document/types'
import { type Awaitable, isPromise } from '@prismapi/jsonapi/model/awaitable'
import { type BoundedCache, boundedCache, memo } from '@prismapi/jsonapi/model/memo'
import type { ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { nearest } from '@prismapi/jsonapi/model/nearest'
import type { BasePathParams, Services, User } from '@prismapi/jsonapi/model/register'
import type { Where } from '@prismapi/jsonapi/model/where'
import { hookRequest } from '@prismapi/jsonapi/request/hook-context'
import type { Limits } from '@prismapi/jsonapi/request/limits'
import type { Observer } from '@prismapi/jsonapi/request/observer'
import type { Precondition } from '@prismapi/jsonapi/request/operation'
import { type Preparation, Spent } from '@prismapi/jsonapi/request/write-state'
import type { HookRequest } from '@prismapi/jsonapi/schema/filters'
import type { RequestContext } from '../actions/context.ts'
import { abilitiesFor } from '../auth/ability.ts'
import type { AuthorizerClass } from '../auth/authorizer.ts'
import { copied, valueText } from '../auth/user-rules.ts'
import { allowedRows, listableRows, seenFields, viewableRows, visibleTrash } from '../auth/viewable.ts'
import type { Store } from '../database/store.ts'
import { observedStore } from '../database/wrap.ts'
import { type AnyHook, type Hooks, hookKey, readHooks } from '../read/hooks.ts'
import { Rows, requestStore, type Sight, sightOf } from '../read/rows.ts'
import type { RowTaker } from '../serialize/document-context.ts'
import { fillHooks, prepareHooks, rowHooks } from '../write/hooks.ts'
import { type CompiledServer, inServer } from './compile.ts'
import type { IncomingRequest } from './incoming-request.ts'
import type { Serving } from './serving-phase.ts'

/** What the serving phase registered for one request. */
export interface Served extends Sight {
  /** The models whose deleted rows the user may see. */
  readonly trash: ReadonlySet<string>
  readonly hooks: Hooks
  /** Authorizers registered together with a list of models, by type. */
  readonly authorizers: ReadonlyMap<string, AuthorizerClass>
  readonly defaultAuthorizer: AuthorizerClass | null
  /** The request is a job's: nobody is asked for permission. */
  readonly asksNobody: boolean
  /** What the scopes of models say: the same text exactly where they say the same. Null for values that have none. */
  readonly scopesText: (models: ReadonlySet<string>) => string | null
}

/** What a serving phase says, collected: one for each request. */
class Registration {
  readonly user: User | null
  readonly services: Services
  readonly method: string
  readonly conditions = new Map<string, Condition[]>()
  /** The same as texts, before the application can change what it said; null for what has none. */
  readonly said: (readonly [model: string, text: string | null])[] = []
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

  get params(): BasePathParams {
    return this.request.params
  }

  readonly scope = (model: string, where: Where | ((user: User | null) => Where | null)): void => {
    const { models } = this.server.resources
    const scoped = this.modelOf('scope', model)
    const condition = typeof where === 'function' ? where(this.user) : where
    if (condition === null) return
    const text = valueText(condition)
    this.said.push([model, text])
    const parsed =
      text === null ? scopeCondition(condition, scoped, models) : knownScope(condition, text, scoped, models)
    if (!isEverything(parsed)) add(this.conditions, model, parsed)
  }

  readonly scopes = (all: Readonly<Record<string, Scope>>): void => {
    const missing = faultInNames(all, this.server.resources.models)
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

/** Which rows the policies let one caller see. */
interface SeenByPolicies {
  /** The models whose softly deleted rows the user may see. */
  readonly trash: ReadonlySet<string>
  /** The rows that the user may view, where the server asks for that everywhere. */
  readonly viewable: Scopes
  /** No scope holds, and nobody is asked for permission; left out, false. */
  readonly seesAll?: boolean
}

type RegisteringServer = Pick<CompiledServer, 'resources' | 'schemas' | 'services'>
type ServingServer = RegisteringServer & Pick<CompiledServer, 'softDeleted' | 'serving'>

/** Runs a server's serving phase for one request. */
export function serve(request: HookRequest, server: ServingServer, seen: SeenByPolicies): Awaitable<Served> {
  const registration = new Registration(request, server)
  const serving = server.serving(registration as unknown as Serving)
  return isPromise(serving)
    ? serving.then(() => toResult(registration, server, seen))
    : toResult(registration, server, seen)
}

/**
 * Runs the serving phase once, as for a guest, before there are requests: it names models that there are, and `scopes`
 * all of them. What else it throws there may be right for another caller.
 *
 * @throws {Error} where it does not; of an async `serving` that is seen as far as its first `await`.
 */
export function checkServing(
  server: ServingServer & Pick<CompiledServer, 'name' | 'file' | 'baseUrl' | 'params'>,
): void {
  const at = { url: new URL(server.baseUrl), search: '' }
  const registration = new Registration(hookRequest({ user: null, method: 'GET', at, server }), server)
  try {
    const running = server.serving(registration as unknown as Serving)
    if (isPromise(running)) running.catch(() => {})
  } catch {}
  const { fault } = registration
  inServer(server, () => {
    if (fault) throw fault
  })
}

function toResult(
  { conditions, said, hooks, authorizers, defaultAuthorizer }: Registration,
  { softDeleted }: ServingServer,
  { trash, viewable, seesAll = false }: SeenByPolicies,
): Served {
  const scopes = seesAll ? noConditions : conditions
  const sight = sightOf({ scopes, softDeleted, trash, viewable })
  return {
    trash,
    hooks,
    scopesText: (models: ReadonlySet<string>) => textOf(said.filter(([model]) => models.has(model))),
    authorizers: seesAll ? noAuthorizers : authorizers,
    defaultAuthorizer: seesAll ? null : defaultAuthorizer,
    asksNobody: seesAll,
    ...sight,
  }
}

const textOf = (said: Registration['said']): string | null =>
  said.some(([, text]) => text === null) ? null : said.map(([model, text]) => `${model} ${text}`).join()

const noConditions: ReadonlyMap<string, readonly Condition[]> = new Map()
const noAuthorizers: Served['authorizers'] = new Map()

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

/** What `phase.scopes` takes for one model. */
type Scope = 'public' | Where | ((user: User | null) => 'public' | Where)

/**
 * What is wrong with the names: every model has to be there, and nothing else. Models that nobody serves need no scope.
 */
function faultInNames(all: Readonly<Record<string, unknown>>, models: Resources['models']): Error | null {
  const isNamed = (name: string) => Object.hasOwn(all, name) && all[name] !== undefined
  const missing = Object.values(models).find(({ name, isHidden }) => !isHidden && !isNamed(name))
  if (missing)
    return new Error(`scopes() does not name ${missing.name}. Add a condition for it, or ${missing.name}: 'public'.`)
  const unknown = Object.keys(all).find((name) => !Object.hasOwn(models, name))
  if (unknown === undefined) return null
  const meant = nearest(unknown, Object.keys(models))
  return new Error(
    `scopes() names ${unknown}, which is no model. ${meant ? `Did you mean ${meant}?` : 'Leave it out.'}`,
  )
}

/**
 * What a scope says of rows.
 * @throws {Error} that begins with the scope, for what Prisma would drop in silence, or read wrongly behind a relation.
 */
export function scopeCondition(where: Where | undefined, model: ModelMeta, models: Resources['models']): Condition {
  try {
    if (where === undefined) throw new UndefinedValue('the condition is undefined.')
    const condition = parseCondition(where, model, models)
    refuse(condition)
    return condition
  } catch (error) {
    const cure = error instanceof UndefinedValue ? ' Refuse the request, or hide all rows: { OR: [] }.' : ''
    throw new Error(`scope('${model.name}'): ${(error as Error).message}${cure}`, { cause: error })
  }
}

/** The same once for all scopes that say the same: what is made for one condition is found again by it. */
const knownScope = (where: Where, text: string, model: ModelMeta, models: Resources['models']): Condition =>
  knownScopes(models).get(`${model.name} ${text}`, () => scopeCondition(copied(where) as Where, model, models))

const knownScopes = memo((_: Resources['models']): BoundedCache<Condition> => boundedCache(500, 262_144))

const refuse = (condition: Condition): void => visit(condition, refuseSearch, null)

// A client may put `not` before a relation. Of a search or an order inside of Json, Prisma then shows rows it should
// not.
const refuseSearch: Visitor<void, null> = {
  all: ({ conditions }) => conditions.forEach(refuse),
  any: ({ conditions }) => conditions.forEach(refuse),
  not: ({ condition }) => refuse(condition),
  related: ({ condition }) => refuse(condition),
  json({ column, operator }) {
    if (operator === 'equals' || operator === 'not') return
    throw new Error(`${column.name}: ${operator} inside of Json hides too little. Use equals, or a column.`)
  },
  compare() {},
  absent() {},
  constant() {},
}

/**
 * A request's context with all of its server, for what answers it: pages, documents about the server, errors.
 *
 * @internal
 */
export interface ServerContext extends RequestContext {
  readonly server: CompiledServer
  readonly served: Served
}

/** What the context of a request is made of. */
export interface ContextParts {
  readonly request: Pick<IncomingRequest, 'server' | 'user' | 'job' | 'at'>
  readonly method: string
  /** The parsed document; undefined where none was sent. */
  readonly body: unknown
  /** What it asks the database by. */
  readonly store: Store
  readonly preparation: Preparation
  readonly negotiated: Extensions
  readonly precondition: Precondition | null
  readonly observer: Observer | null
  readonly limits: Limits
  /** As the context has it. */
  readonly place: ServerContext['place']
  /** Null where the answer is a document. */
  readonly taker: RowTaker | null
  /** As the context has it. */
  readonly namesTargets: boolean
}

/** Runs the serving phase, and makes the context that the actions are given. */
export async function requestContext(parts: ContextParts): Promise<ServerContext> {
  const { request, method, body, store: given, preparation, negotiated, precondition, observer, limits } = parts
  const { server, user, job, at } = request
  const store = observer ? observedStore(given, observer) : given
  const abilityOf = abilitiesFor(server, user, store.reader)
  const visible = visibleTrash({ server, user, abilityOf })
  const trash = isPromise(visible) ? await visible : visible
  const viewable = viewableRows({ server, abilityOf })
  const serving = serve(hookRequest({ user, method, at, server }), server, { trash, viewable, seesAll: job !== null })
  const served = isPromise(serving) ? await serving : serving
  observer?.served?.({ user, scopes: served.scopes })
  const rows = new Rows(store.reader, served, listableRows({ server, abilityOf }))
  return Object.freeze({
    user,
    method,
    at,
    server,
    rows,
    store: requestStore(store, rows),
    preparation,
    spent: new Spent(limits.cost),
    negotiatedExtensions: negotiated,
    served,
    body,
    limits,
    abilityOf,
    seen: seenFields({ server, abilityOf }),
    allowedRows: allowedRows({ server, user, abilityOf }),
    precondition,
    observer,
    place: parts.place,
    taker: parts.taker,
    namesTargets: parts.namesTargets,
  })
}
