import { type BetterAuthenticator, betterAuth as signInBy } from '@prismapi/auth'
import { betterAuth } from 'better-auth'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import { bearer } from 'better-auth/plugins'
import { type AuthUser, userColumns } from './auth.ts'
import type { Database } from './database.ts'

export interface BetterAuthParts {
  readonly clients: Database
  readonly baseUrl: string
  readonly secret: string
}

/** Signs in by Better Auth: by its cookie, and by `Authorization: Bearer`. Its own requests are below /api/auth. */
export function signInByBetterAuth({ clients, baseUrl, secret }: BetterAuthParts): BetterAuthenticator<AuthUser> {
  const auth = betterAuth({
    baseURL: baseUrl,
    secret,
    database: prismaAdapter(clients.writer, { provider: 'sqlite' }),
    emailAndPassword: { enabled: true },
    plugins: [bearer()],
    // Ids are those of the Prisma schema.
    advanced: { database: { generateId: 'serial' } },
    telemetry: { enabled: false },
  })
  return signInBy(auth, {
    user: ({ user }) => clients.reader.user.findUnique({ where: { id: Number(user.id) }, select: userColumns }),
  })
}
