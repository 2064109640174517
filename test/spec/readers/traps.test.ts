import type { SqlDatabase } from '@prismapi/core/database/sql-database'
import type { OrderTerm } from '@prismapi/jsonapi/condition/order-term'
import type { Where } from '@prismapi/jsonapi/model/where'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { resources } from '../../../prisma/generated/resources.ts'
import { conditionIn } from '../../support/conditions.ts'
import { openTestDatabase, provider } from '../../support/database.ts'
import { bothReaders, type Readers } from '../../support/readers/compare.ts'
import type { Database } from '../../support/servers.ts'

// Where NULL, LIKE and branches without a condition mean something that nobody would guess: the statements mean what
// Prisma means, of which the ids tell.

const isSqlite = provider === 'sqlite'
const videoId = (number: number) => `00000000-0000-4000-8000-00000000000${number}`
const seconds = [1, 2, null, 3, 1, null, 4, 5, 5]
const titles = ['abc', 'ABC', 'a%c', 'a_c', '', 'äö', 'ÄÖ', 'a\\c', 'xyz']
/** Videos 3 to 5 are user 1's, the last one is user 5's. */
const owners = [null, null, 1, 1, 1, null, null, null, 5]

async function fill(db: PrismaClient): Promise<void> {
  for (const model of ['comment', 'video', 'post', 'profile', 'user'] as const)
    await (db[model] as unknown as { deleteMany(): Promise<unknown> }).deleteMany()
  const at = new Date('2024-01-01T00:00:00Z')
  for (const id of [1, 2, 5])
    await db.user.create({
      data: { id, name: `User ${id}`, email: `${id}@example.com`, passwordHash: '', createdAt: at, updatedAt: at },
    })
  await db.profile.create({ data: { id: 1, userId: 1, bio: 'a' } })
  await db.profile.create({ data: { id: 5, userId: 5, bio: null } })
  for (const [i, durationSeconds] of seconds.entries()) {
    const data = { id: videoId(i + 1), title: titles[i] as string, url: 'https://example.com', durationSeconds }
    await db.video.create({ data: { ...data, ownerId: owners[i] ?? null, createdAt: at } })
  }
}

let database: Database
let readers: Readers
beforeAll(async () => {
  database = await openTestDatabase()
  await fill(database.writer)
  readers = bothReaders(resources, database.reader, (database as unknown as { sql: SqlDatabase }).sql)
})
afterAll(() => database.close())

const byId: readonly OrderTerm[] = [{ path: ['id'], direction: 'asc' }]

/** The ids that both readers find, or each its own. */
async function find(model: 'Video' | 'User', where: Where, order = byId) {
  const plan = {
    kind: 'rows',
    model,
    columns: ['id'],
    where: conditionIn(where, model, resources),
    order,
    skip: 0,
    take: null,
  } as const
  const before = readers.unknown.size
  const [sql, prisma] = await Promise.all([readers.sql.read(plan), readers.prisma.read(plan)])
  const numbers = (rows: readonly Readonly<Record<string, unknown>>[]) =>
    rows.map(({ id }) => Number(String(id).slice(-2)))
  return { prisma: numbers(prisma), sql: numbers(sql), isStatement: readers.unknown.size === before }
}

const both = (ids: readonly number[]) => ({ prisma: ids, sql: ids, isStatement: true })
const all = [1, 2, 3, 4, 5, 6, 7, 8, 9]
const name = (condition: unknown) => ({ title: condition })
const time = (condition: unknown) => ({ durationSeconds: condition })

describe('NULL', () => {
  test.each<[string, Where, readonly number[]]>([
    ['meets no "not"', time({ not: 1 }), [2, 4, 7, 8, 9]],
    ['nor a NOT around it', { NOT: time(1) }, [2, 4, 7, 8, 9]],
    ['nor a "notIn"', time({ notIn: [1, 2] }), [4, 7, 8, 9]],
    ['but a NOT of two, one of which is false', { NOT: { ...time(1), title: 'abc' } }, [2, 3, 4, 5, 6, 7, 8, 9]],
    ['a denied bound is the other bound', time({ not: { gt: 2 } }), [1, 2, 5]],
    ['an empty "in" is met by none', time({ in: [] }), []],
    ['an empty "notIn" by all', time({ notIn: [] }), all],
    ['is found by its own name', time(null), [3, 6]],
  ])('%s', async (_, where, ids) => expect(await find('Video', where)).toEqual(both(ids)))
})

