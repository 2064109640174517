import { createRequire } from 'node:module'
import type { Feature } from '@prismapi/core/api/feature'
import type { Authenticate } from '@prismapi/core/http/api'
import { countedName } from '@prismapi/core/http/authentication'
import type { Plugin } from '@prismapi/core/http/plugin'
import { refusalIn } from '@prismapi/core/http/response/error-boundary'
import { addressKey } from '@prismapi/core/http/throttling'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { tooManyRequests } from '@prismapi/jsonapi/document/errors'
import type { User } from '@prismapi/jsonapi/model/register'
import { FeatureKey, userId } from '@prismapi/jsonapi/request/features'
import { noTracing, type Observer } from '@prismapi/jsonapi/request/observer'
import type { Context } from 'koa'
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { describedLimits } from './described-limits.ts'

/** How much a caller may ask for: a user by `keyOf`, a guest by their address. Beyond it, 429 with `Retry-After`. */
export type RateLimitOptions = RequestLimit | CostLimit

/** So many requests. */
export interface RequestLimit extends RateLimitParts {
  /** Requests in one window. */
  readonly points: number
  /** The length of a window, in seconds. */
  readonly duration: number
  /** Left out. */
  readonly by?: undefined
}

/**
 * A number of points, which are those of `limits.cost`: a request takes one point when it comes, and the rest of its
 * price before it reads or writes. A stream takes points for its reads as long as it lasts.
 */
export interface CostLimit extends RateLimitParts {
  /** Points in one window. */
  readonly points: number
  /** The length of a window, in seconds. */
  readonly per: number
  /** What is counted. */
  readonly by: 'cost'
}

/** What both ways to count have in common. */
export interface RateLimitParts {
  /**
   * A client of ioredis or node-redis, to count in Redis for all processes together. Left out, each process counts in
   * its memory. If Redis does not reply within half a second, each process counts alone.
   */
  readonly redis?: object
  /** What a user is counted by; by default their `id`. */
  readonly keyOf?: (user: User) => string
}

const redisMilliseconds = 500

/**
 * Counts the requests or points of each caller: of a user, and of the address of a guest or of refused credentials.
 * Beyond the limit, the client gets 429 with `Retry-After`. Every response has `RateLimit` and `RateLimit-Policy`
 * (draft-ietf-httpapi-ratelimit-headers-10).
 */
export function limitRate(options: RateLimitOptions): Feature {
  const { points, keyOf = idOf } = options
  const duration = secondsOf(options)
  checkOptions(options)
  const limiter = makeLimiter(options)
  const policy = `"default";q=${points};w=${duration}`
  const guestKey = (ctx: Context): string => `address ${addressKey(ctx.ip)}`
  const callerKey = (ctx: Context, server: CompiledServer, user: unknown): string =>
    user == null ? guestKey(ctx) : countedName(server, keyOf(user as User))

  async function count(ctx: Context, key: string, cost = 1): Promise<void> {
    const { left, seconds, isRefused } = await consume(limiter, key, cost)
    ctx.set('RateLimit-Policy', policy)
    ctx.set('RateLimit', `"default";r=${left};t=${seconds}`)
    if (isRefused) throw tooManyRequests(seconds)
  }

  const costs: Plugin = {
    located: (next) => (call) => {
      const { koa, api } = call
      // The first point was taken when it came.
      let taken = 1
      const counting: Observer = {
        ...noTracing,
        priced({ points }) {
          const cost = points - taken
          taken = Math.max(0, -cost)
          return cost > 0 ? count(koa, callerKey(koa, api.server, call.user), cost) : undefined
        },
      }
      call.observe(counting)
      return next(call)
    },
  }
  return {
    compiled: { key: new FeatureKey('rate limit'), compile: () => options, openapi: () => describedLimits },
    authenticate: (next, server) => async (ctx) => {
      const user = await authenticateOr(next, ctx, () => count(ctx, guestKey(ctx)))
      await count(ctx, callerKey(ctx, server, user))
      return user
    },
    serve: () => () => (options.by === 'cost' ? costs : null),
  }
}

const secondsOf = (options: RateLimitOptions): number => (options.by === 'cost' ? options.per : options.duration)

async function authenticateOr(
  authenticate: Authenticate,
  ctx: Context,
  onRefused: () => Promise<void>,
): Promise<unknown> {
  try {
    return (await authenticate(ctx)) ?? null
  } catch (error) {
    if (refusalIn(error)) await onRefused()
    throw error
  }
}

/** Takes points off what is left, and says how much that is, and for how long. */
async function consume(limiter: RateLimiterAbstract, key: string, cost: number) {
  const used = (result: RateLimiterRes, isRefused: boolean) => ({
    left: result.remainingPoints,
    seconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
    isRefused,
  })
  try {
    return used(await limiter.consume(key, cost), false)
  } catch (thrown) {
    // It rejects with the result where nothing is left.
    if (thrown instanceof Error) throw thrown
    return used(thrown as RateLimiterRes, true)
  }
}

function makeLimiter(options: RateLimitOptions): RateLimiterAbstract {
  const { points, redis } = options
  const duration = secondsOf(options)
  // Loaded where it is wanted: it has a limiter for each of twenty databases, and is 10 MB in memory.
  const library: typeof import('rate-limiter-flexible') = createRequire(import.meta.url)('rate-limiter-flexible')
  const { RateLimiterMemory, RateLimiterRedis, RLWrapperTimeouts } = library
  const memory = new RateLimiterMemory({ points, duration })
  if (redis === undefined) return memory
  const shared = new RateLimiterRedis({
    points,
    duration,
    storeClient: redis,
    keyPrefix: 'rate-limit',
    // Who has nothing left is refused without asking again.
    inMemoryBlockOnConsumed: points,
    rejectIfRedisNotReady: true,
    insuranceLimiter: memory,
  })
  return new RLWrapperTimeouts({ limiter: shared, timeoutMs: redisMilliseconds })
}

function idOf(user: User): string {
  const id = userId(user)
  if (id !== null) return id
  throw new Error('createApi({ rateLimit }): what authenticate() returns has no id. Pass keyOf: (user) => string.')
}

function checkOptions(options: RateLimitOptions): void {
  const { points } = options
  const window = options.by === 'cost' ? { per: options.per } : { duration: options.duration }
  for (const [name, value] of Object.entries({ points, ...window })) {
    if (!Number.isInteger(value) || value < 1)
      throw new Error(`createApi({ rateLimit: { ${name} } }): pass a whole number from 1 on, not ${String(value)}.`)
  }
}
