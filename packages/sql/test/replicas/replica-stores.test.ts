import type { Replica, Replicas } from '@prismapi/core/database/store'
import { everything } from '@prismapi/jsonapi/condition/build'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { expect, test } from 'vitest'
import { openReplicaStores } from '../../src/replicas/replica-stores.ts'
import { sqlStores } from '../../src/sql-stores.ts'

// Prisma clients that count posts, or fail as the replica of a PostgreSQL server would.

const resources = { provider: 'postgresql', models: {}, enums: {} } as unknown as Resources
const clientOf = (count: () => Promise<number>) => ({ post: { count }, $transaction: async () => null })

const failing = (originalCode: string) =>
  Object.assign(new Error('It failed'), {
    name: 'PrismaClientKnownRequestError',
    code: 'P2010',
    meta: { driverAdapterError: { cause: { kind: 'postgres', originalCode } } },
  })

function open(count: () => Promise<number>) {
  const suspected: Replica[] = []
  const replica = { reader: clientOf(count), sql: { provider: 'sqlite' } } as unknown as Replica
  const replicas: Replicas = {
    all: [replica],
    choose: (position) => (position < 10n ? replica : null),
    suspect: (each) => void suspected.push(each),
    position: async () => 10n,
    lagMilliseconds: 1000,
  }
  const main = clientOf(async () => 1)
  const clients = { reader: main, writer: main, replicas }
  const parts = { clients, resources, onLateFailure: () => {}, onFallback: () => {} }
  const stores = sqlStores(parts)
  const copies = openReplicaStores(parts, stores)
  return { main: stores.prisma, copies: copies?.prisma as NonNullable<typeof copies>['prisma'], suspected }
}

const count = (store: ReturnType<typeof open>['main']) =>
  store.reader.read({ kind: 'count', model: 'Post', where: everything })

test('a request is read from the replica that is chosen for it, or from the primary', async () => {
  const { main, copies } = open(async () => 2)
  expect(await count(copies.reading(9n))).toBe(2)
  expect(await count(copies.reading(10n))).toBe(1)
  expect(copies.reading(10n)).toBe(main)
})

test('whoever reads from a replica would write to the primary', () => {
  const { main, copies } = open(async () => 2)
  expect(copies.reading(0n).write).toBe(main.write)
})

test('what a replica that is away does not answer, the primary does', async () => {
  const { copies, suspected } = open(() => Promise.reject(failing('57P01')))
  expect(await count(copies.reading(0n))).toBe(1)
  expect(suspected).toHaveLength(1)
})

test('what a replica gives up for the sake of its replay, the primary answers, and the replica goes on', async () => {
  const { copies, suspected } = open(() => Promise.reject(failing('40001')))
  expect(await count(copies.reading(0n))).toBe(1)
  expect(suspected).toEqual([])
})

test('what takes too long is not tried again', async () => {
  const { copies, suspected } = open(() => Promise.reject(failing('57014')))
  await expect(count(copies.reading(0n))).rejects.toMatchObject({ status: 503 })
  expect(suspected).toEqual([])
})

test('what is wrong with the query is wrong everywhere', async () => {
  const { copies, suspected } = open(() => Promise.reject(new TypeError('A mistake')))
  await expect(count(copies.reading(0n))).rejects.toThrow('A mistake')
  expect(suspected).toEqual([])
})

test('without replicas there are no such stores', () => {
  const main = clientOf(async () => 1)
  const parts = { clients: { reader: main, writer: main }, resources, onLateFailure: () => {}, onFallback: () => {} }
  expect(openReplicaStores(parts, sqlStores(parts))).toBeNull()
})
