import { createHash, randomBytes } from 'node:crypto'
import type { Context } from 'koa'
import { bearerToken, unauthorized } from 'prismapi'
import type { Member, PrismaClient } from '../../prisma/generated/client/client.ts'

declare module 'prismapi' {
  interface Register {
    /** A member of one studio. */
    user: Readonly<Pick<Member, 'id' | 'studioId' | 'role'>>
    services: { readonly files: string; readonly filesSecret: string; readonly paymentsSecret: string }
    fields: { Recording: { readonly upload: string; readonly url: string } }
  }
}

/** What is kept of a key. It is random, so that a fast hash is enough. */
export const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')

export const newKey = (): string => randomBytes(24).toString('base64url')

/** Reads `Authorization: Bearer <key>`. */
export const authenticator = (prisma: PrismaClient) => async (ctx: Context) => {
  const key = bearerToken(ctx)
  if (key === null) return null
  const select = { id: true, studioId: true, role: true }
  const member = await prisma.member.findUnique({ where: { keyHash: hashOf(key) }, select })
  if (!member) throw unauthorized('Bearer')
  return member
}
