import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { run } from '@prismapi/cli/run'
import { postgresClients } from '@prismapi/sql/postgres'
import type Koa from 'koa'
import type { Logger, PrismApi, Resources } from 'prismapi'
import type { Clients } from 'prismapi/types'
import { databases } from '../any-schema/databases.ts'
import type { FixtureProvider } from '../any-schema/fixtures.ts'
import { generateIn } from '../any-schema/generate.ts'
import { guardedLogin, guardedUser } from '../databases/postgres.ts'
import { inPostgres } from '../postgres.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const application = path.join(root, 'test/applications/studios')

// biome-ignore lint/suspicious/noExplicitAny: a client that is generated while the test runs
export type StudiosClient = any

interface Night {
  readonly billed: number
  readonly overdue: number
}

/** The application of `test/applications/studios`, in a folder of its own with what Prisma generates for it, over an empty database. */
export interface Studios {
  readonly folder: string
  readonly provider: FixtureProvider
  readonly resources: Resources
  /** Sees and writes everything. */
  readonly db: StudiosClient
  readonly files: string
  readonly paymentsSecret: string
  /** What went wrong inside of it. */
  readonly failures: readonly unknown[]
  create(): Promise<{ readonly app: Koa; readonly api: PrismApi }>
  runNight(api: PrismApi, now: Date): Promise<Night>
  hashOf(key: string): string
  /** `npx prismapi …` in its folder: what it says, and what it complains of. */
  prismapi(...args: readonly string[]): Promise<{ code: number; said: string; complained: string }>
  close(): Promise<void>
}

export interface OpenOptions {
  /** On PostgreSQL: row level security refuses what policies and scopes forbid. */
  readonly guarded?: boolean
}

export async function openStudios(provider: FixtureProvider, { guarded = false }: OpenOptions = {}): Promise<Studios> {
  // Inside the package, or `prismapi` would not be found; a dot keeps tsc and vitest away from it.
  const folder = mkdtempSync(path.join(root, 'test/.tmp-'))
  cpSync(application, folder, { recursive: true })
  const generated = await generateIn(path.join(folder, 'prisma'), schemaFor(provider))
  // With these, `prismapi` would not be this package.
  for (const name of ['package.json', 'node_modules']) rmSync(path.join(folder, 'prisma', name))
  const prismapi = commandsIn(folder)
  const database = await databases[provider](generated)
  await database.execute(readFileSync(path.join(application, `prisma/constraints.${provider}.sql`), 'utf8'))
  const triggers = 'prisma/migrations/20300101000000_live/migration.sql'
  await prismapi('live', `--out=${triggers}`)
  await database.execute(readFileSync(path.join(folder, triggers), 'utf8'))

  const ends = [database.close]
  let clients: Clients = database.clients
  if (guarded) {
    const { code, said, complained } = await prismapi('rls')
    if (code !== 0) throw new Error(complained)
    await database.execute(said)
    const own = await guardedClients(database.url, generated.PrismaClient)
    ends.unshift(own.close)
    clients = own
  }

  const { createStudios } = await import(path.join(folder, 'src/app/app.ts'))
  const { runNight } = await import(path.join(folder, 'src/app/nightly.ts'))
  const { hashOf } = await import(path.join(folder, 'src/app/auth.ts'))
  const failures: unknown[] = []
  const logger: Logger = { debug() {}, info() {}, warn() {}, error: (fields: object) => void failures.push(fields) }
  const files = path.join(folder, 'storage')
  mkdirSync(files)
  const secret = 'a secret of the tests, and of nothing else'
  const paymentsSecret = 'what the bank signs with'
  const { writer: db } = database.clients as { writer: StudiosClient }
  return {
    ...{ folder, provider, resources: generated.resources, db, files, paymentsSecret, failures },
    create: () =>
      createStudios({
        ...{ clients, prisma: db, baseUrl: 'https://studios.example.org', cursorSecret: secret, logger },
        services: { files, filesSecret: secret, paymentsSecret },
      }),
    ...{ runNight, hashOf, prismapi },
    async close() {
      for (const end of ends) await end()
      rmSync(folder, { recursive: true })
    },
  }
}

async function guardedClients(url: string, PrismaClient: new (options: { adapter: unknown }) => object) {
  await inPostgres(url, (client) => client.query(guardedLogin))
  const own = new URL(url)
  own.username = guardedUser
  return postgresClients((adapter) => new PrismaClient({ adapter }) as never, own.href, { guarded: true })
}

/** The schema, by which a database keeps days, amounts and instants as its application would have it. */
function schemaFor(provider: FixtureProvider): string {
  const written = readFileSync(path.join(application, 'prisma/schema.prisma'), 'utf8').replace(
    'provider = "prisma-generator-resources"',
    /provider = .*packages\/cli\/src\/generator\/bin\.ts.*/
      .exec(readFileSync(path.join(root, 'prisma/schema.prisma'), 'utf8'))?.[0]
      .replace('packages/cli', path.join(root, 'packages/cli')) ?? '',
  )
  if (provider === 'sqlite') return written
  return written
    .replace('"sqlite"', '"postgresql"')
    .replace(/\/\/\/ @date\n(.* DateTime\??)/g, '$1 @db.Date')
    .replace(/( DateTime\b\??)(?!\?| @db)/g, '$1 @db.Timestamptz(3)')
    .replace(/ Decimal\b/g, ' Decimal @db.Decimal(12, 2)')
}

const commandsIn =
  (folder: string): Studios['prismapi'] =>
  async (...args) => {
    const said: string[] = []
    const complained: string[] = []
    const code = await run(args, folder, {
      say: (text) => void said.push(text),
      complain: (text) => void complained.push(text),
      paint: (_colour, text) => text,
    })
    return { code, said: said.join('\n'), complained: complained.join('\n') }
  }

/** The files that somebody writes for the application. */
export function studiosFiles(): readonly { readonly file: string; readonly text: string }[] {
  return readdirSync(application, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .map((file) => ({ file: path.relative(application, file), text: readFileSync(file, 'utf8') }))
}
