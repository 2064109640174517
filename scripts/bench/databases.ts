import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { readMigrations } from '../../test/support/databases/migrations.ts'
import { migrate } from '../../test/support/databases/sqlite.ts'
import { inPostgres, postgresUrl, withDatabase } from '../../test/support/postgres.ts'
import { fill, type Spelling } from './dataset.ts'
import { startDelay } from './server-process.ts'

/** The databases of one run: each server has a copy of its own. */
export interface Databases {
  copy(name: string): Promise<string>
  /** Removes them all. */
  drop(): Promise<void>
}

export async function sqliteDatabases(spelling: Spelling = 'prisma'): Promise<Databases> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'prismapi-bench-'))
  const template = path.join(folder, 'template.db')
  migrate(template)
  fill(template, spelling)
  return {
    async copy(name) {
      const file = path.join(folder, `${name}.db`)
      copyFileSync(template, file)
      return file
    },
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

const tables = ['User', 'Tag', 'Post', 'Comment', '_PostToTag']
const rowsAtOnce = 5000

/** The same behind a line on which each chunk takes so many milliseconds longer, both ways. */
export async function delayedDatabases(databases: Databases, milliseconds: number): Promise<Databases> {
  const delay = await startDelay(milliseconds)
  return {
    copy: async (name) => delay.through(await databases.copy(name)),
    async drop() {
      delay.stop()
      await databases.drop()
    },
  }
}

/** On the server of `TEST_POSTGRES_URL`, with the rows of the SQLite one. */
export async function postgresDatabases(): Promise<Databases> {
  generateClient()
  const sqlite = await sqliteDatabases()
  const run = `prismapi_bench_${process.pid}`
  const names: string[] = []
  const create = async (name: string, options = '') => {
    await inPostgres(postgresUrl, (client) => client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)} ${options}`))
    names.push(name)
    return withDatabase(postgresUrl, name)
  }
  const template = await create(run)
  await copyRows(await sqlite.copy('rows'), template)
  await sqlite.drop()
  return {
    copy: (name) => create(`${run}_${name.replaceAll('-', '_')}`, `TEMPLATE ${pg.escapeIdentifier(run)}`),
    async drop() {
      for (const name of names)
        await inPostgres(postgresUrl, (client) =>
          client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`),
        )
    },
  }
}

function generateClient(): void {
  const { status } = spawnSync('node', ['--import', 'tsx', 'scripts/test-client.ts', 'postgresql'], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The Prisma client for PostgreSQL could not be generated.')
}

async function copyRows(file: string, url: string): Promise<void> {
  const sqlite = new Sqlite(file, { readonly: true })
  await inPostgres(url, async (client) => {
    for (const sql of readMigrations('prisma/postgresql/migrations')) await client.query(sql)
    for (const table of tables.map((name) => pg.escapeIdentifier(name))) {
      const rows = sqlite.prepare(`select * from ${table}`).all()
      const insert = `INSERT INTO ${table} SELECT * FROM json_populate_recordset(null::${table}, $1)`
      for (let from = 0; from < rows.length; from += rowsAtOnce)
        await client.query(insert, [JSON.stringify(rows.slice(from, from + rowsAtOnce))])
      if (table !== '"_PostToTag"')
        await client.query(`SELECT setval(pg_get_serial_sequence($1, 'id'), (SELECT max(id) FROM ${table}))`, [table])
    }
    await client.query('VACUUM ANALYZE')
  })
  sqlite.close()
}
