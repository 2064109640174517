import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { storedInstants } from '../src/databases/stored-instants.ts'

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
const zulu = '2024-05-01T10:20:30.000Z'
const asked = (spelling: 'iso8601' | 'unixepoch-ms' = 'iso8601') => {
  const instantsIn = storedInstants(reader, spelling, () => reader.pragma('data_version', { simple: true }) as number)
  return () => instantsIn({ table: 'Event', dbSchema: null }, 'at')
}

test.each([
  ['iso8601', usual, odd],
  ['iso8601', usual, 1714558830000],
  ['iso8601', usual, '2024-05-01T10:20:30Z'],
  ['iso8601', usual, '2024-05-01T10:20:30.000000Z'],
  ['iso8601', usual, '2024-05-01T10:20:30.000z'],
  ['iso8601', usual, '2024-05-01T10:20:30.000+02:00'],
  ['unixepoch-ms', 1714558830000, usual],
  ['unixepoch-ms', 1714558830000, zulu],
] as const)('a small table is looked at after each commit: %s', (spelling, own, other) => {
  const stored = asked(spelling)
  add(3, own)
  add(1, null)
  expect(stored()).toBe('usual')
  writer.prepare('UPDATE "Event" SET "at" = ? WHERE "id" = 2').run(other)
  expect(stored()).toBe('mixed')
  writer.prepare('UPDATE "Event" SET "at" = ? WHERE "id" = 2').run(own)
  expect(stored()).toBe('usual')
})

test("JavaScript's spelling is told from others, alone, beside Prisma's, and beside any", () => {
  const stored = asked()
  expect(stored()).toBe('usual')
  add(1, null)
  add(2, zulu)
  expect(stored()).toBe('zulu')
  add(1, usual)
  expect(stored()).toBe('both')
  add(1, odd)
  expect(stored()).toBe('mixed')
})

test.each([
  [usual, 'usual', 'usual', zulu, 'both'],
  [usual, 'usual', 'usual', odd, 'mixed'],
  [zulu, 'zulu', 'both', usual, 'both'],
  [zulu, 'zulu', 'both', odd, 'mixed'],
] as const)(
  'rows that are added to a large one are seen at once: %s, %s, %s',
  (own, before, meanwhile, other, then) => {
    const stored = asked()
    add(50_000, own)
    expect(stored()).toBe(before)
    add(1, own)
    expect(stored()).toBe(meanwhile)
    add(1, other)
    expect(stored()).toBe(then)
  },
)

test.each([
  [usual, 'usual', odd, 'mixed'],
  [usual, 'usual', zulu, 'both'],
  [zulu, 'zulu', usual, 'both'],
] as const)(
  'a row that is changed in a large one is seen after a while: %s, %s, %s',
  async (own, before, other, then) => {
    const stored = asked()
    add(2000, own)
    expect(stored()).toBe(before)
    writer.prepare('UPDATE "Event" SET "at" = ? WHERE "id" = 2').run(other)
    await expect.poll(stored).toBe(then)
  },
)

test("a large one that is all JavaScript's may have rows by Prisma after each commit, until it is looked at", async () => {
  const stored = asked()
  add(50_000, zulu)
  expect(stored()).toBe('zulu')
  writer.prepare('UPDATE "Event" SET "at" = ? WHERE "id" = 2').run(usual)
  expect(stored()).toBe('both')
  writer.prepare('UPDATE "Event" SET "at" = ? WHERE "id" = 2').run(zulu)
  expect(stored()).toBe('both')
  await expect.poll(stored).toBe('zulu')
})
