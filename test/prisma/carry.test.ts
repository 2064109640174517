import type { SqlTransaction } from '@prismapi/core/database/sql-database'
import { carryBy } from '@prismapi/sql/prisma/carry'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Example, openExample, user } from '../support/prisma-example.ts'

const carryFile = 'packages/sql/src/prisma/carry.ts'

let example: Example
beforeAll(async () => {
  example = await openExample()
  const posts = { create: { title: 'a', slug: 'a', content: 'a' } }
  await example.writer.user.create({ data: { id: 1, ...user('ada'), posts } })
})
afterAll(() => example.close())

type Client = Example['writer']

/** Work with the client of a transaction that is begun here, and how often Prisma Client has taken part in it. */
async function carried<T>(work: (client: Client, shares: () => number) => Promise<T>): Promise<T> {
  let shares = 0
  const begin = async (): Promise<SqlTransaction> => {
    const transaction = (await example.sql.writer?.begin?.()) ?? expect.unreachable('There is no writer.')
    const shared = transaction.shared.bind(transaction)
    transaction.shared = (sharing) => {
      shares++
      return shared(sharing)
    }
    return transaction
  }
  const limits = { maxWait: 10_000, timeout: 60_000 }
  const insideOf = (client: object) => client as never
  const carry = carryBy({ begin, writer: example.writer as never, limits, insideOf })
  return carry((client) => work(client as unknown as Client, () => shares))
}
const names = (prefix: string) => example.writer.tag.count({ where: { name: { startsWith: prefix } } })

test('an operation, and one behind it, begins when somebody waits for it', async () => {
  const [before, posts, after] = await carried(async (client, shares) => {
    const operation = client.user.findUniqueOrThrow({ where: { id: 1 } }).posts({ select: { slug: true } })
    const none = shares()
    return [none, await operation, shares()] as const
  })
  expect(before, `Operations begin by themselves: the client of ${carryFile} comes too late.`).toBe(0)
  expect(posts, `Operations go on otherwise: ${carryFile} loses the next one.`).toEqual([{ slug: 'a' }])
  expect(after).toBe(1)
})

test('what Prisma Client does is undone with the transaction that it takes part in', async () => {
  const undone = carried(async (client) => {
    await client.tag.create({ data: { name: 'undone' } })
    throw new Error('No.')
  })
  await expect(undone).rejects.toThrow('No.')
  expect(await names('undone'), `Prisma Client begins a transaction of its own beside that of ${carryFile}.`).toBe(0)
})

test('a list is one transaction within', async () => {
  const [code, made] = await carried(async (client) => {
    const create = (name: string) => client.tag.create({ data: { name } })
    const refused = await client.$transaction([create('list'), create('list')]).catch((error: unknown) => error)
    return [Reflect.get(Object(refused), 'code'), await client.$transaction([create('list a'), create('list b')])]
  })
  expect([code, made]).toEqual([
    'P2002',
    [{ name: 'list a' }, { name: 'list b' }].map((tag) => expect.objectContaining(tag)),
  ])
  expect(
    await names('list'),
    'A transaction within is no savepoint: packages/core/src/database/prisma/client.ts undoes what failed in vain.',
  ).toBe(2)
})

test('operations of others are waited for in a list, where they do not say how to begin', async () => {
  const made = await carried((client) => {
    const create = (name: string) => client.tag.create({ data: { name } })
    return example.writer.$transaction([create('other a'), create('other b')])
  })
  expect(
    made,
    `A list begins operations otherwise than by requestTransaction, which ${carryFile} and packages/core/src/database/prisma/as-system.ts take from them.`,
  ).toHaveLength(2)
})
