import { mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ApiKeys, Sessions, TokenScopes } from '@prismapi/auth'
import { apiKeys, firstOf, hashPassword, oidc, sessions, tokenScopes } from '@prismapi/auth'
import Koa from 'koa'
import type { Resources, User } from 'prismapi'
import { createApi, Policy, Server } from 'prismapi'
import { afterAll, beforeAll } from 'vitest'
import { databases, type FixtureDatabase } from '../any-schema/databases.ts'
import { type FixtureProvider, schemaOf } from '../any-schema/fixtures.ts'
import { generateIn } from '../any-schema/generate.ts'
import { origin } from '../api.ts'
import { asking, listen, plain } from '../servers.ts'
import { audience, type IdentityProvider, identityProvider, web } from './identity-provider.ts'
import { newsroomModels, select } from './models.ts'

export { select } from './models.ts'

class Newsroom extends Server {
  override readonly name: string = 'v1'
  override readonly browsable = true
  override readonly challenge = 'Bearer'
}

class PostPolicy extends Policy {
  override abilities({ can }: never, user: never) {
    const caller = user as { id: number } | null
    const allow = can as (...rule: unknown[]) => void
    allow(this.reads)
    if (caller === null) return
    allow('create')
    allow(this.writes, { authorId: caller.id })
  }
}

class UserPolicy extends Policy {
  override abilities({ can }: never, user: never) {
    const allow = can as (...rule: unknown[]) => void
    if (user) allow(this.reads)
  }
  // Code decides, and knows nothing of scopes.
  update(user: { id: number } | null, row: { id: number }) {
    return user?.id === row.id
  }
}

export const password = 'correct horse battery staple'

// biome-ignore lint/suspicious/noExplicitAny: the client is generated for this schema alone
type Db = any

/** How the newsroom signs in, with what it is made of. */
export interface Means {
  readonly keys: ApiKeys
  readonly sessions: Sessions
  readonly scopes: TokenScopes
}

interface NewsroomOptions {
  /** Links lead to where it listens, and people sign in at a provider as well. */
  readonly isLocal?: boolean
  /** Links lead to where it listens, and people sign in by keys alone. */
  readonly hasKeysAlone?: boolean
}

/** An application with API keys, sessions and scopes of tokens, over a database of its own. */
export function useNewsroom(
  provider: FixtureProvider = 'sqlite',
  { isLocal = false, hasKeysAlone = false }: NewsroomOptions = {},
) {
  const below = mkdtempSync(path.join(tmpdir(), 'prismapi-sign-in-'))
  let database: FixtureDatabase
  let listening: Awaited<ReturnType<typeof listen>>
  let identity: IdentityProvider | null = null
  let means: Means
  let resources: Resources
  beforeAll(async () => {
    const generated = await generateIn(path.join(below, 'newsroom'), schemaOf(newsroomModels, provider))
    resources = generated.resources
    database = await databases[provider](generated)
    const { clients } = database
    let handle: RequestListener = () => {}
    listening = await listen((request, response) => handle(request, response))
    const { at } = listening
    const baseUrl = isLocal || hasKeysAlone ? at : origin
    if (isLocal) {
      const callback = `${at}/api/v1/-browse/sign-in/127-0-0-1/callback`
      identity = await identityProvider({ redirectUris: [callback], afterSignOut: [`${at}/api/v1`] })
    }
    const scopes = tokenScopes({
      read: { '*': ['reads'] },
      'posts:write': { '*': ['reads'], Post: ['writes'] },
    } as never)
    const parts = { resources, clients }
    const bySession = sessions({ ...parts, select, baseUrl, password: { login: 'email', hash: 'passwordHash' } })
    means = { scopes, keys: apiKeys({ ...parts, select, scopes }), sessions: bySession }
    const byProvider =
      identity &&
      oidc<User & object>({
        ...{ issuer: identity.issuer, audience, scopes },
        user: ({ sub }) => newsroom.db.user.findFirst({ where: { email: `${sub}@example.com` }, select }),
        signIn: {
          clientId: web.client_id,
          clientSecret: web.client_secret,
          sessions: bySession,
          label: 'the provider',
        },
      })
    const quiet = () => {}
    const api = createApi({
      ...parts,
      clients: clients as never,
      baseUrl,
      cursorSecret: 'of the tests',
      production: false,
      logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      servers: [plain(Newsroom)],
      policies: new Map([
        ['Post', PostPolicy],
        ['User', UserPolicy],
      ]) as never,
      authenticate: hasKeysAlone
        ? means.keys
        : firstOf<User & object>(means.keys, ...(byProvider ? [byProvider] : []), bySession),
      features: [scopes],
    })
    handle = new Koa().use(api.middleware()).use(api.notFound()).callback()
    const passwordHash = await hashPassword(password)
    for (const [name, role] of [
      ['Ann', 'ADMIN'],
      ['Ben', 'MEMBER'],
    ] as const) {
      const email = `${name.toLowerCase()}@example.com`
      const { id } = await newsroom.db.user.create({ data: { name, role, email, passwordHash } })
      await newsroom.db.post.create({ data: { title: `Of ${name}`, authorId: id } })
    }
  })
  afterAll(async () => {
    await listening?.close()
    await identity?.close()
    await database?.close()
    rmSync(below, { recursive: true })
  })
  const newsroom = {
    get at() {
      return listening.at
    },
    get means() {
      return means
    },
    get resources() {
      return resources
    },
    get clients() {
      return database.clients
    },
    get db(): Db {
      const { clients } = database
      return 'writer' in clients ? clients.writer : clients
    },
    get identity() {
      return identity as IdentityProvider
    },
    ask: (method: string, url: string, headers: Readonly<Record<string, string>> = {}, body?: unknown) =>
      asking(listening.at)(null)(method, url, { headers, body }),
    withKey: (key: string) => (method: string, url: string, body?: unknown) =>
      asking(listening.at)(null)(method, url, { headers: { Authorization: `Bearer ${key}` }, body }),
  }
  return newsroom
}
