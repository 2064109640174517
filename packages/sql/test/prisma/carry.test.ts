import type { SqlTransaction } from '@prismapi/core/database/sql-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { carryBy } from '../../src/prisma/carry.ts'

// A rollback that fails neither ends the process nor hides why the work failed.

const unread: unknown[] = []
const listen = (reason: unknown) => void unread.push(reason)
beforeEach(() => {
  unread.length = 0
  process.on('unhandledRejection', listen)
})
afterEach(() => process.off('unhandledRejection', listen))

/** A transaction whose end cannot be told to the database, and a promise of the first time that this is tried. */
function lost() {
  let tell = () => {}
  const tried = new Promise<void>((resolve) => {
    tell = resolve
  })
  const transaction: SqlTransaction = {
    prepare: () => expect.fail('nothing is asked'),
    shared: (work) => work(),
    commit: () => Promise.reject(new Error('The connection is lost.')),
    async rollback() {
      tell()
      throw new Error('There is nothing to undo.')
    },
  }
  return { transaction, tried }
}

const carryOf = (begin: () => Promise<SqlTransaction>, limits: { maxWait?: number; timeout?: number } = {}) =>
  carryBy({
    begin,
    writer: {} as never,
    limits: { maxWait: 60_000, timeout: 60_000, ...limits },
    insideOf: () => ({}) as never,
  })

/** Rejections are told as unread behind the turn in which they came. */
const aTurn = () => new Promise((resolve) => setTimeout(resolve))

test('work is undone for its own reason', async () => {
  const { transaction } = lost()
  const work = () => Promise.reject(new Error('This title is taken.'))
  await expect(carryOf(async () => transaction)(work)).rejects.toThrow('This title is taken.')
})

test('a transaction that cannot be committed says so', async () => {
  const { transaction } = lost()
  await expect(carryOf(async () => transaction)(async () => 1)).rejects.toThrow('The connection is lost.')
})

test('a transaction whose time is over is undone without a word', async () => {
  const { transaction, tried } = lost()
  const carried = carryOf(async () => transaction, { timeout: 1 })(async () => {
    await tried
    await aTurn()
    throw new Error('Its time was over.')
  })
  await expect(carried).rejects.toThrow('Its time was over.')
  await aTurn()
  expect(unread).toEqual([])
})

test('a transaction that begins too late is undone without a word', async () => {
  const { transaction, tried } = lost()
  let begin: (transaction: SqlTransaction) => void = () => {}
  const begun = new Promise<SqlTransaction>((resolve) => {
    begin = resolve
  })
  const late = carryOf(() => begun, { maxWait: 1 })(() => expect.fail('nothing is done'))
  await expect(late).rejects.toThrow('Unable to start a transaction in the given time.')
  begin(transaction)
  await tried
  await aTurn()
  expect(unread).toEqual([])
})
