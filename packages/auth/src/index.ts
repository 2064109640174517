export { type ApiKeyInput, type ApiKeyOptions, type ApiKeys, apiKeys, type NewApiKey } from './api-keys.ts'
export {
  type BetterAuth,
  type BetterAuthenticator,
  type BetterAuthOptions,
  betterAuth,
} from './better-auth.ts'
export type { CodeFlowOptions } from './code-flow.ts'
export type { Authenticator } from './credentials.ts'
export { firstOf } from './first-of.ts'
export { type OidcOptions, oidc } from './oidc.ts'
export { type OnBehalfOfOptions, onBehalfOf, signedInAs } from './on-behalf-of.ts'
export { hashPassword, isPassword } from './password.ts'
export { type ProtectedResourceOptions, protectedResource } from './protected-resource.ts'
export type { Claims } from './provider/claims.ts'
export type { Introspection } from './provider/introspection.ts'
export { type SessionOptions, type Sessions, sessions, type TypedPassword } from './sessions.ts'
export type { TokenClients } from './stored-tokens.ts'
export { type ScopeActions, type TokenScopes, type TokenScopesOptions, tokenScopes } from './token-scopes.ts'
