import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import { delegateOf } from '../../src/store/delegates.ts'
import { prismaStore } from '../../src/store/prisma-store.ts'
import type { Store, Transaction } from '../../src/store/store.ts'
import { openTestDatabase } from '../support/database.ts'

let database: Awaited<ReturnType<typeof openTestDatabase>>
let store: Store
let reader: PrismaClient

beforeAll(async () => {
  database = await openTestDatabase()
  store = prismaStore(database, () => {})
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

    const results = await Promise.allSettled(
      Array.from({ length: 1000 }, (_, n) => [kept(n), ...(n % 5 === 0 ? [doomed(n)] : [])]).flat(),
    )
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

  test('a writer reads its own rows inside of its transaction, others only afterwards', async () => {
    const outside: number[] = []
    const inside = await store.write(async (transaction) => {
      await addTag(transaction, 'mine')
      outside.push(await store.reader.count('Tag', { name: 'mine' }))
      return transaction.reader.count('Tag', { name: 'mine' })
    })
    expect({ inside, outside, after: await store.reader.count('Tag', { name: 'mine' }) }).toEqual({
      inside: 1,
      outside: [0],
      after: 1,
    })
  })
})
