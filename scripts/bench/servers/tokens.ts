import { type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'

// Who is asking, by a token: the server by hand verifies it each time, and both read its user each time.

/** Do requests come with tokens? */
export const hasTokens = process.argv.includes('tokens')

const key = new TextEncoder().encode('a secret of the benchmark, long enough')

/** A token of the user who asks. */
export const signToken = (): Promise<string> =>
  new SignJWT().setProtectedHeader({ alg: 'HS256' }).setSubject('7').setExpirationTime('1d').sign(key)

export const verify = async (token: string): Promise<JWTPayload> =>
  (await jwtVerify(token, key, { algorithms: ['HS256'], requiredClaims: ['sub', 'exp'] })).payload

export const findUser = (prisma: PrismaClient, id: number) =>
  prisma.user.findUniqueOrThrow({ where: { id }, select: { id: true, name: true, email: true, role: true } })
