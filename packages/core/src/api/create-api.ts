import cluster from 'node:cluster'
import { routeNotFound } from '@prismapi/jsonapi/document/errors'
import type { BasePathParams, Services } from '@prismapi/jsonapi/model/register'
import { cursorSeal } from '@prismapi/jsonapi/pagination/cursor-seal'
import type { Fallback, Telemetry } from '@prismapi/jsonapi/request/telemetry'
import type { Context, Middleware } from 'koa'
import compose from 'koa-compose'
import { checkPolicies, checkRulesOf } from '../auth/check-policies.ts'
import { makePolicies, policyName } from '../auth/policy.ts'
import { emptyThrough, shownThoughDenied } from '../auth/policy-warnings.ts'
import { checkViewEverywhere } from '../auth/viewable.ts'
import { prismaStores, type StoresParts } from '../database/stores.ts'
import { type Api, type ApiBeingMade, type Authenticate, apiBeingMade } from '../http/api.ts'
import { jsonapi } from '../http/jsonapi.ts'
import { type Responder, responder } from '../http/own-routes.ts'
import { errorBoundary } from '../http/response/error-boundary.ts'
import { signInOf } from '../http/sign-in.ts'
import { DearRequests, makeBatching, makeSlowReaders } from '../http/throttling.ts'
import { inOrder } from '../server/base-path.ts'
import { type CompiledServer, compileServer, serverWith } from '../server/compile.ts'
import { unscopedElsewhere } from '../server/differing-scopes.ts'
import { type Logger, loggedError } from '../server/logger.ts'
import { OpenTransactions } from '../server/open-transactions.ts'
import type { Environment } from '../server/server-parts.ts'
import { checkServing } from '../server/serving.ts'
import type { CoreOptions } from './api-options.ts'
import type { ServeParts } from './feature.ts'

