import { mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { firstOf, betterAuth as signInBy } from '@prismapi/auth'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import { bearer, organization } from 'better-auth/plugins'
import Koa from 'koa'
import { createApi, Policy, Server } from 'prismapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases, type FixtureDatabase } from '../any-schema/databases.ts'
import { type FixtureProvider, schemaOf } from '../any-schema/fixtures.ts'
import { generateIn } from '../any-schema/generate.ts'
import type { Send } from '../api.ts'
import { browserAccept } from '../pages.ts'
import { asking, listen, plain } from '../servers.ts'

/** What Better Auth's own generator writes for Prisma, with its tables hidden, and one model of the application. */
const models = `model Post {
  id       Int    @id @default(autoincrement())
  title    String
  author   User   @relation(fields: [authorId], references: [id])
  authorId String
}

model User {
  id            String       @id
  name          String
  /// @hidden
  email         String       @unique
  /// @hidden
  emailVerified Boolean      @default(false)
  image         String?
  createdAt     DateTime     @default(now())
  updatedAt     DateTime     @updatedAt
  posts         Post[]
  sessions      Session[]
  accounts      Account[]
  members       Member[]
  invitations   Invitation[]
}

/// @hidden
model Session {
  id                   String   @id
  expiresAt            DateTime
  token                String   @unique
  createdAt            DateTime @default(now())
  updatedAt            DateTime @updatedAt
  ipAddress            String?
  userAgent            String?
  userId               String
  user                 User     @relation(fields: [userId], references: [id], onDelete: Cascade)
  activeOrganizationId String?

  @@index([userId])
}

/// @hidden
model Account {
  id                    String    @id
  accountId             String
  providerId            String
  userId                String
  user                  User      @relation(fields: [userId], references: [id], onDelete: Cascade)
  accessToken           String?
  refreshToken          String?
  idToken               String?
  accessTokenExpiresAt  DateTime?
  refreshTokenExpiresAt DateTime?
  scope                 String?
  password              String?
  createdAt             DateTime  @default(now())
  updatedAt             DateTime  @updatedAt

  @@index([userId])
}

/// @hidden
model Verification {
  id         String   @id
  identifier String
  value      String
  expiresAt  DateTime
  createdAt  DateTime @default(now())
  updatedAt  DateTime @updatedAt
}

/// @hidden
model Organization {
  id          String       @id
  name        String
  slug        String       @unique
  logo        String?
  createdAt   DateTime
  metadata    String?
  members     Member[]
  invitations Invitation[]
}

/// @hidden
model Member {
  id             String       @id
  organizationId String
  organization   Organization @relation(fields: [organizationId], references: [id], onDelete: Cascade)
  userId         String
  user           User         @relation(fields: [userId], references: [id], onDelete: Cascade)
  role           String       @default("member")
  createdAt      DateTime
}

/// @hidden
model Invitation {
  id             String       @id
  organizationId String
  organization   Organization @relation(fields: [organizationId], references: [id], onDelete: Cascade)
  email          String
  role           String?
  status         String       @default("pending")
  expiresAt      DateTime
  createdAt      DateTime     @default(now())
  inviterId      String
  user           User         @relation(fields: [inviterId], references: [id], onDelete: Cascade)
}
`

class Site extends Server {
  override readonly name: string = 'v1'
  override readonly browsable = true
}

class PostPolicy extends Policy {
  override abilities({ can }: never, user: never) {
    const caller = user as { id: string; organization: string | null } | null
    const allow = can as (...rule: unknown[]) => void
    allow(this.reads)
    if (caller?.organization) allow(['create', this.writes])
    else if (caller) allow('create')
  }
}

/** An application that signs in by Better Auth, over a database of its own. Its pages are where it listens. */
export function useBetterAuth(provider: FixtureProvider, { rateLimit = { enabled: false } }: BetterAuthParts = {}) {
  const below = mkdtempSync(path.join(tmpdir(), 'prismapi-better-auth-'))
  let database: FixtureDatabase
  let listening: Awaited<ReturnType<typeof listen>>
  // biome-ignore lint/suspicious/noExplicitAny: the client is generated for this schema alone
  let prisma: any
  beforeAll(async () => {
    const generated = await generateIn(path.join(below, 'site'), schemaOf(models, provider))
    database = await databases[provider](generated)
    const { clients } = database
    prisma = 'writer' in clients ? clients.writer : clients
    let handle: RequestListener = () => {}
    listening = await listen((request, response) => handle(request, response))
    const { at } = listening
    const auth = betterAuth({
      baseURL: at,
      secret: 'a secret of the tests, which is long enough',
      database: prismaAdapter(prisma, { provider }),
      emailAndPassword: { enabled: true },
      plugins: [bearer(), organization()],
      rateLimit,
      telemetry: { enabled: false },
      logger: { disabled: true },
    })
    const signedIn = signInBy(auth, {
      user: async ({ user, session }) => ({
        ...(await prisma.user.findUnique({ where: { id: user.id }, select: { id: true, name: true } })),
        organization: (session as { activeOrganizationId?: string | null }).activeOrganizationId ?? null,
      }),
    })
    const quiet = () => {}
    const api = createApi({
      ...{ resources: generated.resources, clients: clients as never, baseUrl: at, cursorSecret: 'of the tests' },
      production: false,
      logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      servers: [plain(Site)],
      policies: new Map([['Post', PostPolicy]]) as never,
      authenticate: firstOf(signedIn) as never,
    })
    handle = new Koa().use(signedIn.middleware()).use(api.middleware()).use(api.notFound()).callback()
  })
  afterAll(async () => {
    await listening?.close()
    await database?.close()
    rmSync(below, { recursive: true })
  })
  return {
    get at() {
      return listening.at
    },
    get db() {
      return prisma
    },
    ask: (method: string, url: string, send?: Send) => asking(listening.at)(null)(method, url, send),
  }
}

interface BetterAuthParts {
  readonly rateLimit?: BetterAuthOptions['rateLimit']
}

export const person = (name: string) => ({
  ...{ name, email: `${name}@example.com`, password: 'correct horse battery staple' },
})

export function betterAuthSignsIn(provider: FixtureProvider) {
  const site = useBetterAuth(provider)

  const own = async (action: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${site.at}/api/auth${action}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: site.at, ...headers },
      body: JSON.stringify(body),
    })
    const cookie = response.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
    return {
      status: response.status,
      cookie,
      token: response.headers.get('set-auth-token'),
      cookies: response.headers.getSetCookie(),
      body: (await response.json()) as { readonly id?: string; readonly slug?: string },
    }
  }
  const create = (headers: Readonly<Record<string, string>>) =>
    site.ask('POST', '/api/v1/posts', {
      headers,
      body: { data: { type: 'posts', attributes: { title: 'New' }, relationships: { author: { data: null } } } },
    })
  /** 422 is what a caller gets who may create posts: this one has no author. */
  const [allowed, guest] = [422, 403]

  describe('Better Auth', () => {
    test('signs up, and in by its cookie', async () => {
      const { status, cookie, cookies } = await own('/sign-up/email', person('ann'))
      expect(status).toBe(200)
      expect(cookies.join()).toMatch(/HttpOnly; SameSite=Lax/)
      expect((await create({ Cookie: cookie })).status).toBe(allowed)
      expect((await create({})).status).toBe(guest)
      expect(
        (await create({ Cookie: cookie.replace(/=(.)/, (_, first) => (first === 'x' ? '=y' : '=x')) })).status,
      ).toBe(guest)
    })

    test('signs in by a bearer token, and refuses one that is none', async () => {
      await own('/sign-up/email', person('ben'))
      const { token } = await own('/sign-in/email', person('ben'))
      expect((await create({ Authorization: `Bearer ${token}` })).status).toBe(allowed)
      for (const wrong of [`${token}x`, 'nothing', 'eyJhbGciOiJub25lIn0.e30.'])
        expect((await create({ Authorization: `Bearer ${wrong}` })).status).toBe(401)
      // A cookie is no help to a wrong token.
      const { cookie } = await own('/sign-in/email', person('ben'))
      expect((await create({ Authorization: 'Bearer nothing', Cookie: cookie })).status).toBe(401)
    })

    test('is not signed in any more after it has signed out', async () => {
      const { cookie } = await own('/sign-up/email', person('cid'))
      expect((await create({ Cookie: cookie })).status).toBe(allowed)
      expect((await own('/sign-out', {}, { Cookie: cookie })).status).toBe(200)
      expect((await create({ Cookie: cookie })).status).toBe(guest)
    })

    test('tells policies the organization of a session', async () => {
      const { cookie } = await own('/sign-up/email', person('dan'))
      const { status, body } = await own('/organization/create', { name: 'Acme', slug: 'acme' }, { Cookie: cookie })
      expect([status, body.slug]).toEqual([200, 'acme'])
      const active = await own('/organization/set-active', { organizationId: body.id }, { Cookie: cookie })
      expect(active.status).toBe(200)
      expect((await site.ask('DELETE', '/api/v1/posts/1', { headers: { Cookie: cookie } })).status).toBe(404)
      expect((await create({ Cookie: cookie })).status).toBe(allowed)
    })

    test.each([{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }])(
      'writes nothing that another site has a browser send: %j',
      async (headers) => {
        const { cookie } = await own('/sign-up/email', person(`eve${Math.random()}`))
        const { status, body } = await create({ Cookie: cookie, ...headers })
        expect([status, body.errors[0].detail]).toEqual([403, 'Only pages of this server ask for that.'])
      },
    )

    test('keeps its tables from clients', async () => {
      const { cookie } = await own('/sign-up/email', person('fay'))
      for (const type of ['sessions', 'accounts', 'verifications', 'members', 'organizations', 'invitations'])
        expect((await site.ask('GET', `/api/v1/${type}`, { headers: { Cookie: cookie } })).status).toBe(404)
    })
  })
  describe('the pages', () => {
    const html = { Accept: browserAccept, 'Sec-Fetch-Site': 'same-origin' }
    const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
      fetch(site.at + url, { headers: { ...html, ...headers }, redirect: 'manual' })
    const submit = (
      url: string,
      form: Readonly<Record<string, string>>,
      headers: Readonly<Record<string, string>> = {},
    ) =>
      fetch(`${site.at}/api/v1/-browse/${url}`, {
        ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams(form) },
        headers: { ...html, ...headers },
      })
    const typed = (name: string) => ({ login: person(name).email, password: person(name).password })
    const cookieOf = (response: Response) =>
      response.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; ')
    const isSignedIn = async (Cookie: string) =>
      (await (await get('/api/v1', { Cookie })).text()).includes('You are gus')

    test('sign in by a form, say so where the password is wrong, and sign out here and everywhere', async () => {
      await own('/sign-up/email', person('gus'))
      const form = await (await get('/api/v1/-browse/sign-in')).text()
      expect([form.includes('name="password"'), form.includes('name="token"')]).toEqual([true, false])
      const wrong = await submit('sign-in', { ...typed('gus'), password: 'wrong' })
      expect([wrong.status, wrong.headers.getSetCookie()]).toEqual([401, []])
      expect(await wrong.text()).toContain(
        '<p class="error" id="sign-in-error" role="alert">The login or the password is wrong.</p>',
      )
      const signIn = async () => {
        const response = await submit('sign-in', { ...typed('gus'), back: '/api/v1/posts' })
        expect([response.status, response.headers.get('Location')]).toEqual([303, '/api/v1/posts'])
        return cookieOf(response)
      }
      const [here, there, elsewhere] = [await signIn(), await signIn(), await signIn()]
      const out = await submit('sign-out', {}, { Cookie: here })
      expect([out.status, out.headers.getSetCookie().join()]).toEqual([303, expect.stringContaining('Max-Age=0')])
      expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([false, true])
      await submit('sign-out', { everywhere: 'yes' }, { Cookie: there })
      expect([await isSignedIn(there), await isSignedIn(elsewhere)]).toEqual([false, false])
    })

    test('sign nobody in or out for a form of another site', async () => {
      await own('/sign-up/email', person('hal'))
      for (const url of ['sign-in', 'sign-out']) {
        const response = await submit(url, typed('hal'), { 'Sec-Fetch-Site': 'cross-site' })
        expect([response.status, response.headers.getSetCookie()]).toEqual([403, []])
      }
    })
  })
}

