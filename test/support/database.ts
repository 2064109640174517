import type { PrismaClient } from '../../prisma/generated/client/client.ts'

/** Makes the databases that test files have of their own, on one kind of server. */
export interface TestDatabases {
  /** A migrated and seeded database; test files have theirs sooner once there is one. */
  makeTemplate(): Promise<{ readonly name: string; drop(): Promise<void> }>
  /**
   * A copy of it, and the clients that serve it; their SQL is added to the list. SQLite needs no name: the first test file that
   * looks for its template makes it, and it stays for the runs to come.
   */
  open(template: string | undefined, queries: string[]): Promise<OpenDatabase>
  /** Statements after which the writer's database takes any rows: without foreign keys and checks. */
  readonly forgetConstraints: readonly string[]
}

interface OpenDatabase {
  readonly reader: PrismaClient
  readonly writer: PrismaClient
  /** Applies a migration, and opens clients whose user has no more rights than a guarded request. */
  readonly guardedBy?: (migration: string) => Promise<Omit<OpenDatabase, 'guardedBy'>>
  close(): Promise<void>
}

// Only the one that is used: the others may not even be installed.
const kinds = {
  sqlite: () => import('./databases/sqlite.ts'),
  postgresql: () => import('./databases/postgres.ts'),
  mysql: () => import('./databases/mariadb.ts'),
} as const

export type Provider = keyof typeof kinds

/** Which database these tests run on: SQLite, unless the project of vitest says otherwise. */
export const provider = (process.env.TEST_DATABASE ?? 'sqlite') as Provider

// One for each kind: a run may be of several.
const templateOf = (kind: Provider): string => `PRISMAPI_TEST_TEMPLATE_${kind}`

/** For `test/support/global-setup.ts`, which runs before all test files of a database server and ends after them. */
export async function makeTemplate(provider: Provider): Promise<() => Promise<void>> {
  const { databases } = await kinds[provider]()
  const { name, drop } = await databases.makeTemplate()
  process.env[templateOf(provider)] = name
  return drop
}

/** A database of the example for one test file, filled by its seed, with the clients that serve it. */
export async function openTestDatabase() {
  const name = process.env[templateOf(provider)]
  if (name === undefined && provider !== 'sqlite')
    throw new Error('There is no template database: test/support/global-setup.ts has not run.')
  const queries: string[] = []
  const { databases } = await kinds[provider]()
  const clients = await databases.open(name, queries)
  /** The SQL that a piece of work issues. */
  const queriesOf = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
    queries.length = 0
    await work()
    // How many rows tables have, and which values are frequent, is asked once a minute, for prices, whatever is worked on.
    return queries.filter((sql) => !/\breltuples\b|\bpg_stats\b|\bmax\(rowid\)|'prismapi\.caller'/i.test(sql))
  }
  return { ...clients, queriesOf }
}

/** Takes foreign keys and checks away, so that rows can be removed which others need. */
export async function forgetConstraints(writer: PrismaClient): Promise<void> {
  const { databases } = await kinds[provider]()
  for (const statement of databases.forgetConstraints) await writer.$queryRawUnsafe(statement)
}
