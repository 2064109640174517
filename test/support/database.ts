import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { PrismaClient } from '../../prisma/generated/client/client.ts'
import { seed } from '../../prisma/seed.ts'
import { sqliteClients } from '../../src/store/sqlite.ts'

const migrations = path.resolve(import.meta.dirname, '../../prisma/migrations')

/** Creates an empty database of the example, as the migrations make it. */
export function migrate(file: string): void {
  const database = new Sqlite(file)
  for (const folder of readdirSync(migrations, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()) {
    database.exec(readFileSync(path.join(migrations, folder, 'migration.sql'), 'utf8'))
  }
  database.close()
}

/** A database of the example for one test file, filled by its seed, with the clients that serve it. */
export async function openTestDatabase() {
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-'))
  const file = path.join(folder, 'test.db')
  cpSync(templateFile(), file)
  const queries: string[] = []
  const clients = await sqliteClients(
    (adapter) => recording(new PrismaClient({ adapter, log: [{ emit: 'event', level: 'query' }] }), queries),
    `file:${file}`,
  )
  const close = async () => {
    await clients.close()
    rmSync(folder, { recursive: true, force: true })
  }
  /** The SQL that a piece of work issues. */
  const queriesOf = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
    queries.length = 0
    await work()
    return [...queries]
  }
  return { ...clients, file, close, queriesOf }
}

function recording(client: PrismaClient<'query'>, queries: string[]): PrismaClient {
  client.$on('query', ({ query }) => queries.push(query))
  return client as unknown as PrismaClient
}

/** Where the seeded database lies that every test file copies; `test/support/global-setup.ts` makes it. */
function templateFile(): string {
  const file = process.env.PRISMAPI_TEST_TEMPLATE
  if (!file) throw new Error('There is no template database: test/support/global-setup.ts has not run.')
  return file
}

export async function makeTemplate(file: string): Promise<void> {
  migrate(file)
  const clients = await sqliteClients((adapter) => new PrismaClient({ adapter }), `file:${file}`)
  await seed(clients.writer)
  // Into the file itself: what is copied is one file.
  await clients.writer.$queryRawUnsafe('PRAGMA wal_checkpoint(TRUNCATE)')
  await clients.close()
}
