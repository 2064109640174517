import cluster from 'node:cluster'
import type { Context, Middleware } from 'koa'
import compose from 'koa-compose'
import { checkPolicies, checkRulesOf } from '../auth/check-policies.ts'
import type { AnyPolicy, PolicyClass } from '../auth/policy.ts'
import { shownThoughDenied } from '../auth/shown-though-denied.ts'
import { checkViewEverywhere } from '../auth/viewable.ts'
import { policyCoverage } from '../coverage/policy-coverage.ts'
import type { TransactionLimits } from '../database/prisma/prisma-store.ts'
import { openReplicaStores } from '../database/replicas/replica-stores.ts'
import type { Clients } from '../database/store.ts'
import { openStores, type StoresParts } from '../database/stores.ts'
import { deprecation } from '../deprecation/deprecation.ts'
import { routeNotFound } from '../document/errors.ts'
import { explain } from '../explain/explain.ts'
import { explainedClients } from '../explain/explained-clients.ts'
import type { Api, Authenticate } from '../http/api.ts'
import { jsonapi } from '../http/jsonapi.ts'
import { type Responder, responder } from '../http/own-routes.ts'
import type { Plugin } from '../http/plugin.ts'
import { errorBoundary } from '../http/response/error-boundary.ts'
import { loggedError } from '../http/response/logged-error.ts'
import { makeBatching } from '../http/throttling/batching.ts'
import { limitRate, type RateLimit, type RateLimitOptions } from '../http/throttling/rate-limit.ts'
import { toldCost } from '../http/tracing/cost.ts'
import { serverTiming } from '../http/tracing/server-timing.ts'
import { tracing } from '../http/tracing/telemetry.ts'
import { idempotency } from '../idempotency/idempotency.ts'
import type { Resources } from '../model/meta.ts'
import type { Register, Services, User } from '../model/register.ts'
import { cursorSeal } from '../pagination/cursor-seal.ts'
import type { Telemetry } from '../request/telemetry.ts'
import {
  type CompiledServer,
  compileServer,
  type Environment,
  type Logger,
  type ServerParts,
} from '../server/compile.ts'
import { checkServing } from '../server/serving.ts'

/**
 * The services of the application: they have to be handed in where `Register` names them.
 *
 * @internal
 */
