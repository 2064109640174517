import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { compileSql } from '../src/dialects/dialect.ts'
import { sqliteDialect } from '../src/dialects/sqlite-dialect.ts'
import { readSum } from '../src/queries/groups-query.ts'

// Sums of 64-bit integers are exact on SQLite, beyond 64 bits as well, where its own sum() is an error.

const bigint = { type: 'BigInt' } as ColumnMeta
const largest = 2n ** 63n - 1n

const sumOf = (values: readonly bigint[]): bigint | null => {
  const database = new Sqlite(':memory:')
  try {
    database.exec('create table t (v integer)')
    const insert = database.prepare('insert into t values (?)')
    for (const value of values) insert.run(value)
    const { text } = compileSql(sql`select ${sqliteDialect.sum(sql`v`, bigint)} from t`, sqliteDialect)
    const sum = database.prepare(text).pluck().get()
    return sum === null ? null : readSum(sum)
  } finally {
    database.close()
  }
}

test.each([
  [[1n, 2n, 3n]],
  [[largest, largest, largest]],
  [[-largest - 1n, -largest - 1n]],
  [[largest, -largest, -1n]],
  [[2n ** 32n, 2n ** 31n, -(2n ** 33n)]],
])('the sum of %o', (values) => {
  expect(sumOf(values)).toBe(values.reduce((sum, value) => sum + value, 0n))
})

test('of nothing there is none', () => {
  expect(sumOf([])).toBeNull()
})
