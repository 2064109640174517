import { readdirSync, readFileSync, statSync } from 'node:fs'
import { sep } from 'node:path'
import { inProviderOf, type NewProvider } from './schema-blocks.ts'

/** How people and programs sign in to a new application. */
export type SignInKind = 'better-auth' | 'oidc' | 'keys' | 'password'
export const signInKinds: readonly SignInKind[] = ['better-auth', 'oidc', 'keys', 'password']

// As far from src/init/ as from dist/init/.
const templates = new URL('../../assets/auth/', import.meta.url)

interface SignInParts {
  /** What the models of the application get: lines of a model, by its name, and models at the end. */
  readonly user: string
  readonly models: string
  /** Replacements in files of the application, by their names. */
  readonly changes: Readonly<Record<string, readonly (readonly [was: string, is: string])[]>>
  readonly packages: readonly string[]
  readonly scripts?: Readonly<Record<string, string>>
}

const owner = `  user   User @relation(fields: [userId], references: [id], onDelete: Cascade)
  userId Int

  @@index([userId])
}
`

const session = `
/// @hidden
/// Somebody who is signed in. The database has a digest of what the browser has.
model Session {
  id        Int      @id @default(autoincrement())
  digest    String   @unique
  createdAt DateTime @default(now())
  expiresAt DateTime

${owner}`

const byFunction: SignInParts['changes'] = {
  'src/app/api.ts': [
    [
      "import { authenticator } from './auth.ts'",
      "import { authenticator } from './auth.ts'\nimport { signIn } from './sign-in.ts'",
    ],
    [
      'authenticate: authenticator(clients.reader, env.authSecret)',
      'authenticate: signIn({ clients, baseUrl, byToken: authenticator(clients.reader, env.authSecret) })',
    ],
  ],
}

const parts: Readonly<Record<SignInKind, SignInParts>> = {
  keys: {
    user: '\n  keys ApiKey[]\n',
    models: `
/// @hidden
/// A key of a program. The database has a digest of it.
model ApiKey {
  id         Int       @id @default(autoincrement())
  name       String
  /// How the key begins, which shows which one it is.
  prefix     String
  digest     String    @unique
  scopes     String
  createdAt  DateTime  @default(now())
  expiresAt  DateTime?
  lastUsedAt DateTime?
  revokedAt  DateTime?

${owner}`,
    changes: {
      'src/app/api.ts': [
        [
          "import { authenticator } from './auth.ts'",
          "import { authenticator } from './auth.ts'\nimport { signIn } from './sign-in.ts'",
        ],
        [
          'authenticate: authenticator(clients.reader, env.authSecret)',
          'authenticate: signIn({ clients, byToken: authenticator(clients.reader, env.authSecret) })',
        ],
      ],
    },
    packages: ['@prismapi/auth'],
    scripts: { key: 'node --import tsx src/app/key.ts' },
  },
  password: {
    user: '\n  /// @hidden\n  passwordHash String?\n  sessions     Session[]\n',
    models: session,
    changes: {
      ...byFunction,
      'prisma/seed.ts': [
        [
          "import { startProcess } from 'prismapi'",
          "import { hashPassword } from '@prismapi/auth'\nimport { startProcess } from 'prismapi'",
        ],
        [
          "    const ann = await db.user.create({ data: { name: 'Ann', email: 'ann@example.com' } })",
          "    // Of the seed alone, which is for development: everybody knows it.\n    const passwordHash = await hashPassword('password-of-the-seed')\n    const ann = await db.user.create({ data: { name: 'Ann', email: 'ann@example.com', passwordHash } })",
        ],
        ["email: 'ben@example.com' } })", "email: 'ben@example.com', passwordHash } })"],
      ],
    },
    packages: ['@prismapi/auth'],
  },
  oidc: {
    user: '\n  /// @hidden\n  /// What the identity provider calls them.\n  sub      String?   @unique\n  sessions Session[]\n',
    models: session,
    changes: {
      ...byFunction,
      '.env.example': [
        [
          '# Where it listens.',
          `# The identity provider: its issuer, the name of this API there, and the client that people sign in by at the pages.
# OIDC_ISSUER=https://login.example.org/realms/newsroom
# OIDC_AUDIENCE=newsroom-api
# OIDC_CLIENT_ID=newsroom-web
# OIDC_CLIENT_SECRET=

# Where it listens.`,
        ],
      ],
    },
    packages: ['@prismapi/auth'],
  },
  'better-auth': {
    user: `
  /// @hidden
  emailVerified Boolean   @default(false)
  /// @hidden
  image         String?
  /// @hidden
  updatedAt     DateTime  @default(now()) @updatedAt
  sessions      Session[]
  accounts      Account[]
`,
    models: `
/// @hidden
/// Somebody who is signed in, as Better Auth keeps it.
model Session {
  id        Int      @id @default(autoincrement())
  token     String   @unique
  expiresAt DateTime
  createdAt DateTime @default(now())
  updatedAt DateTime @updatedAt
  ipAddress String?
  userAgent String?

${owner}
/// @hidden
/// How a user signs in, as Better Auth keeps it: a password, or an account elsewhere.
model Account {
  id                    Int       @id @default(autoincrement())
  accountId             String
  providerId            String
  accessToken           String?
  refreshToken          String?
  idToken               String?
  accessTokenExpiresAt  DateTime?
  refreshTokenExpiresAt DateTime?
  scope                 String?
  password              String?
  createdAt             DateTime  @default(now())
  updatedAt             DateTime  @updatedAt

${owner}
/// @hidden
/// What Better Auth has sent to an address.
model Verification {
  id         Int      @id @default(autoincrement())
  identifier String
  value      String
  expiresAt  DateTime
  createdAt  DateTime @default(now())
  updatedAt  DateTime @updatedAt

  @@index([identifier])
}
`,
    changes: {
      'src/app/api.ts': [
        [
          "import type { Database } from './database.ts'",
          "import { type Authenticator, firstOf } from '@prismapi/auth'\nimport type { AuthUser } from './auth.ts'\nimport type { Database } from './database.ts'",
        ],
        [
          '  readonly clients: Database\n',
          '  readonly clients: Database\n  /** By the sessions of Better Auth; left out, tokens alone count. */\n  readonly bySession?: Authenticator<AuthUser>\n',
        ],
        [
          '{ env, baseUrl, clients, logger, draining }: ApiParts',
          '{ env, baseUrl, clients, logger, draining, bySession }: ApiParts',
        ],
        [
          'authenticate: authenticator(clients.reader, env.authSecret)',
          'authenticate: firstOf<AuthUser>(authenticator(clients.reader, env.authSecret), ...(bySession ? [bySession] : []))',
        ],
      ],
      'src/app/app.ts': [
        [
          "import { type ApiParts, makeApi } from './api.ts'",
          "import { type ApiParts, makeApi } from './api.ts'\nimport { signInByBetterAuth } from './sign-in.ts'",
        ],
        [
          '  const { clients, logger, draining } = parts\n  const api = await makeApi(parts)\n',
          '  const { clients, logger, draining, baseUrl, env } = parts\n  const bySession = signInByBetterAuth({ clients, baseUrl, secret: env.authSecret })\n  const api = await makeApi({ ...parts, bySession })\n',
        ],
        ['  app.use(api.middleware())\n', '  app.use(bySession.middleware())\n  app.use(api.middleware())\n'],
      ],
    },
    packages: ['@prismapi/auth', 'better-auth'],
  },
}