/** As many attempts as Better Auth allows an address, which clients say themselves where nobody looks. */
export function betterAuthCounts(provider: FixtureProvider) {
  const site = useBetterAuth(provider, {
    rateLimit: { enabled: true, customRules: { '/sign-in/email': { window: 600, max: 3 } } },
  })
  const { email } = person('ida')
  test.each<[string, (headers: Readonly<Record<string, string>>) => Promise<Response>]>([
    [
      'at its own route',
      (headers) =>
        fetch(`${site.at}/api/auth/sign-in/email`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Origin: site.at, ...headers },
          body: JSON.stringify({ email, password: 'a guess' }),
        }),
    ],
    [
      'at the pages',
      (headers) =>
        fetch(`${site.at}/api/v1/-browse/sign-in`, {
          method: 'POST',
          headers: { Accept: browserAccept, 'Sec-Fetch-Site': 'same-origin', ...headers },
          body: new URLSearchParams({ login: email, password: 'a guess' }),
        }),
    ],
  ])('Better Auth counts attempts by the address that they come from, %s', async (_, attempt) => {
    const statuses = []
    for (let n = 0; n < 5; n++) statuses.push((await attempt({ 'X-Forwarded-For': `192.0.2.${n}` })).status)
    expect(statuses.at(-1)).toBe(429)
  })
}
