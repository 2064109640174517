import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { firstOf, betterAuth as signInBy } from '@prismapi/auth'
import { betterAuth } from 'better-auth'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import { bearer, organization } from 'better-auth/plugins'
import { Policy, Server } from 'prismapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases, type FixtureDatabase } from '../any-schema/databases.ts'
import { type FixtureProvider, schemaOf } from '../any-schema/fixtures.ts'
import { generateIn } from '../any-schema/generate.ts'
import { plain, type Running, startServers } from '../servers.ts'

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

export function betterAuthSignsIn(provider: FixtureProvider) {
  const below = mkdtempSync(path.join(tmpdir(), 'prismapi-better-auth-'))
  let database: FixtureDatabase
  let running: Running
  beforeAll(async () => {
    const generated = await generateIn(path.join(below, 'site'), schemaOf(models, provider))
    database = await databases[provider](generated)
    const { clients } = database
    // biome-ignore lint/suspicious/noExplicitAny: the client is generated for this schema alone
    const prisma: any = 'writer' in clients ? clients.writer : clients
    const auth = betterAuth({
      baseURL: 'http://127.0.0.1',
      secret: 'a secret of the tests, which is long enough',
      database: prismaAdapter(prisma, { provider }),
      emailAndPassword: { enabled: true },
      plugins: [bearer(), organization()],
      trustedOrigins: ['http://127.0.0.1'],
      rateLimit: { enabled: false },
      telemetry: { enabled: false },
    })
    const signedIn = signInBy(auth, {
      user: async ({ user, session }) => ({
        ...(await prisma.user.findUnique({ where: { id: user.id }, select: { id: true, name: true } })),
        organization: (session as { activeOrganizationId?: string | null }).activeOrganizationId ?? null,
      }),
    })
    running = await startServers(clients as never, {
      resources: generated.resources,
      servers: [plain(Site)],
      policies: new Map([['Post', PostPolicy]]) as never,
      authenticate: firstOf(signedIn),
      before: () => signedIn.middleware(),
    })
  })
  afterAll(async () => {
    await running?.close()
    await database?.close()
    rmSync(below, { recursive: true })
  })

  const own = async (action: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${running.at}/api/auth${action}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: 'http://127.0.0.1', ...headers },
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
  const person = (name: string) => ({ name, email: `${name}@example.com`, password: 'correct horse battery staple' })
  const create = (headers: Readonly<Record<string, string>>) =>
    running.as(null)('POST', '/api/v1/posts', {
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
      expect((await running.as(null)('DELETE', '/api/v1/posts/1', { headers: { Cookie: cookie } })).status).toBe(404)
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
        expect((await running.as(null)('GET', `/api/v1/${type}`, { headers: { Cookie: cookie } })).status).toBe(404)
    })
  })
}
