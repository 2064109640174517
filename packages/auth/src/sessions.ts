import type { SignIn } from '@prismapi/core/http/sign-in'
import { addressKey } from '@prismapi/core/http/throttling'
import { tooManyRequests, unauthorized } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { User } from '@prismapi/jsonapi/model/register'
import { isStorable } from '@prismapi/jsonapi/query/filter-values'
import { isSecret } from '@prismapi/jsonapi/schema/secrets'
import type { Context } from 'koa'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { hasAuthorization, readCookie, refuseOtherSites, setCookie } from './cookies.ts'
import type { Authenticator } from './credentials.ts'
import { isPassword } from './password.ts'
import { newSecret, storedTokens, type TokenClients } from './stored-tokens.ts'

/** Where the sessions of an application are, and how they begin. */
export interface SessionOptions {
  readonly resources: Resources
  /** Prisma clients: sessions are read by the reader, and written by the writer. */
  readonly clients: TokenClients
  /** That of `createApi`: if it is an https URL, cookies are `Secure`. */
  readonly baseUrl: string
  /** The columns of a user that policies get: `{ id: true, role: true }`. */
  readonly select: Readonly<Record<string, true>>
  /** The model of the sessions; by default `Session`. */
  readonly model?: string
  /** The relation of that model to the user; by default `user`. */
  readonly user?: string
  /** How long a session lasts; by default 14 days. */
  readonly lifetimeSeconds?: number
  /** The columns of a user for the sign-in by a password, with hashes of `hashPassword`. Left out, there is none. */
  readonly password?: { readonly login: string; readonly hash: string }
}

/** What was typed to sign in. */
export interface TypedPassword {
  readonly login: string
  readonly password: string
}

/** Signs in by a cookie, and begins and ends sessions. */
export interface Sessions extends Authenticator<User> {
  /** Begins a session of a user, who was checked in whatever way, and ends the one that the browser had. */
  start(ctx: Context, userKey: unknown): Promise<void>
  /**
   * Begins a session by a password: five attempts in a quarter of an hour for an address, or an IPv6 network, and a
   * login, and a hundred that fail for an address.
   *
   * @throws {JsonApiError} 401 for a wrong login or password, which it does not tell apart; 403 for a form of another
   * site; 429 after too many attempts.
   */
  signIn(ctx: Context, typed: TypedPassword): Promise<void>
  /**
   * Ends the session of the request: in this browser, or all of its user.
   *
   * @throws {JsonApiError} 403 for a form of another site.
   */
  signOut(ctx: Context, options?: { readonly everywhere?: boolean }): Promise<void>
  /** Ends all sessions of a user: after a new password, or where somebody has to go. */
  endAll(userKey: unknown): Promise<void>
  /** The column of users that sessions refer to, as a rule their id. */
  readonly userKey: string
  /** How pages sign in by it. */
  readonly signInMeans: SignIn
}

const cookie = 'session'
const twoWeeks = 14 * 86_400
const hour = 3_600_000
const longestLogin = 320

/**
 * Signs in by sessions of the application's own, in a cookie: `HttpOnly; SameSite=Lax`, and `Secure` over https. The
 * database has a digest of each. Each sign-in makes a new one, so nobody can know it before. A write by the cookie has
 * to come from a page of the same origin, or of one that CORS allows.
 *
 * @throws {JsonApiError} 403 for a write that another site has a browser send.
 * @throws {Error} at startup, for a model that lacks what it needs, or that is not hidden.
 * @example
 * declare const resources: Resources // of prisma/generated/resources.ts
 * declare const clients: { reader: object; writer: object }
 *
 * const authenticate = sessions({
 *   ...{ resources, clients, baseUrl: 'https://api.example.org' },
 *   select: { id: true, name: true, role: true },
 *   password: { login: 'email', hash: 'passwordHash' },
 * })
 */