/** The servers of an application, ready to be mounted. */
export interface CoreApi {
  /**
   * The servers as they were compiled, for tools.
   *
   * @internal
   */
  readonly servers: readonly CompiledServer[]
  /**
   * A server and what its requests share, for features that answer callers in another way than by HTTP.
   *
   * @param params the values of the parameters that the server's base path has
   * @throws {Error} when there is no such server, and for a parameter without a value.
   * @internal
   */
  serverNamed(name: string, params?: BasePathParams): Api
  /** Koa middleware that answers below the servers' base paths, and passes everything else on. */
  middleware(): Middleware
  /** Koa middleware for the end: what nothing else answered is a JSON:API 404. */
  notFound(): Middleware
  /**
   * Answers a Koa route of the application's own as the server of that name would. Mount the route before
   * `middleware()`, or outside of the servers' base paths.
   *
   * @param params the values of the parameters that the server's base path has
   * @throws {Error} when there is no such server, and for a parameter without a value.
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
  respond(ctx: Context, server: string, params?: BasePathParams): Responder
}

/** Makes the API of an application from its parts, with the features that it names and no other. */
export function createApiOf(options: CoreOptions): CoreApi {
  const {
    resources,
    logger,
    baseUrl,
    production = true,
    cursorSecret = null,
    telemetry = null,
    features = [],
  } = options
  const services: Services = options.services ?? Object.freeze({})
  if (resources.provider === 'sqlite' && !('writer' in options.clients)) {
    throw new Error(
      'SQLite has one connection for each client, so one client would lose writes that run beside a transaction. Pass the clients of sqliteClients() from "prismapi/sqlite".',
    )
  }
  if (!URL.canParse(baseUrl) || !/^https?:\/\/[^?#]+$/i.test(baseUrl))
    throw new Error(
      `createApi({ baseUrl }): "${baseUrl}" is no http or https URL without a query. Write one such as https://api.example.org.`,
    )
  if (cursorSecret === '') throw new Error('createApi({ cursorSecret }): pass a long random text, or leave it out.')
  const policies = makePolicies(options.policies, services)
  const environment: Environment = {
    resources,
    services,
    policies,
    baseUrl,
    production,
    logger,
    sampleUsers: options.sampleUsers,
    cursorSeal: cursorSeal(cursorSecret),
    features: features.flatMap(({ compiled }) => compiled ?? []),
  }
  const servers = options.servers.map((parts) => compileServer(parts, environment))
  const made: ApiBeingMade = { policies: namedPolicies(servers), plugins: new Map() }
  apiBeingMade.publish(made)
  const storesParts: StoresParts = {
    clients: options.clients,
    resources,
    onLateFailure: (err) => logger.error({ err: loggedError(err) }, 'Work after a commit failed'),
    transactions: options.transactions,
    telemetry,
    characters: mostCharacters(servers),
    onFallback: reportFallbacks(logger, telemetry),
    onUnsized: (err) => logger.warn({ err: loggedError(err) }, 'The database does not say how large its tables are'),
  }
  const open = features.findLast(({ openStores }) => openStores)?.openStores ?? prismaStores
  const stores = open(storesParts)
  const openReplicas = features.findLast((feature) => feature.openReplicas)?.openReplicas
  const replicaStores = openReplicas?.(storesParts, stores) ?? null
  servers.forEach(checkServing)
  servers.forEach(checkViewEverywhere)
  // A policy may be for several servers, so a method may name a relation that only one of them has.
  const denied = checkPolicies(...servers.filter((server) => server.authorizable))
  for (const server of servers) if (server.authorizable) checkRulesOf(server, options.sampleUsers ?? {})
  // Each worker of a cluster has the same to say: the first one says it.
  if ((cluster.worker?.id ?? 1) === 1)
    warnAtStart({
      ...{ servers, denied, logger, sealsForGood: cursorSecret !== null },
      differing: unscopedElsewhere(servers, [null, ...Object.values(options.sampleUsers ?? {})]),
    })
  const transactions = new OpenTransactions()
  const batching = makeBatching()
  const slowReaders = makeSlowReaders({
    silenceMilliseconds: 10_000,
    bytesPerSecond: 51_200,
    mostBytes: 4 * Math.max(0, ...servers.map(({ limits }) => limits.documentBytes)),
  })
  const dearRequests = new DearRequests({ atOnce: 4, atOnceOfClient: 2, waiting: 64, waitingOfClient: 32 })
  const openStores: ServeParts['openStores'] = ({ onFallback, ...own }) => {
    const tell = (fallback: Fallback) => {
      storesParts.onFallback(fallback)
      onFallback?.(fallback)
    }
    return open({ ...storesParts, ...own, onFallback: tell })
  }
  const serveParts: ServeParts = { options, production, servers, stores, openStores }
  const serving = features.flatMap(({ serve }) => serve?.(serveParts) ?? [])
  const before = features.flatMap(({ middleware }) => middleware?.(serveParts) ?? [])
  const languageOf = features.map((feature) => feature.languageOf?.(options)).find((found) => found != null) ?? null
  // Without one, every client is a guest.
  const authenticateOn = (server: CompiledServer): Authenticate =>
    features.reduceRight<Authenticate>(
      (next, feature) => feature.authenticate?.(next, server) ?? next,
      server.authenticate ?? options.authenticate ?? (() => null),
    )
  const apiOf = (server: CompiledServer): Api => {
    const store = stores[server.reads]
    const plugins = [...made.plugins.values(), ...serving.map((pluginOf) => pluginOf(server))]
    return {
      server,
      store,
      authenticate: authenticateOn(server),
      signIn: signInOf(server.authenticate ?? options.authenticate),
      batching,
      dearRequests,
      slowReaders,
      replicas: replicaStores?.[server.reads] ?? null,
      languageOf,
      plugins: plugins.filter((plugin) => plugin !== null),
      transactions,
    }
  }
  const apis = servers.map(apiOf)
  const ordered = inOrder(servers).map((server) => apis[servers.indexOf(server)] as Api)
  const serverNamed = (name: string, params?: BasePathParams): Api => {
    const api = apis.find(({ server }) => server.name === name)
    if (api) return { ...api, server: serverWith(api.server, params) }
    throw new Error(`There is no server ${name}. There are: ${servers.map((each) => each.name).join(', ')}.`)
  }
  return {
    servers,
    serverNamed,
    middleware: () => compose([...before, ...ordered.map(jsonapi)]),
    respond: (ctx, name, params) => responder(serverNamed(name, params), ctx),
    notFound: () => {
      const boundary = errorBoundary({ logger, production, version: () => '1.0', languageOf })
      const refuse: Middleware = (ctx) => {
        throw routeNotFound(ctx.path)
      }
      const answers = features.flatMap(({ unanswered }) => unanswered?.({ servers, languageOf }) ?? [])
      return compose([boundary, ...answers, refuse])
    },
  }
}

/** Each policy once, by how tools call it. */
function namedPolicies(servers: readonly CompiledServer[]): ApiBeingMade['policies'] {
  const named = servers.flatMap(({ policies }) =>
    [...policies].map(([model, each]) => [policyName(model, each), each] as const),
  )
  return [...new Map(named.map((pair) => [pair[1], pair])).values()]
}

/**
 * How many characters one statement may load: twice as many as the largest document may have, because a row may come
 * once for each of several parents.
 */
const mostCharacters = (servers: readonly CompiledServer[]): number =>
  2 * Math.max(0, ...servers.map(({ limits }) => limits.documentBytes))

/** Counts and logs each read and write that goes the slow way. */
const reportFallbacks =
  (logger: Logger, telemetry: Telemetry | null) =>
  (fallback: Fallback): void => {
    telemetry?.fellBack?.(fallback)
    const { kind, model, reason } = fallback
    if (kind === 'read') logger.debug({ model, part: reason }, 'Read by Prisma, because SQL does not know a part of it')
    else if (kind === 'transaction')
      logger.debug({ model, part: reason }, 'Written by Prisma, because SQL does not know a part of it')
    else logger.debug({ model, reason }, 'Written in a transaction, because one statement would not do')
  }

interface StartReport {
  readonly servers: readonly CompiledServer[]
  /** The types of which policies allow nothing to any user. */
  readonly denied: readonly string[]
  /** Which models have scopes on some servers alone. */
  readonly differing: readonly string[]
  readonly logger: Logger
  /** Do cursors outlive the process. */
  readonly sealsForGood: boolean
}

/** Says what an application may not have meant, and what it runs without. */
function warnAtStart({ servers, denied, differing, logger, sealsForGood }: StartReport): void {
  if (denied.length > 0)
    logger.warn({ types: denied }, `Denied to everybody, for want of a policy: ${denied.join(', ')}`)
  for (const server of servers) {
    for (const surprise of [shownThoughDenied(server), emptyThrough(server)])
      if (surprise !== null) logger.warn({ server: server.name }, surprise)
  }
  for (const line of differing) logger.warn({}, line)
  if (!sealsForGood) warnOfCursors(servers, logger)
}

/** Warns of cursors that end with the process: a restart loses them, and a second process does not know them. */
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
