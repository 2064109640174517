import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { seed } from '../../../prisma/seed.ts'
import { sqliteClients } from '../../../src/store/sqlite.ts'
import type { TestDatabases } from '../database.ts'
import { readMigrations } from './migrations.ts'
import { recordingClient } from './recording.ts'

/** Creates an empty database of the example, as the migrations make it. */
export function migrate(file: string): void {
  const database = new Sqlite(file)
  for (const sql of readMigrations('prisma/migrations')) database.exec(sql)
  database.close()
}

/** Files: each a copy of the template. */
export const databases: TestDatabases = {
  async makeTemplate() {
    const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-template-'))
    const file = path.join(folder, 'template.db')
    migrate(file)
    const clients = await sqliteClients((adapter) => new PrismaClient({ adapter }), `file:${file}`)
    await seed(clients.writer)
    // Into the file itself: what is copied is one file.
    await clients.writer.$queryRawUnsafe('PRAGMA wal_checkpoint(TRUNCATE)')
    await clients.close()
    return { name: file, drop: async () => rmSync(folder, { recursive: true, force: true }) }
  },

  async open(template, queries) {
    const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-'))
    const file = path.join(folder, 'test.db')
    cpSync(template, file)
    const clients = await sqliteClients((adapter) => recordingClient(adapter, queries), `file:${file}`, {
      onQuery: (sql) => void queries.push(sql),
    })
    const close = async () => {
      await clients.close()
      rmSync(folder, { recursive: true, force: true })
    }
    return { ...clients, close }
  },

  forgetConstraints: ['PRAGMA foreign_keys = OFF', 'PRAGMA ignore_check_constraints = ON'],
}
