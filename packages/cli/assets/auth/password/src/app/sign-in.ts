import { type Authenticator, firstOf, sessions } from '@prismapi/auth'
import { resources } from '../../prisma/generated/resources.ts'
import { type AuthUser, userColumns } from './auth.ts'
import type { Database } from './database.ts'

export interface SignInParts {
  readonly clients: Database
  readonly baseUrl: string
  readonly byToken: Authenticator<AuthUser>
}

/** Who is asking: by a session, which the pages begin with a password, or by a token of `npm run token`. */
export function signIn({ clients, baseUrl, byToken }: SignInParts): Authenticator<AuthUser> {
  const bySession = sessions({
    resources,
    clients,
    baseUrl,
    select: userColumns,
    password: { login: 'email', hash: 'passwordHash' },
  })
  return firstOf<AuthUser>(byToken, bySession)
}