export function sessions(options: SessionOptions): Sessions {
  const { model = 'Session', user = 'user', select, lifetimeSeconds = twoWeeks, password } = options
  const stored = storedTokens(options, { model, user, select }, { unchanged: ['expiresAt'], by: 'sessions' })
  if (password) checkPasswords(stored.users, password)
  const isSecure = options.baseUrl.startsWith('https:')
  const attempts = new RateLimiterMemory({ points: 5, duration: 900 })
  // One password may be tried on everybody, and each attempt costs a hash.
  const attemptsOfAddress = new RateLimiterMemory({ points: 100, duration: 900 })
  let cleanedAt = 0

  const tokenOf = (ctx: Context) => (hasAuthorization(ctx) ? null : readCookie(ctx, cookie, isSecure))
  const authenticate = async (ctx: Context): Promise<User | null> => {
    const token = tokenOf(ctx)
    if (token === null) return null
    const found = await stored.find(token)
    // One that is over is that of a guest: browsers go on sending it.
    if (found === null) return null
    refuseOtherSites(ctx)
    return found.user as unknown as User
  }

  async function start(ctx: Context, userKey: unknown): Promise<void> {
    await endOwn(ctx)
    const secret = newSecret()
    await stored.add(userKey, secret, { expiresAt: new Date(Date.now() + lifetimeSeconds * 1000) })
    setCookie(ctx, cookie, { isSecure, value: secret, seconds: lifetimeSeconds })
    if (Date.now() - cleanedAt < hour) return
    cleanedAt = Date.now()
    stored.rows.deleteMany({ where: { expiresAt: { lt: new Date() } } }).catch(() => {})
  }

  async function endOwn(ctx: Context): Promise<void> {
    const token = readCookie(ctx, cookie, isSecure)
    if (token !== null) await stored.remove(token)
  }

  async function signIn(ctx: Context, { login, password: typed }: TypedPassword): Promise<void> {
    refuseOtherSites(ctx)
    // It is kept for a quarter of an hour, and a client chooses how long it is.
    const address = addressKey(ctx.ip)
    const attempt = `${address} ${login.toLowerCase().slice(0, longestLogin)}`
    await count(attemptsOfAddress, address)
    await count(attempts, attempt)
    const owner = password && isStorable(login) ? await stored.owner(password.login, login, [password.hash]) : null
    const hash = password && owner?.[password.hash]
    if (!(await isPassword(typed, typeof hash === 'string' ? hash : null)) || owner === null)
      throw unauthorized('Session', say`The login or the password is wrong.`)
    await attempts.delete(attempt)
    await attemptsOfAddress.reward(address)
    await start(ctx, owner[stored.ownerKey])
  }

  async function signOut(ctx: Context, { everywhere = false }: { readonly everywhere?: boolean } = {}): Promise<void> {
    refuseOtherSites(ctx)
    const token = readCookie(ctx, cookie, isSecure)
    const found = everywhere && token !== null ? await stored.find(token) : null
    if (found) await endAll(found.token[stored.ownerColumn])
    await endOwn(ctx)
    setCookie(ctx, cookie, { isSecure, value: null, seconds: 0 })
  }

  async function endAll(userKey: unknown): Promise<void> {
    await stored.rows.deleteMany({ where: { [stored.ownerColumn]: userKey } })
  }

  const signInMeans: SignIn = {
    ...(password && { password: signIn }),
    async signOut(ctx, { everywhere }) {
      await signOut(ctx, { everywhere })
      return null
    },
  }
  return Object.assign(authenticate, { start, signIn, signOut, endAll, signInMeans, userKey: stored.ownerKey })
}

/** @throws {JsonApiError} 429 */
async function count(attempts: RateLimiterMemory, key: string): Promise<void> {
  await attempts.consume(key).catch(({ msBeforeNext }: { msBeforeNext: number }) => {
    throw tooManyRequests(Math.ceil(msBeforeNext / 1000))
  })
}

function checkPasswords(users: ModelMeta, { login, hash }: NonNullable<SessionOptions['password']>): void {
  const unknown = [login, hash].find((name) => !users.columns[name])
  if (unknown !== undefined) throw new Error(`sessions({ password }): ${users.name} has no column ${unknown}.`)
  if (!users.uniques.some(([name, ...others]) => name === login && others.length === 0))
    throw new Error(
      `sessions({ password }): several users may have the same ${login}. Write @unique behind the ${login} in the model ${users.name}.`,
    )
  const column = users.columns[hash] as ModelMeta['columns'][string]
  if (!column.hidden && !column.writeOnly && !isSecret(users.name, column))
    throw new Error(
      `sessions({ password }): clients could read ${hash} of ${users.name}. Write /// @hidden above the column.`,
    )
}