describe('a branch without a condition', () => {
  test.each<[string, Where, readonly number[]]>([
    ['{}', {}, all],
    ['AND: []', { AND: [] }, all],
    ['NOT: []', { NOT: [] }, all],
    ['NOT: {}', { NOT: {} }, all],
    ['undefined', { title: undefined }, all],
    ['OR: []', { OR: [] }, []],
    ['OR: [{}]', { OR: [{}] }, []],
    ['OR: [{ title: undefined }]', { OR: [{ title: undefined }] }, []],
    ['OR: [condition, {}]', { OR: [time(1), {}] }, [1, 5]],
  ])('%s', async (_, where, ids) => expect(await find('Video', where)).toEqual(both(ids)))

  // To Prisma itself, an empty OR inside of AND is no condition.
  test.each<[string, Where, readonly number[]]>([
    ['AND: [{ OR: [] }]', { AND: [{ OR: [] }] }, []],
    ['AND: [{ OR: [] }, condition]', { AND: [{ OR: [] }, time(1)] }, []],
    ['OR: [{ OR: [] }, condition]', { OR: [{ OR: [] }, time(1)] }, [1, 5]],
    ['NOT: { OR: [] }', { NOT: { OR: [] } }, all],
  ])('an alternative of none is never met: %s', async (_, where, ids) =>
    expect(await find('Video', where)).toEqual(both(ids)),
  )
})

describe('LIKE', () => {
  const sensitive = isSqlite ? [1, 2, 3, 4, 8] : [1, 3, 4, 8]
  test.each<[string, Where, readonly number[]]>([
    ['the signs of a pattern are not escaped: %', name({ contains: '%' }), all],
    ['the signs of a pattern are not escaped: _', name({ contains: '_' }), [1, 2, 3, 4, 6, 7, 8, 9]],
    ['ASCII letters have no case on SQLite', name({ startsWith: 'a' }), sensitive],
    ['other letters have', name({ startsWith: 'ä' }), [6]],
    ['equality has', name('abc'), [1]],
    ['a backslash escapes on PostgreSQL only', name({ contains: '\\' }), isSqlite ? [8] : []],
    ['an end', name({ endsWith: 'c' }), isSqlite ? [1, 2, 3, 4, 8] : [1, 3, 4, 8]],
  ])('%s', async (_, where, ids) => expect(await find('Video', where)).toEqual(both(ids)))
})

describe('relations', () => {
  const videos = (test: string, where: Where) => ({ videos: { [test]: where } })
  test.each<[string, 'User' | 'Video', Where, readonly number[]]>([
    ['some', 'User', videos('some', time(3)), [1]],
    ['none', 'User', videos('none', time(3)), [2, 5]],
    ['none at all', 'User', videos('none', {}), [2]],
    ['every is not broken by NULL', 'User', videos('every', time({ in: [1, 3] })), [1, 2]],
    ['every of nothing', 'User', videos('every', {}), [1, 2, 5]],
    ['no target', 'Video', { owner: null }, [1, 2, 6, 7, 8]],
    ['a target', 'Video', { owner: { isNot: null } }, [3, 4, 5, 9]],
    ['isNot is met without a target', 'Video', { owner: { isNot: { id: 1 } } }, [1, 2, 6, 7, 8, 9]],
    ['isNot is not met by NULL', 'User', { profile: { isNot: { bio: 'b' } } }, [1, 2]],
    ['is', 'User', { profile: { is: { bio: 'a' } } }, [1]],
    ['NOT around is: NULL beside a target', 'User', { NOT: { profile: { is: { bio: 'a' } } } }, [2]],
    ['is of nothing', 'User', { profile: { is: {} } }, [1, 5]],
    ['isNot of nothing', 'User', { profile: { isNot: {} } }, [2]],
  ])('%s', async (_, model, where, ids) => expect(await find(model, where)).toEqual(both(ids)))
})

describe('order', () => {
  const nulls = isSqlite ? [3, 6, 1, 5, 2, 4, 7, 8, 9] : [1, 5, 2, 4, 7, 8, 9, 3, 6]
  test('NULLs come first on SQLite and last on PostgreSQL', async () => {
    const order: readonly OrderTerm[] = [{ path: ['durationSeconds'], direction: 'asc' }, ...byId]
    expect(await find('Video', {}, order)).toEqual(both(nulls))
  })

  test('and so do rows without the relation that the order goes through', async () => {
    const order: readonly OrderTerm[] = [{ path: ['owner', 'id'], direction: 'desc' }, ...byId]
    const without = [1, 2, 6, 7, 8]
    expect(await find('Video', {}, order)).toEqual(both(isSqlite ? [9, 3, 4, 5, ...without] : [...without, 9, 3, 4, 5]))
  })
})
