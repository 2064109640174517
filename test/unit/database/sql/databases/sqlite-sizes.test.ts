import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { sqliteSizes } from '../../../../../src/database/sql/databases/sqlite-sizes.ts'

const textOf = (rows: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})`

/** A file with a table of that many rows, which is then changed, and what is said of it. */
function sizeAfter(rows: number, change = ''): number | null {
  const connection = new Sqlite(':memory:')
  connection.exec(`CREATE TABLE "a ""table" (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO "a ""table" (name) ${textOf(rows)} SELECT 'a name that is not the shortest' FROM n; ${change}`)
  const [size = null] = sqliteSizes(connection)([{ table: 'a "table', dbSchema: null }]) as readonly (number | null)[]
  connection.close()
  return size
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
