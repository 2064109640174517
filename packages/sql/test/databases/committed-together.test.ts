import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Stored } from '@prismapi/core/database/sql-database'
import Sqlite from 'better-sqlite3'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { ChangeSigner, committedTogether } from '../../src/databases/sqlite-writer.ts'
import type { WritingConnection } from '../../src/prisma/sqlite-adapter.ts'

const schema = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE "Tag" ("id" INTEGER PRIMARY KEY, "name" TEXT UNIQUE, "group" INTEGER REFERENCES "Group" DEFERRABLE INITIALLY DEFERRED);
  CREATE TABLE "Group" ("id" INTEGER PRIMARY KEY);
  CREATE TABLE "Change" ("id" INTEGER PRIMARY KEY, "name" TEXT, "request" TEXT, "user" TEXT);
  CREATE TRIGGER "log" AFTER INSERT ON "Tag" BEGIN INSERT INTO "Change" ("name") VALUES (new."name"); END;
  CREATE TRIGGER "never" BEFORE INSERT ON "Tag" WHEN new."name" = 'never' BEGIN SELECT RAISE(ROLLBACK, 'never'); END;`

let statements: string[] = []
let writing: WritingConnection
let other: Sqlite.Database
let write: ReturnType<typeof committedTogether>
const names = () => other.prepare('SELECT "name" FROM "Tag" ORDER BY "name"').pluck().all()

beforeEach(() => {
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-together-'))
  const file = path.join(folder, 'test.db')
  const told = (sql: unknown) => void statements.push(String(sql).replace(/ .*/, ''))
  const connection = new Sqlite(file, { timeout: 5, verbose: told })
  connection.exec(schema)
  writing = { connection, prepare: connection.prepare.bind(connection) as Sqlite.Database['prepare'] }
  other = new Sqlite(file, { timeout: 5 })
  statements = []
  write = committedTogether(() => (writing.connection.inTransaction ? null : writing))
  onTestFinished(() => {
    connection.close()
    other.close()
    rmSync(folder, { recursive: true })
  })
})

const insert =
  (name: string, group: number | null = null) =>
  ({ prepare }: WritingConnection) =>
    prepare<unknown[], Stored>('INSERT INTO "Tag" ("name", "group") VALUES (?, ?) RETURNING "name"')
      .raw()
      .all(name, group)
const settled = (...writes: readonly ReturnType<typeof insert>[]) =>
  Promise.all(
    writes.map((each) =>
      write(each).then(
        (rows) => rows?.[0]?.[0] ?? rows,
        (error: Error) => error.message,
      ),
    ),
  )

test('writes of one turn are one transaction', async () => {
  expect(await settled(insert('a'), insert('b'), insert('c'))).toEqual(['a', 'b', 'c'])
  expect(statements).toEqual(['BEGIN', 'INSERT', 'INSERT', 'INSERT', 'COMMIT'])
})

test('one write is its own transaction', async () => {
  expect(await settled(insert('a'))).toEqual(['a'])
  expect(await settled(insert('b'))).toEqual(['b'])
  expect(statements).toEqual(['INSERT', 'INSERT'])
})

test('none is seen, or answered, before all are committed', async () => {
  const seen: unknown[] = []
  const first = write(insert('a')).then(() => seen.push(names()))
  const second = write((connection) => {
    seen.push(names())
    return insert('b')(connection)
  })
  await Promise.all([first, second])
  expect(seen).toEqual([[], ['a', 'b']])
})

test.each<[string, ReturnType<typeof insert>, string]>([
  ['a value that is taken', insert('a'), 'UNIQUE constraint failed: Tag.name'],
  ['a trigger that undoes the transaction', insert('never'), 'never'],
  ['a reference that is looked at when the transaction ends', insert('d', 99), 'FOREIGN KEY constraint failed'],
])('%s fails alone', async (_, failing, message) => {
  expect(await settled(insert('a'), failing, insert('b'))).toEqual(['a', message, 'b'])
  expect(names()).toEqual(['a', 'b'])
  expect(writing.connection.inTransaction).toBe(false)
})

test('nothing is done while a transaction is open', async () => {
  writing.connection.exec('BEGIN')
  expect(await settled(insert('a'), insert('b'))).toEqual([null, null])
  writing.connection.exec('COMMIT')
  expect(names()).toEqual([])
})

test('all fail at once while another process writes', async () => {
  other.exec('BEGIN IMMEDIATE')
  expect(await settled(insert('a'), insert('b'))).toEqual(['database is locked', 'database is locked'])
  expect(statements).toEqual(['BEGIN'])
  other.exec('COMMIT')
  expect(await settled(insert('a'), insert('b'))).toEqual(['a', 'b'])
})

test('all are told where what was begun cannot be undone', async () => {
  const { connection, prepare } = writing
  const failing = (sql: string) => {
    if (sql !== 'ROLLBACK') return prepare(sql)
    return {
      run() {
        throw new Error('disk I/O error')
      },
    }
  }
  writing = { connection, prepare: failing as typeof prepare }
  expect(await settled(insert('a'), insert('a'))).toEqual(['disk I/O error', 'disk I/O error'])
  connection.exec('ROLLBACK')
  expect(names()).toEqual([])
})

test('each is signed by whoever asked for it', async () => {
  const signer = new ChangeSigner(writing)
  const signed = (name: string) => (connection: WritingConnection) =>
    signer.signed({ request: `r-${name}`, user: `u-${name}` }, () => insert(name)(connection))
  const told = () => other.prepare('SELECT "name", "request", "user" FROM "Change" ORDER BY "id"').raw().all()

  expect(await settled(signed('a'), signed('b'))).toEqual(['a', 'b'])
  expect(told()).toEqual([
    ['a', 'r-a', 'u-a'],
    ['b', 'r-b', 'u-b'],
  ])
  expect(await settled(signed('c'), signed('a'), signed('d'))).toEqual(['c', 'UNIQUE constraint failed: Tag.name', 'd'])
  expect(told().slice(2)).toEqual([
    ['c', 'r-c', 'u-c'],
    ['d', 'r-d', 'u-d'],
  ])
})
