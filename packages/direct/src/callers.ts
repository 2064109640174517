import type { CompiledServer } from '@prismapi/core/server/compile'
import { forbidden, methodNotAllowed, routeNotFound } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { User } from '@prismapi/jsonapi/model/register'
import type { Parameter } from '@prismapi/jsonapi/request/hook-context'
import { compileLimits } from '@prismapi/jsonapi/request/limits'
import {
  type Address,
  findOperation,
  findRouteAt,
  type Operation,
  type Precondition,
  versionIn,
  writesRelationship,
} from '@prismapi/jsonapi/request/operation'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { type Actor, urlOf } from './direct-call.ts'
import { type Answered, type DirectApi, Performer } from './perform.ts'
import { linkageSent, resourceSent } from './sent-document.ts'
import { inputSent, parametersSent, type QuerySent } from './sent-query.ts'
import { idText } from './sent-values.ts'
import type { ShownRow } from './shown-rows.ts'
import type { Caller, CallerOptions, Listing, Operations } from './types.ts'

/** Who acts: a user, null for a guest, or a job by its name. */
export type Acting = { readonly user: User | null } | { readonly job: string }

/** A caller of a server, from inside of the process. */
export function callerOf(api: DirectApi, acting: Acting, { limits }: Pick<CallerOptions, 'limits'>): Caller {
  const isJob = 'job' in acting
  if (isJob && acting.job === '')
    throw new Error("api.asSystem('', …): give the job a name: the trail tells by it who has changed a row.")
  const { server } = api
  const actor: Actor = Object.freeze({
    server: isJob ? withoutPolicies(server) : server,
    user: isJob ? null : acting.user,
    job: isJob ? acting.job : null,
  })
  const own = limits ? compileLimits(server.name, { ...server.limits, ...limits }) : server.limits
  const performer = new Performer(api, actor, own)
  const caller: UntypedCaller = {
    ...untypedOperations(server, performer),
    transaction: (work) =>
      performer.transaction((within) => work(untypedOperations(server, within) as unknown as Operations)),
  }
  return Object.freeze(caller) as unknown as Caller
}

// What is known of a server, such as the sizes of its columns, is found once for each.
const withoutPolicies = memo(
  (server: CompiledServer): CompiledServer => Object.freeze({ ...server, authorizable: false }),
)

interface SentOptions extends QuerySent {
  readonly idempotencyKey?: string
  readonly ifMatch?: string | object
}

type Fields = Readonly<Record<string, unknown>>

/** `Operations` for whom types mean nothing. */
interface UntypedOperations {
  readonly list: (model: string, query?: QuerySent) => Listing<ShownRow>
  readonly find: (model: string, id: unknown, query?: QuerySent) => Promise<unknown>
  readonly create: (model: string, fields: Fields, options?: SentOptions) => Promise<unknown>
  readonly update: (model: string, id: unknown, fields: Fields, options?: SentOptions) => Promise<unknown>
  readonly delete: (model: string, id: unknown, options?: SentOptions) => Promise<void>
  readonly link: Linking
  readonly unlink: Linking
  readonly act: (model: string, id: unknown, action: string, input?: Fields, options?: SentOptions) => Promise<unknown>
}

type Linking = (model: string, id: unknown, relation: string, ids: unknown, options?: SentOptions) => Promise<void>

interface UntypedCaller extends UntypedOperations {
  readonly transaction: <T>(work: (within: Operations) => Promise<T>) => Promise<T>
}

function untypedOperations(server: CompiledServer, performer: Performer): UntypedOperations {
  const { schemas } = server
  const about = (schema: ResourceSchema, query: QuerySent) => parametersSent(schemas, schema, query)
  const operations: UntypedOperations = {
    list(model, query = {}) {
      const schema = schemaOf(schemas, model)
      const operation = operationAt(server, { pattern: '/:type', params: { type: schema.type } }, 'GET')
      return new ListedWhenAwaited(performer, { operation, method: 'GET', parameters: about(schema, query) })
    },
    async find(model, id, query = {}) {
      const schema = schemaOf(schemas, model)
      const operation = ofResource(server, schema, id, 'GET')
      return oneRow(await performer.perform({ operation, method: 'GET', parameters: about(schema, query) }))
    },
    async create(model, fields, options = {}) {
      const schema = schemaOf(schemas, model)
      const operation = operationAt(server, { pattern: '/:type', params: { type: schema.type } }, 'POST')
      const body = resourceSent(schemas, schema, { id: null, fields })
      const parameters = about(schema, options)
      return oneRow(
        await performer.perform({ operation, method: 'POST', parameters, body, key: options.idempotencyKey }),
      )
    },
    async update(model, id, fields, options = {}) {
      const schema = schemaOf(schemas, model)
      const operation = ofResource(server, schema, id, 'PATCH')
      const body = resourceSent(schemas, schema, { id: idText(id), fields })
      const parameters = about(schema, options)
      const precondition = preconditionOf(options)
      return oneRow(await performer.perform({ operation, method: 'PATCH', parameters, body, precondition }))
    },
    async delete(model, id, options = {}) {
      const operation = ofResource(server, schemaOf(schemas, model), id, 'DELETE')
      await performer.perform({ operation, method: 'DELETE', parameters: [], precondition: preconditionOf(options) })
    },
    link: linking(server, performer, 'POST'),
    unlink: linking(server, performer, 'DELETE'),
    async act(model, id, action, input = {}, options = {}) {
      const schema = schemaOf(schemas, model)
      const { type } = schema
      const method = schema.actions.get(action)?.method ?? 'POST'
      const address: Address =
        id === null
          ? { pattern: '/:type/-actions/:action', params: { type, action } }
          : { pattern: '/:type/:id/-actions/:action', params: { type, id: idText(id), action } }
      const operation = operationAt(server, address, method)
      const answers = schemaOf(schemas, schema.actions.get(action)?.answers ?? model)
      const shown = about(answers, options)
      const sent =
        method === 'GET'
          ? { parameters: [...shown, ...inputSent(input)] }
          : { parameters: shown, body: { meta: input } }
      const key = method === 'POST' ? options.idempotencyKey : undefined
      const precondition = preconditionOf(options)
      const { rows, meta } = await performer.perform({ operation, method, ...sent, precondition, key })
      return Object.freeze({ data: rows, meta })
    },
  }
  return Object.freeze(operations)
}

