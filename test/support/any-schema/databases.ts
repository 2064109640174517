import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Clients } from '@prismapi/core/database/store'
import { postgresClients } from '@prismapi/sql/postgres'
import { sqliteClients } from '@prismapi/sql/sqlite'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { newRun } from '../databases/run-name.ts'
import { inPostgres, postgresUrl, withDatabase } from '../postgres.ts'
import type { FixtureProvider } from './fixtures.ts'
import { copyTables, type Generated, push } from './generate.ts'

/** An empty database with the tables of a fixture, and the clients that serve it. */
export interface FixtureDatabase {
  readonly url: string
  readonly clients: Clients
  /** Runs SQL beside the server, for what no client can write. */
  execute(sql: string): Promise<void>
  close(): Promise<void>
}

export const databases: Readonly<Record<FixtureProvider, (generated: Generated) => Promise<FixtureDatabase>>> = {
  async sqlite({ PrismaClient, schemaFile }) {
    const file = path.join(path.dirname(schemaFile), 'test.db')
    await copyTables(schemaFile, file)
    const url = `file:${file}`
    const { close, ...clients } = await sqliteClients((adapter) => new PrismaClient({ adapter }), url)
    const execute = async (sql: string) => {
      const database = new Sqlite(file)
      database.exec(sql)
      database.close()
    }
    return { url, clients, execute, close }
  },

  async postgresql({ PrismaClient, schemaFile }) {
    const name = newRun()
    const url = withDatabase(postgresUrl, name)
    await inPostgres(postgresUrl, (client) => client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`))
    if (readFileSync(schemaFile, 'utf8').includes('@db.Citext'))
      await inPostgres(url, (client) => client.query('CREATE EXTENSION citext'))
    await push(schemaFile, url)
    const { close, ...clients } = await postgresClients((adapter) => new PrismaClient({ adapter }), url)
    return {
      url,
      clients,
      execute: (sql) => inPostgres(url, async (client) => void (await client.query(sql))),
      async close() {
        await close()
        await inPostgres(postgresUrl, (client) =>
          client.query(`DROP DATABASE ${pg.escapeIdentifier(name)} WITH (FORCE)`),
        )
      },
    }
  },
}
