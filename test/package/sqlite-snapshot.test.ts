import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type SqliteDatabase, sqliteDatabase } from '../../src/store/sql/databases/sqlite-database.ts'

// Whatever a request reads without waiting for anything else agrees with itself, whoever writes meanwhile.

let folder: string
let writer: Sqlite.Database
let reader: SqliteDatabase
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'prismapi-snapshot-'))
  const file = path.join(folder, 'test.db')
  writer = new Sqlite(file)
  writer.exec('pragma journal_mode = wal; create table t (a integer)')
  reader = sqliteDatabase(file, undefined)
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
  reader.refresh()
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
