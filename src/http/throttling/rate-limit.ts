import { createRequire } from 'node:module'
import type { Context } from 'koa'
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { JsonApiError } from '../../document/error.ts'
import { tooManyRequests } from '../../document/errors.ts'
import type { User } from '../../model/register.ts'
import type { Authenticate } from '../api.ts'
import { addressKey } from './address-key.ts'

/** How many requests a caller may make: a user by `keyOf`, a guest by their address. Beyond it, 429 with `Retry-After`. */
export interface RateLimitOptions {
  /** Requests in one window. */
  readonly points: number
  /** The length of a window, in seconds. */
  readonly duration: number
  /**
   * A client of ioredis or node-redis, to count in Redis, for all processes together. Left out, each process counts in its
   * memory. While Redis does not answer within half a second, each process counts alone.
   */
  readonly redis?: object
  /** What a user is counted by; by default their `id`. */
  readonly keyOf?: (user: User) => string
}

const redisMilliseconds = 500

/**
 * Who is asking, and counted for it: users as such, guests by their address, and so are credentials that are refused.
 *
 * @throws {JsonApiError} 429 with `Retry-After`; every answer has `RateLimit` and `RateLimit-Policy`
 *   (draft-ietf-httpapi-ratelimit-headers-10)
 */
export function limitRate(authenticate: Authenticate, options: RateLimitOptions): Authenticate {
  const { points, duration, keyOf = idOf } = options
  checkOptions(options)
  const limiter = makeLimiter(options)
  const policy = `"default";q=${points};w=${duration}`

  const count: Count = async (ctx, key) => {
    const { left, seconds, isRefused } = await consume(limiter, key)
    ctx.set('RateLimit-Policy', policy)
    ctx.set('RateLimit', `"default";r=${left};t=${seconds}`)
    if (isRefused) throw tooManyRequests(seconds)
  }

  return async (ctx) => {
    const user = await authenticateOr(authenticate, ctx, () => count(ctx, `address ${addressKey(ctx.ip)}`))
    await count(ctx, user === null ? `address ${addressKey(ctx.ip)}` : `user ${keyOf(user as User)}`)
    return user
  }
}

type Count = (ctx: Context, key: string) => Promise<void>

async function authenticateOr(
  authenticate: Authenticate,
  ctx: Context,
  onRefused: () => Promise<void>,
): Promise<unknown> {
  try {
    return (await authenticate(ctx)) ?? null
  } catch (error) {
    if (error instanceof JsonApiError && error.status === 401) await onRefused()
    throw error
  }
}

/** Takes one request off what is left, and says how much that is, and for how long. */
async function consume(limiter: RateLimiterAbstract, key: string) {
  const used = (result: RateLimiterRes, isRefused: boolean) => ({
    left: result.remainingPoints,
    seconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
    isRefused,
  })
  try {
    return used(await limiter.consume(key), false)
  } catch (thrown) {
    // It rejects with the result where nothing is left.
    if (thrown instanceof Error) throw thrown
    return used(thrown as RateLimiterRes, true)
  }
}

function makeLimiter({ points, duration, redis }: RateLimitOptions): RateLimiterAbstract {
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
  const { id } = user as { readonly id?: unknown }
  if (typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint') return String(id)
  throw new Error('createApi({ rateLimit }): what authenticate() returns has no id. Pass keyOf: (user) => string.')
}

function checkOptions({ points, duration }: RateLimitOptions): void {
  for (const [name, value] of Object.entries({ points, duration })) {
    if (!Number.isInteger(value) || value < 1)
      throw new Error(`createApi({ rateLimit: { ${name} } }): pass a whole number from 1 on, not ${String(value)}.`)
  }
}
