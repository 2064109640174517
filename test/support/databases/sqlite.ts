import path from 'node:path'
import { sqliteClients } from '@prismapi/sql/sqlite'
import { testDatabases } from '@prismapi/testing/internal/databases/test-databases'
import Sqlite from 'better-sqlite3'
import { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { seed } from '../../../prisma/seed.ts'
import type { TestDatabases } from '../database.ts'
import { migrationsIn, readMigrations, seedFiles } from './migrations.ts'
import { recordingClient } from './recording.ts'

/** Creates an empty database of the example, as the migrations make it. */
export function migrate(file: string): void {
  const database = new Sqlite(file)
  for (const sql of readMigrations('prisma/migrations')) database.exec(sql)
  database.close()
}

const files = testDatabases({
  migrations: migrationsIn('prisma/migrations'),
  from: seedFiles,
  name: 'example',
  async seed(url) {
    const clients = await sqliteClients((adapter) => new PrismaClient({ adapter }), url)
    await seed(clients.writer)
    await clients.close()
  },
})

/** Files: each a copy of the template. */
export const databases: TestDatabases = {
  async makeTemplate() {
    const { url, close } = await files.open()
    return { name: path.normalize(url.replace('file:', '')), drop: close }
  },

  async open(_template, queries) {
    const { url, close } = await files.open()
    const clients = await sqliteClients((adapter) => recordingClient(adapter, queries), url, {
      onQuery: (sql) => void queries.push(sql),
    })
    return {
      ...clients,
      async close() {
        await clients.close()
        await close()
      },
    }
  },

  forgetConstraints: ['PRAGMA foreign_keys = OFF', 'PRAGMA ignore_check_constraints = ON'],
}
