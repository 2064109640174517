import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { TooMuchText } from '@prismapi/core/database/sql-database'
import Sqlite from 'better-sqlite3'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { sqliteDatabase } from '../../src/databases/sqlite-database.ts'
import { openLane } from '../../src/lane/lane.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-lane-'))
const file = path.join(folder, 'lane.db')
const writer = new Sqlite(file)
writer.pragma('journal_mode = WAL')
writer.exec('create table t (id integer primary key, text text)')
const insert = writer.prepare('insert into t (text) values (?)')
for (let i = 0; i < 2500; i++) insert.run('ten letters')

type OnQuery = ((sql: string) => void) | undefined
const opened: { close(): Promise<void> }[] = []
const database = sqliteDatabase(file, {})
const open = (statementMilliseconds = 5000, { inlineMilliseconds = 0, onQuery = undefined as OnQuery } = {}) => {
  const lane = openLane({ file, inlineCost: 1, inlineMilliseconds, statementMilliseconds, onQuery, database })
  opened.push(lane)
  return lane
}
afterEach(async () => {
  for (const lane of opened.splice(0)) await lane.close()
})
afterAll(() => {
  database.close()
  writer.close()
  rmSync(folder, { recursive: true })
})

const any = Number.MAX_SAFE_INTEGER
/** It looks at six million pairs, which takes longer than any test waits. */
const wanted = ['a', 'b', 'c'].map((table) => `(random() & 255 <> 0 or still_wanted(${table}.id))`).join(' and ')
const endless = `select count(*) from t a, t b, t c where ${wanted} and instr(a.text || b.id, c.text || c.id) > 0`

test('rows come whole and in order, however many there are', async () => {
  const rows = await open().read(async ({ all }) => all('select id, text, null, 1.5 from t order by id', [], any))
  expect(rows).toEqual(Array.from({ length: 2500 }, (_, i) => [i + 1, 'ten letters', null, 1.5]))
})

test('values are bound, and bytes come as bytes', async () => {
  const rows = await open().read(async ({ all }) => all('select ?, ?, ?', ['a', 2, new Uint8Array([1, 2])], any))
  expect(rows).toEqual([['a', 2, new Uint8Array([1, 2])]])
})

test('all that a request reads is of one snapshot, and the next request sees what was written', async () => {
  const lane = open()
  const count = 'select count(*) from t'
  const seen = await lane.read(async ({ all }) => {
    const before = await all(count, [], any)
    insert.run('more')
    return [before, await all(count, [], any)]
  })
  expect(seen).toEqual([[[2500]], [[2500]]])
  expect(await lane.read(async ({ all }) => all(count, [], any))).toEqual([[2501]])
  writer.exec('delete from t where id > 2500')
})

test('what the database refuses is told with its code, and the thread goes on', async () => {
  const lane = open()
  await expect(lane.read(async ({ all }) => all('select nothing', [], any))).rejects.toMatchObject({
    code: 'SQLITE_ERROR',
  })
  expect(await lane.read(async ({ all }) => all('select 1', [], any))).toEqual([[1]])
})

test('rows with too much text are not read to their end', async () => {
  const lane = open()
  const texts = 'select text from t limit 10'
  await expect(lane.read(async ({ all }) => all(texts, [], 109))).rejects.toThrow(TooMuchText)
  expect(await lane.read(async ({ all }) => all(texts, [], 110))).toHaveLength(10)
})

test('a statement that takes too long is ended with 503, and another thread takes the place', async () => {
  const lane = open(50)
  const answers = await Promise.allSettled([1, 2, 3].map(() => lane.read(async ({ all }) => all(endless, [], any))))
  expect(answers).toMatchObject(answers.map(() => ({ reason: { status: 503, headers: { 'Retry-After': '1' } } })))
  expect(await lane.read(async ({ all }) => all('select 1', [], any))).toEqual([[1]])
})

test('the event loop turns while a statement runs', async () => {
  const lane = open(300)
  let ended = false
  const long = lane
    .read(async ({ all }) => all(endless, [], any))
    .catch(() => {
      ended = true
    })
  for (let i = 0; i < 100; i++) await turn()
  expect(ended).toBe(false)
  await long
})

test('what waits longest is next, and too many that wait are refused at once', async () => {
  const lane = open()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const order: number[] = []
  const reads = Array.from({ length: 66 }, (_, i) =>
    lane.read(async () => {
      if (i < 2) await held
      order.push(i)
    }),
  )
  const late = lane.read(async () => {})
  await expect(late).rejects.toMatchObject({ status: 503 })
  release()
  await Promise.all(reads)
  expect(order).toEqual(Array.from({ length: 66 }, (_, i) => i))
})

test('what is worth a try is read in the event loop, and by a thread from the first statement that takes long', async () => {
  const byThread: string[] = []
  const lane = open(200, { inlineMilliseconds: 2, onQuery: (sql) => byThread.push(sql) })
  const short = 'select id from t where (random() & 255 <> 0 or still_wanted(t.id)) and id <= 2'
  const withoutEnd = 'select count(*) from t'
  expect(await lane.read(async ({ all }) => [all(short, [], any), all(short, [], any)], true)).toEqual([
    [[1], [2]],
    [[1], [2]],
  ])
  expect(byThread).toEqual([])
  const read = lane.read(async ({ all }) => [await all(short, [], any), await all(withoutEnd, [], any)], true)
  expect(await read).toEqual([[[1], [2]], [[2500]]])
  expect(byThread).toEqual([withoutEnd])
  const mixed = lane.read(async ({ all }) => [await all(short, [], any), await all(endless, [], any)], true)
  await expect(mixed).rejects.toMatchObject({ status: 503 })
  const behind = lane.read(async ({ all }) => [await all(withoutEnd, [], any), await all(short, [], any)], true)
  expect(await behind).toEqual([[[2500]], [[1], [2]]])
  expect(byThread).toEqual([withoutEnd, endless, withoutEnd, short])
})

test('a statement that took long rests before it is tried again, twice as long each time, until it is quick', async () => {
  let tries = 0
  let isSlow = true
  const database = {
    allWithin() {
      tries++
      return isSlow ? null : [[1]]
    },
  }
  const lane = openLane({
    ...{ file, inlineCost: 1, inlineMilliseconds: 2, statementMilliseconds: 5000, onQuery: undefined, database },
  })
  opened.push(lane)
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  /** Is it tried again when so much time has passed, and not a little earlier? */
  async function rests(milliseconds: number): Promise<boolean> {
    const before = tries
    const ask = () => lane.read(async ({ all }) => all('select 1', [], any), true)
    now += milliseconds - 1
    await ask()
    const early = tries
    now += 1
    await ask()
    return early === before && tries === before + 1
  }
  try {
    await lane.read(async ({ all }) => all('select 1', [], any), true)
    for (const milliseconds of [4, 8, 16, 32, 64, 128, 256, 256])
      expect(await rests(milliseconds), String(milliseconds)).toBe(true)
    isSlow = false
    expect(await rests(256)).toBe(true)
    isSlow = true
    await lane.read(async ({ all }) => all('select 1', [], any), true)
    expect(await rests(4)).toBe(true)
  } finally {
    clock.mockRestore()
  }
})

test('text without an end is not read in the event loop either', async () => {
  const texts = 'select text from t where (random() & 255 <> 0 or still_wanted(t.id)) limit 10'
  const lane = open(5000, { inlineMilliseconds: 50 })
  await expect(lane.read(async ({ all }) => all(texts, [], 109), true)).rejects.toThrow(TooMuchText)
})
