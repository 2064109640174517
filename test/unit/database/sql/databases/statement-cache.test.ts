import Sqlite from 'better-sqlite3'
import { afterEach, expect, test, vi } from 'vitest'
import { cacheStatements } from '../../../../../src/database/sql/databases/statement-cache.ts'

const connection = new Sqlite(':memory:')
connection.exec('create table t (a integer)')
const prepare = vi.spyOn(connection, 'prepare')
const beforeUse = vi.fn()
cacheStatements(connection, beforeUse)
afterEach(() => vi.clearAllMocks())

test('a statement is prepared once, and runs each time with the values that it was bound to then', () => {
  const insert = 'insert into t values (?)'
  for (const value of [1, 2, 3]) connection.prepare(insert).bind([value]).run()
  const select = 'select a from t where a > ? order by a'
  const rows = (value: number) => connection.prepare(select).bind([value]).raw().all()
  expect([rows(0), rows(2)]).toEqual([[[1], [2], [3]], [[3]]])
  expect(prepare.mock.calls).toEqual([[insert], [select]])
})

test('whoever has to know is told before each use, and whether it writes', () => {
  for (const sql of ['begin', 'delete from t', 'delete from t', 'select a from t', 'commit']) connection.prepare(sql)
  expect(beforeUse.mock.calls).toEqual([[false], [true], [true], [false], [false]])
})