/** The packages and scripts that a sign-in needs beside those of every application. */
export const signInNeeds = (kind: SignInKind): Pick<SignInParts, 'packages' | 'scripts'> => parts[kind]

/** The files of a new application with a sign-in. */
export function withSignIn(
  files: ReadonlyMap<string, string>,
  kind: SignInKind,
  provider: NewProvider,
): ReadonlyMap<string, string> {
  const { user, models, changes } = parts[kind]
  const changed = [...files].map(([name, text]): [string, string] => {
    const replaced = (changes[name] ?? []).reduce((all, change) => withChange(name, all, change), text)
    return [name, name === 'prisma/schema.prisma' ? withModels(name, replaced, { user, models, provider }) : replaced]
  })
  return new Map([...changed, ...ownFiles(kind, provider)].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function withModels(
  name: string,
  text: string,
  { user, models, provider }: { readonly user: string; readonly models: string; readonly provider: NewProvider },
): string {
  const added = inProviderOf(provider, `${user}|${models}`).split('|') as [string, string]
  return withChange(name, text, ['  comments Comment[]\n}\n', `  comments Comment[]\n${added[0]}}\n`]) + added[1]
}

function withChange(name: string, text: string, [was, is]: readonly [string, string]): string {
  if (!text.includes(was)) throw new Error(`${name} of a new application has no "${was}".`)
  return text.replace(was, is)
}

const ownFiles = (kind: SignInKind, provider: NewProvider): readonly (readonly [string, string])[] => {
  const folder = new URL(`${kind}/`, templates)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll(sep, '/'))
    .filter((name) => statSync(new URL(name, folder)).isFile())
    .map((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8')
      return [name, provider === 'sqlite' ? text : text.replace("provider: 'sqlite'", "provider: 'postgresql'")]
    })
}
