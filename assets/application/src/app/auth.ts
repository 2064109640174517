import { errors, jwtVerify, SignJWT } from 'jose'
import type { Context } from 'koa'
import { unauthorized } from 'prismapi'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'

/** Who is signed in: what policies and the serving phase get as `user`. */
export interface AuthUser {
  readonly id: number
  readonly name: string
}

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

/** Reads `Authorization: Bearer <token>`: nobody is a guest, and a wrong token is refused. */
export function authenticator(prisma: PrismaClient, secret: string): (ctx: Context) => Promise<AuthUser | null> {
  const key = keyOf(secret)
  return async (ctx) => {
    if (ctx.get('Authorization') === '') return null
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? []
    const id = await userId(token, key)
    const user = await prisma.user.findFirst({ where: { id }, select: { id: true, name: true } })
    if (!user) throw unauthorized('Bearer')
    return user
  }
}

async function userId(token: string, key: Uint8Array): Promise<number> {
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], requiredClaims: ['sub', 'exp'] })
    return Number(payload.sub)
  } catch (error) {
    if (error instanceof errors.JOSEError) throw unauthorized('Bearer')
    throw error
  }
}
