import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type SqliteDatabase, sqliteDatabase } from '@prismapi/sql/databases/sqlite-database'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

// Whatever a request reads without waiting for anything else agrees with itself, whoever writes meanwhile.

let folder: string
let writer: Sqlite.Database
let reader: SqliteDatabase
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'prismapi-snapshot-'))
  const file = path.join(folder, 'test.db')
  writer = new Sqlite(file)
  writer.exec('pragma journal_mode = wal; create table t (a integer)')
  reader = sqliteDatabase(file, {})
})
afterEach(() => {
  reader.close()
  writer.close()
  rmSync(folder, { recursive: true })
})

const count = () => reader.prepare('select count(*) from t').all([]) as [[number]]
const add = () => writer.exec('insert into t values (1)')

test('is one snapshot, over any number of promises that are fulfilled already', async () => {
  await null
  expect(count()).toEqual([[0]])
  add()
  for (let i = 0; i < 100; i++) await null
  expect(count()).toEqual([[0]])
})

test('what is read after waiting sees what was written meanwhile', async () => {
  await null
  expect(count()).toEqual([[0]])
  add()
  await new Promise(setImmediate)
  expect(count()).toEqual([[1]])
})

test('a write of the same process is seen at once', () => {
  expect(count()).toEqual([[0]])
  add()
  reader.beforeUse(true)
  expect(count()).toEqual([[1]])
})

test('the number that moves with every commit is that of the snapshot', async () => {
  await null
  const version = () => reader.version?.()
  const before = version()
  add()
  expect(version()).toBe(before)
  await new Promise(setImmediate)
  expect(version()).not.toBe(before)
})

test('no snapshot is left open, which would keep the journal from being written back', async () => {
  count()
  add()
  await new Promise(setImmediate)
  expect(writer.pragma('wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }])
})

describe('beside a connection of the same process that writes', () => {
  let own: Sqlite.Database
  let database: SqliteDatabase
  beforeEach(() => {
    own = new Sqlite(writer.name)
    // As that of Prisma's adapter.
    own.defaultSafeIntegers(true)
    const prepare = own.prepare.bind(own) as typeof own.prepare
    database = sqliteDatabase(writer.name, { writing: () => ({ connection: own, prepare }) })
  })
  afterEach(() => {
    database.close()
    own.close()
  })

  const all = () => database.prepare('select count(*) from t').all([])
  /** As whoever writes on that connection: it says so before. */
  const run = (sql: string) => {
    database.beforeUse(/insert/.test(sql))
    own.exec(sql)
  }

  test('the snapshot is one of that connection', async () => {
    expect(all()).toEqual([[0]])
    expect(own.inTransaction).toBe(true)
    add()
    expect(all()).toEqual([[0]])
    await new Promise(setImmediate)
    expect(own.inTransaction).toBe(false)
    expect(all()).toEqual([[1]])
  })

  test('what a transaction there has not committed is not seen', async () => {
    run('begin; insert into t values (1)')
    expect(all()).toEqual([[0]])
    await new Promise(setImmediate)
    expect(own.inTransaction).toBe(true)
    run('commit')
    expect(all()).toEqual([[1]])
  })

  test('the number moves with the commits of that connection, and with those of others', async () => {
    const versions = []
    const insert = 'insert into t values (1)'
    for (const write of [() => {}, () => run(insert), add, () => run(`begin; ${insert}`), () => run('commit')]) {
      write()
      await new Promise(setImmediate)
      versions.push(database.version?.())
      expect(database.version?.()).toBe(versions.at(-1))
    }
    expect(new Set(versions).size).toBe(5)
    for (const sql of ['begin', 'select 1', 'commit']) run(sql)
    expect(database.version?.()).toBe(versions.at(-1))
  })

  test('a total is never kept under the number of another snapshot', async () => {
    await null
    const before = database.version?.()
    add()
    expect([all(), database.version?.()]).toEqual([[[0]], before])
    await new Promise(setImmediate)
    expect(database.version?.()).not.toBe(before)
    expect(all()).toEqual([[1]])
  })

  test('that connection may be closed at any time', async () => {
    expect(all()).toEqual([[0]])
    own.close()
    expect(all()).toEqual([[0]])
    await new Promise(setImmediate)
    expect(all()).toEqual([[0]])
  })

  test('a statement that takes the transaction along when it fails harms nobody', async () => {
    await null
    expect(all()).toEqual([[0]])
    own.exec('rollback')
    add()
    expect(all()).toEqual([[1]])
    own.exec('rollback')
    run('begin; insert into t values (1); commit')
    expect(all()).toEqual([[2]])
    own.exec('rollback')
    await new Promise(setImmediate)
    expect(all()).toEqual([[2]])
  })
})
