import type { Context } from 'koa'

/** What `corsOptions` makes: options of `@koa/cors`. */
export interface CorsOptions {
  /** The name of the allowed origin, or of none: never one that is not listed. */
  readonly origin: (ctx: Context) => string
  /** Methods that pages may use. */
  readonly allowMethods: string[]
  /** Request headers that pages may send. */
  readonly allowHeaders: string[]
  /** Response headers that pages may read. */
  readonly exposeHeaders: string[]
  /** Seconds for which browsers need not ask again. */
  readonly maxAge: number
}

/**
 * Options for `@koa/cors` that fit a JSON:API server: pages of these origins, and of no others, may use its methods,
 * send its request headers and read its response headers. `*` is any origin. Credentials of the browser (cookies) are
 * not part of it; a bearer token needs none.
 *
 * @throws {Error} at boot, for what is no origin: `https://app.example.org`, without a path
 *
 * @example
 * import cors from '@koa/cors'
 * import Koa from 'koa'
 *
 * const app = new Koa().use(cors(corsOptions(['https://app.example.org'])))
 */
export function corsOptions(origins: readonly string[]): CorsOptions {
  for (const origin of origins) checkOrigin(origin)
  const allowed = new Set(origins)
  return {
    origin: allowed.has('*') ? () => '*' : (ctx) => known(allowed, ctx.get('Origin')),
    allowMethods: ['GET', 'HEAD', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE'],
    // Accept, too: the quotes of `ext="…"` are more than browsers send without being allowed to.
    allowHeaders: [
      'Accept',
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'Idempotency-Token',
      'If-Match',
      'If-None-Match',
      'Last-Event-ID',
      'Prefer',
      'Prismapi-Position',
      'X-Request-Id',
      'traceparent',
      'tracestate',
    ],
    exposeHeaders: [...exposedHeaders],
    maxAge: 3600,
  }
}

/** What scripts may read beyond the headers that every script may. */
const exposedHeaders = [
  'Accept-Query',
  'Allow',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Idempotency-Token',
  'Link',
  'Location',
  'Prismapi-Position',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Server-Timing',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
]

const known = (allowed: ReadonlySet<string>, origin: string): string => (allowed.has(origin) ? origin : '')

function checkOrigin(origin: string): void {
  if (origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin)) return
  throw new Error(`corsOptions: "${origin}" is no origin. Write it as browsers do: https://app.example.org`)
}
