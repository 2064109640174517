import { expect, test } from 'vitest'
import { reasonToRetry, unavailableDatabase } from '../../../src/database/prisma/database-errors.ts'
import { refusalOf } from '../../../src/database/prisma/refusals.ts'

const ofAdapter = (cause: object) => ({ name: 'DriverAdapterError', message: '', cause })
const ofPrisma = (code: string, cause: object) => ({
  code,
  name: 'x',
  message: '',
  meta: { driverAdapterError: { cause } },
})

test.each([
  ['deadlock', 1213, 'serializationFailure'],
  ['a row that changed', 1020, 'serializationFailure'],
  ['too many connections', 1040, 'transient'],
  ['too many connections of a user', 1203, 'transient'],
  ['lock wait timeout', 1205, 'transient'],
  ['the server shuts down', 1053, 'transient'],
  ['a query that was interrupted', 1317, 'transient'],
  ['a connection that was killed', 1927, 'transient'],
  ['a statement that took too long', 1969, 'transient'],
  ['the server has gone away', 2006, 'transient'],
  ['the connection is lost during the query', 2013, 'transient'],
  ['too long for its column', 1406, 'invalidValue'],
  ['a check', 4025, 'check'],
  ['a syntax error', 1064, null],
] as const)('MariaDB: %s, %i', (_what, number, refusal) => {
  expect(refusalOf(ofAdapter({ kind: 'mysql', originalCode: String(number) }))).toBe(refusal)
})

test.each([
  ['ER_SOCKET_UNEXPECTED_CLOSE', 'transient'],
  ['ER_GET_CONNECTION_TIMEOUT', 'transient'],
  ['ECONNREFUSED', 'transient'],
  ['ENOENT', null],
])('the driver says %s', (code, refusal) => {
  expect(refusalOf(Object.assign(new Error('x'), { code }))).toBe(refusal)
})

test.each(['Connection terminated unexpectedly', 'Query read timeout'])(
  'the driver of PostgreSQL says without a code: %s',
  (message) => {
    expect(refusalOf(new Error(message))).toBe('transient')
  },
)

test.each(['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED'])(
  'SQLite: %s is worth another try, though Prisma takes it for a timeout of a socket',
  (originalCode) => {
    const error = ofPrisma('P1008', { kind: 'SocketTimeout', originalCode })
    expect([refusalOf(error), reasonToRetry(error)]).toEqual(['locked', 'locked'])
    expect(refusalOf(Object.assign(new Error('database is locked'), { code: originalCode }))).toBe('locked')
  },
)

test.each([
  ['40001', 'serializationFailure'],
  ['40P01', 'serializationFailure'],
  ['57014', null],
  ['08006', null],
])('PostgreSQL: is %s a reason to repeat the transaction', (originalCode, reason) => {
  const thrown = ofPrisma('P2010', { kind: 'postgres', originalCode })
  expect(reasonToRetry(thrown)).toBe(reason)
  expect(reasonToRetry(Object.assign(new Error('translated'), { name: 'JsonApiError', cause: thrown }))).toBe(reason)
})

test('a standby tells by its text that it takes no writes; what a client has sent is no such text', () => {
  const text = 'cannot use serializable mode in a hot standby'
  const refused = (originalCode: string, originalMessage: string) =>
    refusalOf(ofAdapter({ kind: 'postgres', originalCode, originalMessage }))
  expect(refused('0A000', text)).toBe('transient')
  expect(refused('22P02', `invalid input syntax for type integer: "${text}"`)).toBe('invalidValue')
  expect(refused('0A000', `"${text}" is not supported`)).toBeNull()
})

test('a database that takes no connections is away; another object in a wrong state is not', () => {
  const refused = (originalMessage: string) =>
    refusalOf(ofAdapter({ kind: 'postgres', originalCode: '55000', originalMessage }))
  expect(refused('database "shop" is not currently accepting connections')).toBe('transient')
  expect(refused('currval of sequence "a" is not yet defined in this session')).toBeNull()
})

test('an application that does not reach the database is answered 503; what never passes is a fault of its own', () => {
  const initialization = (errorCode?: string) =>
    Object.assign(new Error('x'), { name: 'PrismaClientInitializationError', errorCode })
  const known = (code: string, message: string) =>
    Object.assign(new Error(message), { name: 'PrismaClientKnownRequestError', code })
  const statusOf = (error: Error) => unavailableDatabase(error)?.status ?? null
  expect({
    away: statusOf(initialization('P1001')),
    withoutCode: statusOf(initialization()),
    wrongPassword: statusOf(initialization('P1000')),
    busy: statusOf(known('P2028', 'Transaction API error: Unable to start a transaction in the given time.')),
    over: statusOf(known('P2028', 'Transaction API error: Transaction already closed')),
  }).toEqual({ away: 503, withoutCode: 503, wrongPassword: null, busy: 503, over: null })
})
