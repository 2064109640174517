import { errors, jwtVerify, SignJWT } from 'jose'
import type { Context } from 'koa'
import { bearerToken, keepTokens, unauthorized, type VerifiedToken } from 'prismapi'
import type { PrismaClient, User } from '../../prisma/generated/client/client.ts'

/** Who is signed in: the columns of a user that policies and the serving phase may use. */
export type AuthUser = Pick<User, 'id' | 'name'>

/** The same columns, as every sign-in reads them. */
export const userColumns = { id: true, name: true } as const satisfies Record<keyof AuthUser, true>

declare module 'prismapi' {
  interface Register {
    user: AuthUser
  }
}

const keyOf = (secret: string) => new TextEncoder().encode(secret)

/** A bearer token for a user, good for 30 days. */
export const signToken = (userId: number, secret: string): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(`${userId}`)
    .setExpirationTime('30d')
    .sign(keyOf(secret))

/** Reads `Authorization: Bearer <token>`: who sends none is a guest, and a wrong token is refused. */
export function authenticator(prisma: PrismaClient, secret: string): (ctx: Context) => Promise<AuthUser | null> {
  const key = keyOf(secret)
  const userId = keepTokens((token) => verify(token, key))
  return async (ctx) => {
    const token = bearerToken(ctx)
    if (token === null) return null
    const id = await userId(token)
    const user = id === null ? null : await prisma.user.findFirst({ where: { id }, select: userColumns })
    if (!user) throw unauthorized('Bearer')
    return user
  }
}

async function verify(token: string, key: Uint8Array): Promise<VerifiedToken<number> | null> {
  try {
    const options = { algorithms: ['HS256'], requiredClaims: ['sub', 'exp'] }
    const { sub, exp = Number.NaN } = (await jwtVerify(token, key, options)).payload
    // JSON may have a number where the standard has a text, and 1e400, which is no instant.
    return typeof sub === 'string' && /^\d{1,9}$/.test(sub) && Number.isFinite(exp) ? { said: Number(sub), exp } : null
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
