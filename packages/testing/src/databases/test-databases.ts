import path from 'node:path'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import { type DatabaseKind, providerOf, readMigrations, type Template, templateKey } from './template.ts'

/** How `testDatabases` makes its template: by migrations, or by whatever makes tables. */
export type TestDatabasesOptions = (
  | {
      /**
       * The folder of Prisma's migrations, `prisma/migrations`, which are run. They must be for the database's kind.
       */
      readonly migrations: string
    }
  | {
      /** Makes the tables in a new, empty database, by `prisma db push` for example. */
      readonly migrate: (url: string) => Awaitable<unknown>
    }
) & {
  /** The URL of a PostgreSQL database, whose role may create databases. Left out, the databases are SQLite files. */
  readonly server?: string
  /** Writes the rows that every database begins with. */
  readonly seed?: (url: string) => Awaitable<unknown>
  /**
   * Names the content that `migrate` and `seed` make, so that the template keeps it for every process and the next run.
   * Their source text cannot name it: functions with the same text may write other rows. Without a name, they run for
   * each database.
   */
  readonly name?: string
  /** Files and folders that say what `migrate` and `seed` make: when one changes, it is made anew. */
  readonly from?: readonly string[]
  /** Where SQLite templates lie; `node_modules/.cache/prismapi` by default. */
  readonly folder?: string
}

/** A database of a test's own. */
export interface TestDatabase extends AsyncDisposable {
  /** `file:/tmp/…/test.db`, or `postgresql://…`. */
  readonly url: string
  /** Removes it. Close what is connected to it before. */
  close(): Promise<void>
}

/** Databases that are copies of one template. */
export interface TestDatabases {
  /** Makes the template if it is missing. Call it in a global setup, so that parallel test files find it. */
  prepare(): Promise<void>
  /** A database like the template, in milliseconds: a copy of a file, or `CREATE DATABASE … TEMPLATE`. */
  open(): Promise<TestDatabase>
}

/**
 * Databases for test files: each is a copy of one template. The template has what the migrations make and, if it has a
 * `name`, what `migrate` and `seed` make. It is made again when the name, the migrations, these functions or their
 * sources change.
 *
 * @throws {Error} when one is opened: where a path does not exist, the migrations fail, or the server does not answer
 *
 * @example
 * import { sqliteClients } from 'prismapi/sqlite'
 * import { PrismaClient } from '../../prisma/generated/client/client.ts'
 *
 * const databases = testDatabases({ migrations: 'prisma/migrations', name: 'seeded', seed, from: ['prisma/seed.ts'] })
 * const database = await databases.open()
 * const clients = await sqliteClients((adapter) => new PrismaClient({ adapter }), database.url)
 */
export function testDatabases(options: TestDatabasesOptions): TestDatabases {
  const load = once(async () => {
    checkProvider(options)
    return { kind: await kindOf(options), template: templateOf(options) }
  })
  const prepared = once(async () => {
    const { kind, template } = await load()
    await kind.prepare(template)
    return { kind, template }
  })
  return Object.freeze({
    prepare: async () => void (await prepared()),
    async open() {
      const { kind, template } = await prepared()
      const { url, drop } = await kind.copy(template)
      try {
        if (options.name === undefined) await runFunctions(options, url)
      } catch (error) {
        await drop()
        throw error
      }
      return Object.freeze({ url, close: drop, [Symbol.asyncDispose]: drop })
    },
  })
}

// What failed is tried again: the server may have been started since.
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined
  return () => {
    started ??= work().catch((error: unknown) => {
      started = undefined
      throw error
    })
    return started
  }
}

// Only the one that is used: the other's driver may not be installed.
async function kindOf({
  server,
  folder = 'node_modules/.cache/prismapi',
}: TestDatabasesOptions): Promise<DatabaseKind> {
  if (server === undefined) return (await import('./sqlite.ts')).sqliteFiles(path.resolve(folder))
  if (/^postgres(ql)?:/.test(server)) return (await import('./postgres.ts')).postgresDatabases(server)
  throw new Error('server: the URL is not that of PostgreSQL. Leave it out to test on SQLite.')
}

/** Migrations are for one database, whose SQL, types and constraints another one has not. */
function checkProvider(options: TestDatabasesOptions): void {
  const provider = 'migrations' in options ? providerOf(options.migrations) : null
  const wanted = options.server === undefined ? 'sqlite' : 'postgresql'
  if (provider === null || provider === wanted) return
  const { migrations } = options as { readonly migrations: string }
  const cure =
    provider === 'postgresql'
      ? "Pass server: 'postgresql://…', where the tests make and drop databases of their own"
      : provider === 'sqlite'
        ? 'Leave server out'
        : 'Make databases of that kind yourself'
  throw new Error(
    `testDatabases: ${migrations} is for ${provider}, and the tests would run on ${wanted}, which answers otherwise. ${cure}.`,
  )
}

function templateOf(options: TestDatabasesOptions): Template {
  const { name, seed, from = [] } = options
  const made = 'migrations' in options ? [options.migrations] : []
  const makers = 'migrate' in options ? [options.migrate, seed] : [seed]
  const key = templateKey(
    [...made, ...from].map((each) => path.resolve(each)),
    name === undefined ? [] : [name, ...makers.map(String)],
  )
  return {
    key,
    async fill(url, run) {
      if ('migrations' in options) for (const sql of readMigrations(options.migrations)) await run(sql)
      if (name !== undefined) await runFunctions(options, url)
    },
  }
}

async function runFunctions(options: TestDatabasesOptions, url: string): Promise<void> {
  if ('migrate' in options) await options.migrate(url)
  await options.seed?.(url)
}
