import cluster from 'node:cluster'
import type { Context, Middleware } from 'koa'
import compose from 'koa-compose'
import { checkPolicies, checkRulesOf } from '../auth/check-policies.ts'
import type { AnyPolicy } from '../auth/policy.ts'
import { checkViewEverywhere } from '../auth/viewable.ts'
import { prismaStores, type StoresParts } from '../database/stores.ts'
import { routeNotFound } from '../document/errors.ts'
import type { Api } from '../http/api.ts'
import { type ApiBeingMade, apiBeingMade } from '../http/api-being-made.ts'
import { jsonapi } from '../http/jsonapi.ts'
import { type Responder, responder } from '../http/own-routes.ts'
import { errorBoundary } from '../http/response/error-boundary.ts'
import { loggedError } from '../http/response/logged-error.ts'
import { makeBatching } from '../http/throttling/batching.ts'
import { limitRate, type RateLimit } from '../http/throttling/rate-limit.ts'
import { makeSlowReaders } from '../http/throttling/slow-readers.ts'
import { tracing } from '../http/tracing/telemetry.ts'
import type { Services } from '../model/register.ts'
import { cursorSeal } from '../pagination/cursor-seal.ts'
import type { Fallback } from '../request/telemetry.ts'
import { type CompiledServer, compileServer } from '../server/compile.ts'
import type { Environment } from '../server/server-parts.ts'
import { checkServing } from '../server/serving.ts'
import type { ApiOptions } from './api-options.ts'
import { reportFallbacks } from './fallbacks.ts'
import type { ServeParts } from './feature.ts'
import { warnAtStart } from './warn-at-start.ts'

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

/** Makes the API of an application from its parts, with the features that it names and no other. */
export function createApiOf(options: ApiOptions): PrismApi {
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
  const { authenticate, plugin: costLimit } = limitOf(options)
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
  const policies: ReadonlyMap<string, AnyPolicy> = new Map(
    [...options.policies].map(([model, PolicyOfModel]) => [model, new PolicyOfModel(services)]),
  )
  const made: ApiBeingMade = { policies, plugins: new Map() }
  apiBeingMade.publish(made)
  const environment: Environment = {
    resources,
    services,
    policies,
    baseUrl,
    production,
    logger,
    sampleUsers: options.sampleUsers,
    cursorSeal: cursorSeal(cursorSecret),
    isRateLimited: options.rateLimit !== undefined,
    features: features.flatMap(({ compiled }) => compiled ?? []),
  }
  const servers = options.servers.map((parts) => compileServer(parts, environment))
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
  // A policy is for all servers, so a method may name a relation that only one of them has.
  const denied = checkPolicies(
    policies,
    ...servers.filter((server) => server.authorizable).map((server) => server.schemas),
  )
  for (const server of servers) if (server.authorizable) checkRulesOf(server, options.sampleUsers ?? {})
  // Each worker of a cluster has the same to say: the first one says it.
  if ((cluster.worker?.id ?? 1) === 1) warnAtStart({ servers, denied, logger, sealsForGood: cursorSecret !== null })
  const batching = makeBatching()
  const slowReaders = makeSlowReaders({
    silenceMilliseconds: 10_000,
    bytesPerSecond: 51_200,
    mostBytes: 4 * Math.max(0, ...servers.map(({ limits }) => limits.documentBytes)),
  })
  const openStores: ServeParts['openStores'] = ({ onFallback, ...own }) => {
    const tell = (fallback: Fallback) => {
      storesParts.onFallback(fallback)
      onFallback?.(fallback)
    }
    return open({ ...storesParts, ...own, onFallback: tell })
  }
  const serving = features.flatMap(({ serve }) => serve?.({ options, production, servers, stores, openStores }) ?? [])
  const languageOf = features.map((feature) => feature.languageOf?.(options)).find((found) => found != null) ?? null
  const apiOf = (server: CompiledServer): Api => {
    const store = stores[server.reads]
    const plugins = [
      telemetry && tracing(telemetry),
      ...made.plugins.values(),
      costLimit,
      ...serving.map((pluginOf) => pluginOf(server)),
    ]
    return {
      server,
      store,
      authenticate,
      batching,
      slowReaders,
      replicas: replicaStores?.[server.reads] ?? null,
      languageOf,
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
      const boundary = errorBoundary({ logger, production, version: () => '1.0', languageOf })
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
