import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Context } from 'koa'
import { bearerToken, keepTokens, unauthorized, type VerifiedToken } from 'prismapi'
import type { PrismaClient, User } from '../../prisma/generated/client/client.ts'
import { scopes } from './features.ts'

/** Who is signed in. */
export type AuthUser = Readonly<Pick<User, 'id' | 'name' | 'email' | 'role'>>

declare module 'prismapi' {
  interface Register {
    user: AuthUser
    /** What schema classes add to the Prisma schema, by whichever server. */
    fields: {
      Post: { readonly body: string; readonly excerpt: string }
      User: { readonly password: string; readonly passwordConfirmation: string }
      Comment: { readonly commentable: { readonly type: string; readonly id: string } }
    }
  }
}

const bytes = (secret: string) => new TextEncoder().encode(secret)

/** A bearer token for a user; with a scope, for what the scope allows. */
export const signToken = (
  userId: number,
  secret: string,
  { expiresIn = '30d', scope }: { readonly expiresIn?: string; readonly scope?: string } = {},
): Promise<string> =>
  new SignJWT(scope === undefined ? {} : { scope })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(userId))
    .setExpirationTime(expiresIn)
    .sign(bytes(secret))

/** Reads `Authorization: Bearer <JWT>`: no header is a guest, anything that is not a valid token of an existing user is refused. */
export function authenticator(prisma: PrismaClient, secret: string): (ctx: Context) => Promise<AuthUser | null> {
  const key = bytes(secret)
  const claims = keepTokens((token) => verify(token, key))
  return async (ctx) => {
    const token = bearerToken(ctx)
    if (token === null) return null
    const found = await claims(token)
    const user =
      found === null
        ? null
        : await prisma.user.findFirst({
            where: { id: found.id },
            select: { id: true, name: true, email: true, role: true },
          })
    if (!user) throw unauthorized('Bearer')
    return found?.scope === undefined ? user : scopes.limit(user, found.scope.split(' '))
  }
}

interface Claims {
  readonly id: number
  /** What the token is for; left out, all that its user may do. */
  readonly scope?: string
}

async function verify(token: string, key: Uint8Array): Promise<VerifiedToken<Claims> | null> {
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], requiredClaims: ['sub', 'exp'] })
    return readToken(payload)
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

// JSON may have a number where the standard has a text, and 1e400, which is no instant.
function readToken({ sub, exp = Number.NaN, scope }: JWTPayload): VerifiedToken<Claims> | null {
  if (typeof sub !== 'string' || !/^[1-9]\d{0,9}$/.test(sub) || !Number.isFinite(exp)) return null
  if (scope !== undefined && typeof scope !== 'string') return null
  return Number(sub) < 2 ** 31 ? { said: { id: Number(sub), ...(scope !== undefined && { scope }) }, exp } : null
}
