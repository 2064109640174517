import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mixedInstants } from '../../../../src/database/sql/databases/mixed-instants.ts'

// What is known of a column's spellings while another process writes.

let folder: string
let writer: Sqlite.Database
let reader: Sqlite.Database

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'prismapi-instants-'))
  const file = path.join(folder, 'events.db')
  writer = new Sqlite(file)
  writer.pragma('journal_mode = WAL')
  writer.exec('CREATE TABLE "Event" ("id" INTEGER PRIMARY KEY, "at" DATETIME)')
  reader = new Sqlite(file, { readonly: true })
})
afterEach(() => {
  reader.close()
  writer.close()
  rmSync(folder, { recursive: true })
})

const usual = '2024-05-01T10:20:30.000+00:00'
const odd = '2024-05-01 10:20:30'
const add = (count: number, at: unknown) => {
  const insert = writer.prepare('INSERT INTO "Event" ("at") VALUES (?)')
  writer.transaction(() => {
    for (let i = 0; i < count; i++) insert.run(at)
  })()
}
const asked = (spelling: 'iso8601' | 'unixepoch-ms' = 'iso8601') => {
  const mixes = mixedInstants(reader, spelling)
  return () => mixes({ table: 'Event', dbSchema: null }, 'at')
}

test.each([
  ['iso8601', usual, odd],
  ['iso8601', usual, 1714558830000],
  ['unixepoch-ms', 1714558830000, usual],
] as const)('a small table is looked at after each commit: %s', (spelling, own, other) => {
  const mixes = asked(spelling)
  add(3, own)
  add(1, null)
  expect(mixes()).toBe(false)
  writer.prepare('UPDATE "Event" SET "at" = ? WHERE "id" = 2').run(other)
  expect(mixes()).toBe(true)
  writer.prepare('UPDATE "Event" SET "at" = ? WHERE "id" = 2').run(own)
  expect(mixes()).toBe(false)
})

test('rows that are added to a large one are seen at once', () => {
  const mixes = asked()
  add(50_000, usual)
  expect(mixes()).toBe(false)
  add(1, usual)
  expect(mixes()).toBe(false)
  add(1, odd)
  expect(mixes()).toBe(true)
})

test('a row that is changed in a large one is seen after a while', async () => {
  const mixes = asked()
  add(2000, usual)
  expect(mixes()).toBe(false)
  writer.prepare('UPDATE "Event" SET "at" = ? WHERE "id" = 2').run(odd)
  await expect.poll(mixes, { timeout: 10_000 }).toBe(true)
})
