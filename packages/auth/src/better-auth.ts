import type { SignIn } from '@prismapi/core/http/sign-in'
import { tooManyRequests, unauthorized } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { Context, Middleware } from 'koa'
import { hasAuthorization, refuseOtherSites } from './cookies.ts'
import { type Authenticator, refused } from './credentials.ts'

/** As much of what `betterAuth` of better-auth makes as is used. */
export interface BetterAuth<Found> {
  readonly handler: (request: Request) => Promise<Response>
  /**
   * Of which `baseURL`, `basePath` and `advanced.ipAddress` are read. Without the last, Better Auth counts attempts by
   * the address that Koa gives a request (`app.proxy`), not by what clients write into `X-Forwarded-For`.
   */
  readonly options: object
  readonly api: { readonly getSession: (options: { readonly headers: Headers }) => Promise<Found | null> }
}

/** Whom a session of Better Auth is of. */
export interface BetterAuthOptions<Session, Found> {
  /** Finds the user of a session, as a rule by `session.user.id`; null where there is none. Called for each request. */
  readonly user: (session: Session) => Awaitable<Found | null>
}

/** Signs in by Better Auth, and passes its own requests on to it. */
export interface BetterAuthenticator<Found> extends Authenticator<Found> {
  /** Koa middleware that answers below `basePath` of Better Auth, `/api/auth`. It stands before the API. */
  middleware(): Middleware
  readonly signInMeans: SignIn
}

const defaultPath = '/api/auth'

/**
 * Signs in by the sessions of [Better Auth](https://better-auth.com): by its cookie, and by a bearer token with its
 * plug-in `bearer`. A write by the cookie has to come from a page of the same origin, or of one that CORS allows.
 *
 * @throws {JsonApiError} 401 for a bearer token without a session, 403 for a write that a browser sends for another
 * site.
 * @example
 * declare const auth: BetterAuth<{ user: { id: string } }> // of better-auth
 * declare const findUser: (id: string) => Promise<User | null>
 *
 * const authenticate = betterAuth(auth, { user: ({ user }) => findUser(user.id) })
 */
export function betterAuth<Session, Found>(
  auth: BetterAuth<Session>,
  { user }: BetterAuthOptions<Session, Found>,
): BetterAuthenticator<Found> {
  const { basePath: path = defaultPath, baseURL, advanced } = auth.options as OwnOptions
  const headersOf = (ctx: Context) => headersFor(ctx, advanced?.ipAddress === undefined)
  const authenticate = async (ctx: Context): Promise<Found | null> => {
    const isByHeader = hasAuthorization(ctx)
    if (isByHeader && !/^bearer /i.test(ctx.get('Authorization'))) return null
    if (!isByHeader && ctx.get('Cookie') === '') return null
    const headers = headersOf(ctx)
    // A header is what the client means: then its cookie says nothing.
    if (isByHeader) headers.delete('cookie')
    const session = await auth.api.getSession({ headers })
    const found = session === null ? null : ((await user(session)) ?? null)
    if (isByHeader && found === null) throw refused()
    if (!isByHeader && found !== null) refuseOtherSites(ctx)
    return found
  }
  /** Asks Better Auth as a page of its own would, and hands its cookies on. */
  const ask = async (ctx: Context, action: string, body: object): Promise<number> => {
    const headers = headersOf(ctx)
    for (const name of ['content-length', 'transfer-encoding', 'content-encoding']) headers.delete(name)
    headers.set('content-type', 'application/json')
    // Where the form came from was looked at before, by whoever calls this.
    const { origin } = new URL(baseURL ?? ctx.origin)
    headers.set('origin', origin)
    const request = new Request(new URL(path + action, origin), {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    })
    const response = await auth.handler(request)
    for (const cookie of response.headers.getSetCookie()) ctx.append('Set-Cookie', cookie)
    return response.status
  }
  const signInMeans: SignIn = {
    async password(ctx, { login, password }) {
      const status = await ask(ctx, '/sign-in/email', { email: login, password })
      if (status === 429) throw tooManyRequests(10)
      if (status >= 500) throw new Error(`Better Auth responds to a sign-in with status ${status}.`)
      if (status >= 400) throw unauthorized('Session', say`The login or the password is wrong.`)
    },
    async signOut(ctx, { everywhere }) {
      if (everywhere) await ask(ctx, '/revoke-sessions', {})
      await ask(ctx, '/sign-out', {})
      return null
    },
  }
  return Object.assign(authenticate, { middleware: () => passOn(auth, path, headersOf), signInMeans })
}

interface OwnOptions {
  readonly basePath?: string
  readonly baseURL?: string
  readonly advanced?: { readonly ipAddress?: object }
}

function passOn(
  { handler }: Pick<BetterAuth<unknown>, 'handler'>,
  path: string,
  headersOf: (ctx: Context) => Headers,
): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== path && !ctx.path.startsWith(`${path}/`)) return next()
    const hasBody = ctx.method !== 'GET' && ctx.method !== 'HEAD'
    const response = await handler(
      new Request(new URL(ctx.originalUrl, ctx.origin), {
        method: ctx.method,
        headers: headersOf(ctx),
        ...(hasBody && { body: await readBody(ctx) }),
      }),
    )
    ctx.status = response.status
    for (const [name, value] of response.headers) if (name !== 'set-cookie') ctx.set(name, value)
    for (const cookie of response.headers.getSetCookie()) ctx.append('Set-Cookie', cookie)
    ctx.body = Buffer.from(await response.arrayBuffer())
  }
}

const mostBytes = 64 * 1024

async function readBody({ req, throw: refuse }: Context): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of req) {
    length += chunk.length
    if (length > mostBytes) return refuse(413)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** As the client sent them, each once. Everybody can write any address into `X-Forwarded-For`. */
function headersFor({ req, ip }: Context, isByAddress: boolean): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers))
    if (!name.startsWith(':') && value !== undefined) headers.set(name, [value].flat().join(', '))
  if (isByAddress) headers.set('x-forwarded-for', ip)
  return headers
}