type ServicesOption = Register extends { services: infer S }
  ? {
      /** What hooks, actions, policies, request, schema and server classes get of the application, as `services` and as `this.services`. */
      readonly services: S
    }
  : {
      /** What hooks, actions, policies, request, schema and server classes get of the application; `Register` types it. */
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

/** What an application hands in. */
export interface ApiOptions extends ServicesOption {
  /** What `prisma generate` wrote: `resources` of `prisma/generated/resources.ts`. */
  readonly resources: Resources
  /** A Prisma client; on SQLite the two of `sqliteClients`. */
  readonly clients: Clients
  /** The servers with their schemas, authorizers and requests, as `discover` finds them. */
  readonly servers: readonly ServerParts[]
  /** Policy classes by model. */
  readonly policies: ReadonlyMap<string, PolicyClass>
  /**
   * A user of each role that `Register` names. Boot checks the rules of request classes and policies for each of them, where
   * these look at the user; without it, for a guest alone.
   */
  readonly sampleUsers?: SampleUsersOf<User>
  /** Who is asking; left out, everybody is a guest. */
  readonly authenticate?: Authenticate
  /** The public origin that links begin with, `https://api.example.org`. */
  readonly baseUrl: string
  /**
   * What the cursors of `CursorProfilePagination` are sealed with: the same in every process that serves the API, kept across
   * restarts, and secret. Left out, a key of this process, so that cursors do not outlive it.
   */
  readonly cursorSecret?: string
  /** How long the transactions of writes may wait and take; by default ten seconds each, then 503. */
  readonly transactions?: TransactionLimits
  /** How many requests a caller may make; left out, any number. */
  readonly rateLimit?: RateLimitOptions
  /** `openTelemetry()` of `prismapi/telemetry`, for spans and metrics; left out, nothing is measured. */
  readonly telemetry?: Telemetry
  /** Where the framework says what it did, and what failed. */
  readonly logger: Logger
  /**
   * True unless it is said to be otherwise: errors say nothing about the inside, and no client gets `Server-Timing` by
   * `Prefer: server-timing`, or an explanation by `Prefer: explain`.
   */
  readonly production?: boolean
}

/** The servers of an application, ready to be mounted. */
export interface PrismApi {
  /**
   * The servers as they were compiled, for tools.
   *
   * @internal
   */
  readonly servers: readonly CompiledServer[]
  /** Koa middleware that answers below the servers' base paths, and passes everything else on. */
  middleware(): Middleware
  /** Koa middleware for the end: what nothing else answered is a JSON:API 404. */
  notFound(): Middleware
  /**
   * Answers a Koa route of the application's own, mounted before `middleware()` or outside of the servers' base paths, as
   * the server of that name would.
   *
   * @throws {Error} when there is no such server.
   * @example
   * import Router from '@koa/router'
   *
   * declare const api: PrismApi
   * declare const newest: () => Promise<RowOf<'Post'>[]>
   *
   * const router = new Router().get('/newest', async (ctx) => {
   *   await api.respond(ctx, 'v1').data('Post', await newest())
   * })
   */
  respond(ctx: Context, server: string): Responder
}

/**
 * Makes the API of an application from its parts.
 *
 * @throws {Error} at boot, for whatever is wrong with them; it names the file or field and the cure.
 * @see https://jsonapi.org/format/
 * @example
 * import Koa from 'koa'
 * import pino from 'pino'
 *
 * declare const resources: Resources // of prisma/generated/resources.ts
 * declare const clients: Clients // a Prisma client, or those of prismapi/sqlite and prismapi/postgres
 *
 * const discovered = await discover({ root: import.meta.dirname, resources })
 * const api = createApi({ resources, clients, ...discovered, baseUrl: 'http://127.0.0.1:3000', logger: pino() })
 * new Koa().use(api.middleware()).listen(3000, '127.0.0.1')
 */
export function createApi(options: ApiOptions): PrismApi {
  const { resources, logger, baseUrl, production = true, cursorSecret = null, telemetry = null } = options
  const services: Services = options.services ?? Object.freeze({})
  const { authenticate, plugin: costLimit } = limitOf(options)
  if (resources.provider === 'sqlite' && !('writer' in options.clients)) {
    throw new Error(
      'SQLite has one connection for each client, so one client would lose writes that run beside a transaction. Pass the clients of sqliteClients() from "prismapi/sqlite".',
    )
  }
  if (cursorSecret === '') throw new Error('createApi({ cursorSecret }): pass a long random text, or leave it out.')
  const policies: ReadonlyMap<string, AnyPolicy> = new Map(
    [...options.policies].map(([model, PolicyOfModel]) => [model, new PolicyOfModel(services)]),
  )
  const environment: Environment = {
    ...{ resources, services, policies, baseUrl, production, logger, sampleUsers: options.sampleUsers },
    cursorSeal: cursorSeal(cursorSecret),
    isRateLimited: options.rateLimit !== undefined,
  }
  const servers = options.servers.map((parts) => compileServer(parts, environment))
  const storesParts: StoresParts = {
    clients: options.clients,
    resources,
    onLateFailure: (err) => logger.error({ err: loggedError(err) }, 'Work after a commit failed'),
    transactions: options.transactions,
    telemetry,
    characters: mostCharacters(servers),
    onUnknown: (model, part) => logger.debug({ model, part }, 'Read by Prisma, because SQL does not know a part of it'),
  }
  const stores = openStores(storesParts)
  const replicaStores = openReplicaStores(storesParts, stores)
  servers.forEach(checkServing)
  servers.forEach(checkViewEverywhere)
  // A policy is for all servers, so a method may name a relation that only one of them has.
  const denied = checkPolicies(
    policies,
    ...servers.filter((server) => server.authorizable).map((server) => server.schemas),
  )
  for (const server of servers) if (server.authorizable) checkRulesOf(server, options.sampleUsers ?? {})
  // Each worker of a cluster has the same to say: the first one says it.
  if ((cluster.worker?.id ?? 1) === 1) {
    if (denied.length > 0)
      logger.warn({ types: denied }, `Denied to everybody, for want of a policy: ${denied.join(', ')}`)
    for (const server of servers) {
      const shown = shownThoughDenied(server)
      if (shown !== null) logger.warn({ server: server.name }, shown)
    }
    if (cursorSecret === null) warnOfCursors(servers, logger)
  }
  const batching = makeBatching()
  const explaining = (server: CompiledServer): Plugin =>
    explain((runStatement) => {
      const clients = explainedClients(options.clients, runStatement)
      return openStores({ ...storesParts, clients })[server.reads]
    })
  // Runs of tests set it, whose applications need not know of it.
  const covered = process.env.POLICY_COVERAGE ?? ''
  const apiOf = (server: CompiledServer): Api => {
    const store = stores[server.reads]
    const plugins = [
      telemetry && tracing(telemetry),
      covered === '' ? null : policyCoverage(covered),
      production ? null : explaining(server),
      production ? null : serverTiming,
      production ? null : toldCost,
      costLimit,
      deprecation(server),
      idempotency(server, store, options.authenticate === undefined),
    ]
    return {
      ...{ server, store, authenticate, batching },
      replicas: replicaStores?.[server.reads] ?? null,
      plugins: plugins.filter((plugin) => plugin !== null),
    }
  }
  const apis = servers.map(apiOf)
  return {
    servers,
    middleware: () => compose(apis.map(jsonapi)),
    respond(ctx, name) {
      const api = apis.find(({ server }) => server.name === name)
      if (!api)
        throw new Error(`There is no server ${name}. There are: ${servers.map((each) => each.name).join(', ')}.`)
      return responder(api, ctx)
    },
    notFound: () => {
      const boundary = errorBoundary({ logger, production, version: () => '1.0' })
      return (ctx) =>
        boundary(ctx, () => {
          throw routeNotFound(ctx.path)
        })
    },
  }
}

/**
 * What one statement may bring into memory: twice what the largest document may hold, because a row may come once for each of
 * several parents.
 */
const mostCharacters = (servers: readonly CompiledServer[]): number =>
  2 * Math.max(0, ...servers.map(({ limits }) => limits.documentBytes))

/** Every client is a guest, where the application does not say who is asking. */
const limitOf = ({ authenticate = () => null, rateLimit }: ApiOptions): RateLimit =>
  rateLimit ? limitRate(authenticate, rateLimit) : { authenticate, plugin: null }

/** Cursors that stop working with the process are a surprise: to clients at a restart, and to all of them beside a second one. */
function warnOfCursors(servers: readonly CompiledServer[], logger: Logger): void {
  for (const { name, schemas } of servers) {
    const types = [...schemas.byType.values()]
      .filter(({ paginator }) => paginator?.sealsCursors)
      .map(({ type }) => type)
    if (types.length === 0) continue
    logger.warn(
      { server: name, types },
      `Cursors of ${types.join(', ')} are sealed with a key of this process alone. Pass createApi({ cursorSecret }) for them to outlive it.`,
    )
  }
}
