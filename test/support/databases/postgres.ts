import { postgresClients } from '@prismapi/sql/postgres'
import { testDatabases } from '@prismapi/testing/internal/databases/test-databases'
import { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { seed } from '../../../prisma/seed.ts'
import type { TestDatabases } from '../database.ts'
import { inPostgres, postgresAnswers, postgresUrl, shownUrl } from '../postgres.ts'
import { migrationsIn, seedFiles } from './migrations.ts'
import { recordingClient } from './recording.ts'
import { isLeftOver } from './run-name.ts'

const copies = testDatabases({
  server: postgresUrl,
  migrations: migrationsIn('prisma/postgresql/migrations'),
  from: seedFiles,
  name: 'example',
  async seed(url) {
    const clients = await postgresClients((adapter) => new PrismaClient({ adapter }), url)
    await seed(clients.writer)
    await clients.close()
  },
})

/** A user that is nothing but guarded. */
export const guardedUser = 'prismapi_test_guarded'

/** Makes it: the cluster's, so another test file may make it at the same time. */
export const guardedLogin = `DO $$ BEGIN
  CREATE ROLE ${guardedUser} LOGIN IN ROLE prismapi_guarded;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$`

/** Databases on the server of `TEST_POSTGRES_URL`, each made after the template. */
export const databases: TestDatabases = {
  async makeTemplate() {
    if (!postgresAnswers)
      throw new Error(`PostgreSQL does not answer at ${shownUrl}. Start it, or set TEST_POSTGRES_URL.`)
    await dropLeftOvers()
    const { url, close } = await copies.open()
    return { name: new URL(url).pathname.slice(1), drop: close }
  },

  async open(_template, queries) {
    const { url, close } = await copies.open()
    const clientsOf = (at: string, guarded = false) =>
      postgresClients((adapter) => recordingClient(adapter, queries), at, {
        guarded,
        // Whether somebody has committed is asked once for all requests of a turn, and not by each.
        onQuery: (sql) => void (sql.includes('pg_current_snapshot') || queries.push(sql)),
      })
    const clients = await clientsOf(url)
    return {
      ...clients,
      async guardedBy(migration) {
        await inPostgres(url, (client) => client.query(migration))
        await inPostgres(url, (client) => client.query(guardedLogin))
        const own = new URL(url)
        own.username = guardedUser
        return clientsOf(own.href, true)
      },
      async close() {
        await clients.close()
        await close()
      },
    }
  },

  forgetConstraints: [
    `DO $$ DECLARE each record; BEGIN
      FOR each IN SELECT conrelid::regclass AS tab, conname FROM pg_constraint
        WHERE contype IN ('f', 'c') AND connamespace = 'public'::regnamespace
      LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', each.tab, each.conname); END LOOP;
    END $$`,
  ],
}

// Databases of other schemas, which a run that was killed could not drop.
async function dropLeftOvers(): Promise<void> {
  const { rows } = await inPostgres(postgresUrl, (client) => client.query('SELECT datname FROM pg_database'))
  for (const { datname } of rows)
    if (isLeftOver(datname))
      await inPostgres(postgresUrl, (client) => client.query(`DROP DATABASE IF EXISTS "${datname}" WITH (FORCE)`))
}
