import { type Authenticator, firstOf, oidc, sessions } from '@prismapi/auth'
import { resources } from '../../prisma/generated/resources.ts'
import { type AuthUser, userColumns } from './auth.ts'
import type { Database } from './database.ts'

export interface SignInParts {
  readonly clients: Database
  readonly baseUrl: string
  readonly byToken: Authenticator<AuthUser>
}

/** Who is asking: by a token or a sign-in of the provider of `.env`, or by a token of `npm run token`. */
export function signIn({ clients, baseUrl, byToken }: SignInParts): Authenticator<AuthUser> {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET } = process.env
  // Without a provider the application starts, and knows the tokens of `npm run token`.
  if (!issuer || !audience || !clientId) return byToken
  const bySession = sessions({ resources, clients, baseUrl, select: userColumns })
  const byProvider = oidc<AuthUser>({
    issuer,
    audience,
    async user({ sub = '', name, email, email_verified: isVerified }) {
      const known = await clients.reader.user.findUnique({ where: { sub }, select: userColumns })
      if (known) return known
      // Whom the provider knows gets an account at the first sign-in.
      if (typeof email !== 'string' || isVerified !== true) return null
      const data = { sub, email, name: typeof name === 'string' ? name : email }
      return clients.writer.user.create({ data, select: userColumns })
    },
    signIn: {
      clientId,
      ...(OIDC_CLIENT_SECRET && { clientSecret: OIDC_CLIENT_SECRET }),
      sessions: bySession,
      scope: 'openid profile email',
    },
  })
  return firstOf<AuthUser>(byToken, byProvider, bySession)
}