const linking =
  (server: CompiledServer, performer: Performer, method: 'POST' | 'DELETE'): Linking =>
  async (model, id, name, ids, options = {}) => {
    const schema = schemaOf(server.schemas, model)
    const params = { type: schema.type, id: idText(id), relation: name }
    const operation = operationAt(server, { pattern: '/:type/:id/relationships/:relation', params }, method)
    const relation = schema.relations.get(name)
    const body = { data: relation ? linkageSent(server.schemas, relation, [ids].flat()) : [] }
    const key = method === 'POST' ? options.idempotencyKey : undefined
    await performer.perform({ operation, method, parameters: [], body, precondition: preconditionOf(options), key })
  }

const ofResource = (server: CompiledServer, { type }: ResourceSchema, id: unknown, method: string): Operation =>
  operationAt(server, { pattern: '/:type/:id', params: { type, id: idText(id) } }, method)

/**
 * What is asked for, where the server has it.
 *
 * @throws {JsonApiError} 404, 405, and 403 for a relationship that cannot be changed, as for a request.
 */
function operationAt(server: CompiledServer, address: Address, method: string): Operation {
  const route = findRouteAt(server.schemas, address)
  if (!route) throw routeNotFound(Object.values(address.params).join('/'))
  const operation = findOperation(route, method)
  if (operation) return operation
  const relation = writesRelationship(route, method)
  if (relation) throw forbidden(say`The relationship ${relation.name} cannot be changed here.`)
  const { pathname } = new URL(urlOf(server, { ...route.about, kind: 'view' } as Operation))
  throw methodNotAllowed(method, pathname, Object.keys(route.kinds))
}

/** The versions of rows that were answered one by one, for `ifMatch`. */
const versions = new WeakMap<object, string>()

function oneRow({ rows = null, version }: Answered): unknown {
  if (rows !== null && version !== null) versions.set(rows, version)
  return rows
}

function preconditionOf({ ifMatch }: SentOptions): Precondition | null {
  if (ifMatch === undefined) return null
  const version = typeof ifMatch === 'string' ? ifMatch : versions.get(ifMatch)
  if (version === undefined)
    throw new Error(
      'ifMatch: the version of this row is not known. Pass one that find(), create() or update() has answered.',
    )
  return { match: version === '*' ? 'any' : [versionIn(version)], noneMatch: null, pointer: null }
}

interface AskedForMany {
  readonly operation: Operation
  readonly method: 'GET'
  readonly parameters: readonly Parameter[]
}

class ListedWhenAwaited implements Listing<ShownRow> {
  readonly #performer: Performer
  readonly #asked: AskedForMany
  #page: ReturnType<typeof readPage> | null = null

  constructor(performer: Performer, asked: AskedForMany) {
    this.#performer = performer
    this.#asked = asked
  }

  // biome-ignore lint/suspicious/noThenProperty: it is asked for when it is awaited
  readonly then: Listing<ShownRow>['then'] = (onPage, onError) => {
    this.#page ??= readPage(this.#performer, this.#asked)
    return this.#page.then(onPage, onError)
  };

  [Symbol.asyncIterator](): AsyncIterator<ShownRow> {
    return this.#performer.everyRow(this.#asked)
  }
}

async function readPage(performer: Performer, asked: AskedForMany) {
  const { rows, meta, next } = await performer.perform(asked)
  // One resource or none, for a filter that answers so.
  const list = rows === null || rows === undefined ? [] : [rows].flat()
  return Object.freeze(Object.assign(list as ShownRow[], { meta, next })) as never
}
