import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { seed } from '../../../prisma/seed.ts'
import { postgresClients } from '../../../src/store/postgres.ts'
import type { TestDatabases } from '../database.ts'
import { inPostgres, postgresAnswers, postgresUrl, shownUrl, withDatabase } from '../postgres.ts'
import { readMigrations } from './migrations.ts'
import { recordingClient } from './recording.ts'
import { isLeftOver, newRun } from './run-name.ts'

const urlOf = (database: string): string => withDatabase(postgresUrl, database)
const quoted = (database: string): string => pg.escapeIdentifier(database)

/** Databases on the server of `TEST_POSTGRES_URL`, each made after the template. */
export const databases: TestDatabases = {
  async makeTemplate() {
    if (!postgresAnswers)
      throw new Error(`PostgreSQL does not answer at ${shownUrl}. Start it, or set TEST_POSTGRES_URL.`)
    await dropLeftOvers()
    const name = newRun()
    await execute(`CREATE DATABASE ${quoted(name)}`)
    await inPostgres(urlOf(name), async (client) => {
      for (const sql of readMigrations('prisma/postgresql/migrations')) await client.query(sql)
    })
    const clients = await postgresClients((adapter) => new PrismaClient({ adapter }), urlOf(name))
    await seed(clients.writer)
    await clients.close()
    return { name, drop: () => drop(name) }
  },

  async open(template, queries) {
    const name = `${template}_${randomUUID().slice(0, 8)}`
    await execute(`CREATE DATABASE ${quoted(name)} TEMPLATE ${quoted(template)}`)
    const clients = await postgresClients((adapter) => recordingClient(adapter, queries), urlOf(name), {
      onQuery: (sql) => void queries.push(sql),
    })
    const close = async () => {
      await clients.close()
      await drop(name)
    }
    return { ...clients, close }
  },

  forgetConstraints: [
    `DO $$ DECLARE each record; BEGIN
      FOR each IN SELECT conrelid::regclass AS tab, conname FROM pg_constraint
        WHERE contype IN ('f', 'c') AND connamespace = 'public'::regnamespace
      LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', each.tab, each.conname); END LOOP;
    END $$`,
  ],
}

const execute = (sql: string) => inPostgres(postgresUrl, (client) => client.query(sql))

async function drop(database: string): Promise<void> {
  await execute(`DROP DATABASE IF EXISTS ${quoted(database)} WITH (FORCE)`)
}

// A run that was killed could not clean up.
async function dropLeftOvers(): Promise<void> {
  const { rows } = await execute('SELECT datname FROM pg_database')
  for (const { datname } of rows) if (isLeftOver(datname)) await drop(datname)
}
