import type { TableSize } from '@prismapi/core/database/sql-database'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { sqliteSizes } from '../../src/databases/sqlite-sizes.ts'

const textOf = (rows: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})`

/** A file with a table of that many rows, which is then changed, and what is said of it. */
function sizeAfter(rows: number, change = ''): number | null {
  const connection = new Sqlite(':memory:')
  connection.exec(`CREATE TABLE "a ""table" (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO "a ""table" (name) ${textOf(rows)} SELECT 'a name that is not the shortest' FROM n; ${change}`)
  const asked = [{ table: 'a "table', dbSchema: null, keys: [], texts: [] }]
  const [size = null] = sqliteSizes(connection)(asked) as readonly (TableSize | null)[]
  connection.close()
  return size?.rows ?? null
}

const move = (to: bigint | number, id: number) => `UPDATE "a ""table" SET id = ${to} WHERE id = ${id};`

test.each([
  ['of one row', 1, '', 1],
  ['of many', 50_000, '', 50_000],
  ['that was emptied', 50, 'DELETE FROM "a ""table"', 0],
  ['whose first rows were deleted', 50_000, 'DELETE FROM "a ""table" WHERE id <= 45000', 5000],
  ['with one large id', 20_000, move(2_147_483_647, 20_000), 20_000],
  ['with the largest and the smallest one', 20_000, move(2n ** 63n - 1n, 20_000) + move(-(2n ** 63n), 1), 20_000],
  ['with few ids between two gaps', 20_000, move(10 ** 9, 1) + move(10 ** 9 + 1, 2) + move(10 ** 12, 3), 20_000],
  ['without ids', 5, 'DROP TABLE "a ""table"; CREATE TABLE "a ""table" (id TEXT PRIMARY KEY) WITHOUT ROWID', null],
  ['that is not there', 5, 'DROP TABLE "a ""table"', null],
])('a table %s', (_, rows, change, size) => {
  expect(sizeAfter(rows, change)).toBe(size)
})

test('ids with many gaps are no more than the file has room for', () => {
  const size = Number(sizeAfter(100, 'UPDATE "a ""table" SET id = id * 20000000'))
  expect([size >= 100, size <= 3 * 4096]).toEqual([true, true])
})

/** Of 20,000 rows, what is said of a key and of a text. */
function looked(key: string, text: string, change = '') {
  const connection = new Sqlite(':memory:')
  connection.exec(`CREATE TABLE a (id INTEGER PRIMARY KEY, key INTEGER, text TEXT);
    INSERT INTO a (key, text) ${textOf(20_000)} SELECT ${key}, ${text} FROM n; ${change}`)
  const [size] = sqliteSizes(connection)([
    { table: 'a', dbSchema: null, keys: ['key'], texts: ['text'] },
  ]) as TableSize[]
  connection.close()
  return { most: size?.most[0] as number, octets: size?.octets[0] as number }
}

test('the most frequent value is found wherever its rows are', () => {
  const error = (key: string, most: number) => Math.abs(looked(key, "''").most - most) / most
  expect(error('CASE WHEN i % 2 = 0 THEN 3 ELSE i END', 10_000)).toBeLessThan(0.2)
  expect(error('CASE WHEN i % 100 < 50 THEN 3 ELSE i END', 10_000)).toBeLessThan(0.2)
  expect(error('CASE WHEN i > 18000 THEN 3 ELSE i END', 2000)).toBeLessThan(0.2)
  expect(looked('CASE WHEN i < 10000 THEN NULL ELSE i END', "''").most).toBe(0)
  expect(looked('i % 7000', "''").most).toBe(0)
})

test('an id far behind the others does not make its value a frequent one', () => {
  expect(looked('i', "''", 'UPDATE a SET id = 1000000000000 WHERE id = 20000').most).toBe(0)
})

test('texts are as long as they are in the mean', () => {
  expect(looked('i', "printf('%.*c', 3000, 'x')").octets).toBe(3000)
  expect(looked('i', 'NULL').octets).toBe(0)
})

test('a column that is not there yet keeps nothing from being told of the others', () => {
  const connection = new Sqlite(':memory:')
  connection.exec(`CREATE TABLE a (id INTEGER PRIMARY KEY); INSERT INTO a ${textOf(5)} SELECT i FROM n`)
  const asked = [{ table: 'a', dbSchema: null, keys: ['later'], texts: [] }]
  expect(sqliteSizes(connection)(asked)).toEqual([{ rows: 5, most: [0], octets: [] }])
  connection.close()
})
