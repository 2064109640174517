import { execFile } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { type Backend, migratesEverything } from '../support/migrates-everything.ts'
import { makeProject, root } from '../support/prisma-project.ts'

const sqlite: Backend = {
  provider: 'sqlite',
  url: ({ folder }, database) => `file:${folder}/${database}.db`,
  query: async (url, sql) => query(url, sql),
  script: `-- One; two
    CREATE TRIGGER "loud" AFTER INSERT ON "Note" BEGIN UPDATE "Note" SET "text" = 'a; b' WHERE "id" = NEW."id"; END;
    CREATE VIEW "loudest" AS SELECT "text" FROM "Note";`,
  // Full-text search keeps tables of its own, which cannot be dropped alone.
  litter: 'CREATE VIRTUAL TABLE "litter" USING fts5("text")',
  remains: async ({ folder }) => readdirSync(folder).filter((name) => /-(journal|wal|shm)$/.test(name)),
  drop: async () => {},
}

// The last that is said: no frames of a stack.
const inUse = /\nThe database is in use by another process\.\s*$/

describe('SQLite', () => migratesEverything(sqlite))

test('the migrations of this repository add up to its schema, on a path with a space in it', async () => {
  const project = await makeProject('sqlite')
  cpSync(join(root, 'prisma/migrations'), join(project.folder, 'prisma/migrations'), { recursive: true })
  cpSync(join(root, 'prisma/schema.prisma'), join(project.folder, 'prisma/schema.prisma'))
  const from = ['--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema.prisma']
  const { code, text } = await project.prisma('file:./unused.db', 'migrate', 'diff', ...from, '--exit-code')
  expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('No difference detected') })
})

test('`migrate reset` empties a database in WAL mode, unless a server has it open: then it keeps every row', async () => {
  const project = await makeProject('sqlite')
  const url = `file:${project.folder}/served.db`
  expect((await project.prisma(url, 'migrate', 'dev', '--name', 'first')).code).toBe(0)
  const server = new Sqlite(url.slice('file:'.length))
  server.pragma('journal_mode = WAL')
  server.exec(`INSERT INTO "Note" ("text") VALUES ('kept')`)

  for (const args of [['deploy'], ['reset', '--force']]) {
    const { code, text } = await project.prisma(url, 'migrate', ...args)
    expect({ code, text }).toMatchObject({ code: 1, text: expect.stringMatching(inUse) })
  }
  expect(server.prepare('SELECT "text" FROM "Note"').pluck().all()).toEqual(['kept'])
  server.close()

  const { code, text } = await project.prisma(url, 'migrate', 'reset', '--force')
  expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('Database reset successful') })
  expect(query(url, 'SELECT "text" FROM "Note"')).toEqual([])
  expect(await sqlite.remains(project)).toEqual([])
})

test('without DATABASE_URL the database is prisma/dev.db, beside the configuration', async () => {
  const project = await makeProject('sqlite')
  expect((await project.prisma(undefined, 'db', 'push')).code).toBe(0)
  expect(await query(`file:${project.folder}/prisma/dev.db`, 'SELECT "id" FROM "Note"')).toEqual([])
})

test('a schema engine that the user has set wins', async () => {
  const project = await makeProject('sqlite')
  const engine = join(project.folder, 'engine.sh')
  writeFileSync(engine, '#!/bin/sh\necho "$@" > called\nexit 1\n')
  chmodSync(engine, 0o755)
  const env = { DATABASE_URL: 'file:./dev.db', PRISMA_SCHEMA_ENGINE_BINARY: engine }
  expect((await project.run(env, 'migrate', 'status')).code).toBe(1)
  expect(existsSync(join(project.folder, 'called'))).toBe(true)
})

test('a database that the stand-in does not know is refused, with the way out', async () => {
  expect(await canConnect('mysql://root@127.0.0.1/notes')).toMatchObject({
    error_code: 'P1013',
    message: expect.stringContaining("set PRISMA_SCHEMA_ENGINE_BINARY to Prisma's native engine"),
  })
})

test('a database file that does not exist is P1003', async () => {
  expect(await canConnect('file:./nowhere.db')).toMatchObject({ error_code: 'P1003' })
})

test('a PostgreSQL server that is away is P1001', async () => {
  expect(await canConnect('postgresql://me@127.0.0.1:1/notes')).toMatchObject({
    error_code: 'P1001',
    message: expect.stringContaining('ECONNREFUSED'),
  })
})

function query(url: string, sql: string): unknown[] {
  const database = new Sqlite(url.slice('file:'.length), { fileMustExist: true })
  try {
    const statement = database.prepare(sql)
    return statement.reader ? statement.raw().all() : [statement.run()]
  } finally {
    database.close()
  }
}

/** What the stand-in tells the CLI about a connection that fails: the second line on stderr. */
function canConnect(url: string): Promise<unknown> {
  const args = ['--datasource', JSON.stringify({ url }), 'cli', 'can-connect-to-database']
  return new Promise((done) => {
    execFile(join(root, 'packages/cli/assets/schema-engine.mjs'), args, (_error, _stdout, stderr) => {
      done(JSON.parse(stderr.split('\n')[1] ?? '').fields)
    })
  })
}
