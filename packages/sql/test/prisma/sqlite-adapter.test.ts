import Sqlite from 'better-sqlite3'
import { afterEach, expect, test, vi } from 'vitest'
import { cacheStatements, SharedAdapter } from '../../src/prisma/sqlite-adapter.ts'

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

test('a transaction that has ended gives its connection back, though a read has begun another one there', async () => {
  let isRead = false
  const endRead = () => {
    if (isRead) adapter.shared?.prepare('COMMIT').run()
    isRead = false
  }
  const adapter = new SharedAdapter({ url: ':memory:' }, {}, endRead)
  const written = await adapter.begin()
  await written.executeRaw({ sql: 'ROLLBACK', args: [], argTypes: [] })
  adapter.shared?.prepare('BEGIN').run()
  isRead = true
  await written.rollback()
  expect([adapter.transaction, adapter.shared?.connection.inTransaction]).toEqual([null, true])
  const next = await adapter.begin()
  expect([isRead, adapter.shared?.connection.inTransaction]).toEqual([false, true])
  await next.rollback()
  expect(adapter.shared?.connection.inTransaction).toBe(false)
})
