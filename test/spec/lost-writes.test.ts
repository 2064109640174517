import { delegateOf } from '@prismapi/core/database/prisma/client'
import { prismaStore } from '@prismapi/core/database/prisma/prisma-store'
import type { Store, Transaction } from '@prismapi/core/database/store'
import { sqlStores } from '@prismapi/sql/sql-stores'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import { resources } from '../../prisma/generated/resources.ts'
import { conditionIn } from '../support/conditions.ts'
import { openTestDatabase, provider } from '../support/database.ts'
import { inLanes } from '../support/in-lanes.ts'

let database: Awaited<ReturnType<typeof openTestDatabase>>
let store: Store
let reader: PrismaClient

beforeAll(async () => {
  database = await openTestDatabase()
  store = prismaStore(database, () => {}, { resources })
  reader = database.reader
})
afterAll(() => database.close())

const addTag = ({ client }: Transaction, name: string) => delegateOf(client, 'Tag').create({ data: { name } })
const pause = () => new Promise((resolve) => setImmediate(resolve))

describe('writes on SQLite, beside transactions that roll back', () => {
  test('of a thousand acknowledged writes none is lost, and no reader ever sees an uncommitted row', async () => {
    let isDone = false
    let seen = 0
    const watching = (async () => {
      while (!isDone) {
        seen += await reader.tag.count({ where: { name: { startsWith: 'doomed-' } } })
        await pause()
      }
    })()
    const doomed = (n: number) =>
      store.write(async (transaction) => {
        await addTag(transaction, `doomed-${n}`)
        await pause()
        await addTag(transaction, `doomed-${n}-again`)
        throw new Error('rolled back')
      })
    const kept = (n: number) => store.write((transaction) => addTag(transaction, `kept-${n}`))

    const works = Array.from({ length: 1000 }, (_, n) => [() => kept(n), ...(n % 5 === 0 ? [() => doomed(n)] : [])])
    const results = await inLanes<unknown>(50, works.flat())
    isDone = true
    await watching

    const rejected = results.filter((result) => result.status === 'rejected')
    expect(new Set(rejected.map((result) => result.reason.message))).toEqual(new Set(['rolled back']))
    expect(rejected).toHaveLength(200)
    const names = await reader.tag.findMany({ where: { name: { startsWith: 'kept-' } }, select: { name: true } })
    expect(new Set(names.map(({ name }) => name))).toEqual(new Set(Array.from({ length: 1000 }, (_, n) => `kept-${n}`)))
    expect(await reader.tag.count({ where: { name: { startsWith: 'doomed-' } } })).toBe(0)
    expect(seen).toBe(0)
  }, 60_000)

  test('none of those that are one statement either, and each of them is done once', async () => {
    const { auto } = sqlStores({ clients: database, resources, onLateFailure: () => {}, onFallback: () => {} })
    const ways = { single: 0, inTransaction: 0 }
    const kept = async (n: number) => {
      const data = { name: `plain-${n}` }
      const isDone = await auto.single?.insert({ model: 'Tag', data, returning: ['id'] })
      if (!isDone) await auto.write((transaction) => addTag(transaction, data.name))
      ways[isDone ? 'single' : 'inTransaction']++
    }
    const doomed = (n: number) =>
      auto.write(async (transaction) => {
        await addTag(transaction, `lost-${n}`)
        await pause()
        throw new Error('rolled back')
      })
    const results = await inLanes(
      50,
      Array.from({ length: 300 }, (_, n) => async () => {
        // Some come while a transaction is open, and some while there is none.
        for (let turn = 0; turn < n % 40; turn++) await pause()
        await (n % 10 === 0 ? doomed(n) : kept(n))
      }),
    )
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(30)
    const names = await reader.tag.findMany({ where: { name: { startsWith: 'plain-' } }, select: { name: true } })
    const expected = Array.from({ length: 300 }, (_, n) => n).filter((n) => n % 10 !== 0)
    expect(names.map(({ name }) => name).sort()).toEqual(expected.map((n) => `plain-${n}`).sort())
    expect(await reader.tag.count({ where: { name: { startsWith: 'lost-' } } })).toBe(0)
    expect(ways.single).toBeGreaterThan(0)
    // Another connection has no need to wait for the transactions of the first.
    expect(ways.inTransaction > 0).toBe(provider === 'sqlite')
  }, 60_000)

  test('a writer reads its own rows inside of its transaction, others only afterwards', async () => {
    const mine = { kind: 'count', model: 'Tag', where: conditionIn({ name: 'mine' }, 'Tag', resources) } as const
    const outside: number[] = []
    const inside = await store.write(async (transaction) => {
      await addTag(transaction, 'mine')
      outside.push(await store.reader.read(mine))
      return transaction.reader.read(mine)
    })
    expect({ inside, outside, after: await store.reader.read(mine) }).toEqual({
      inside: 1,
      outside: [0],
      after: 1,
    })
  })
})
