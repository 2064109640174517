import { expect, test } from 'vitest'
import { reasonToRepeat } from '../../../../src/store/prisma/database-errors.ts'
import { refusalOf } from '../../../../src/store/prisma/refusals.ts'

const ofAdapter = (cause: object) => ({ name: 'DriverAdapterError', message: '', cause })
const ofPrisma = (code: string, cause: object) => ({
  code,
  name: 'x',
  message: '',
  meta: { driverAdapterError: { cause } },
})

test.each([
  ['deadlock', 1213, 'met'],
  ['a row that changed', 1020, 'met'],
  ['too many connections', 1040, 'passing'],
  ['too many connections of a user', 1203, 'passing'],
  ['lock wait timeout', 1205, 'passing'],
  ['the server shuts down', 1053, 'passing'],
  ['a query that was interrupted', 1317, 'passing'],
  ['a connection that was killed', 1927, 'passing'],
  ['a statement that took too long', 1969, 'passing'],
  ['the server has gone away', 2006, 'passing'],
  ['the connection is lost during the query', 2013, 'passing'],
  ['too long for its column', 1406, 'unfit'],
  ['a check', 4025, 'check'],
  ['a syntax error', 1064, null],
] as const)('MariaDB: %s, %i', (_what, number, refusal) => {
  expect(refusalOf(ofAdapter({ kind: 'mysql', originalCode: String(number) }))).toBe(refusal)
})

test.each([
  ['ER_SOCKET_UNEXPECTED_CLOSE', 'passing'],
  ['ER_GET_CONNECTION_TIMEOUT', 'passing'],
  ['ECONNREFUSED', 'passing'],
  ['ENOENT', null],
])('the driver says %s', (code, refusal) => {
  expect(refusalOf(Object.assign(new Error('x'), { code }))).toBe(refusal)
})

test.each(['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED'])(
  'SQLite: %s is worth another try, though Prisma takes it for a timeout of a socket',
  (originalCode) => {
    const error = ofPrisma('P1008', { kind: 'SocketTimeout', originalCode })
    expect([refusalOf(error), reasonToRepeat(error)]).toEqual(['busy', 'busy'])
    expect(refusalOf(Object.assign(new Error('database is locked'), { code: originalCode }))).toBe('busy')
  },
)

test.each([
  ['40001', 'met'],
  ['40P01', 'met'],
  ['57014', null],
  ['08006', null],
])('PostgreSQL: is %s a reason to repeat the transaction', (originalCode, reason) => {
  const thrown = ofPrisma('P2010', { kind: 'postgres', originalCode })
  expect(reasonToRepeat(thrown)).toBe(reason)
  expect(reasonToRepeat(Object.assign(new Error('translated'), { name: 'JsonApiError', cause: thrown }))).toBe(reason)
})
