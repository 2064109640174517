import { type ApiKeys, type Authenticator, apiKeys, firstOf } from '@prismapi/auth'
import { resources } from '../../prisma/generated/resources.ts'
import { type AuthUser, userColumns } from './auth.ts'
import type { Database } from './database.ts'
import { scopes } from './features.ts'

export interface SignInParts {
  readonly clients: Database
  readonly byToken: Authenticator<AuthUser>
}

/** Makes, finds and revokes API keys: `npm run key -- ann@example.com write`. */
export const keysOf = (clients: Database): ApiKeys => apiKeys({ resources, clients, scopes, select: userColumns })

/** Who is asking: by an API key, or by a token of `npm run token`. */
export const signIn = ({ clients, byToken }: SignInParts): Authenticator<AuthUser> =>
  firstOf<AuthUser>(keysOf(clients), byToken)
