import { columnOf, equals, relationOf } from '@prismapi/jsonapi/condition/build'
import type { ColumnMeta, ModelMeta, RelationMeta } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { expect, test } from 'vitest'
import { prismaReader } from '../../../src/database/prisma/prisma-reader.ts'
import type { PerParentPlan } from '../../../src/database/reader.ts'
import type { Delegates } from '../../../src/database/store.ts'

// How rows of several parents are limited, by a client that only says what it was asked.

const columnsNamed = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { name } as ColumnMeta]))
const childModel = {
  name: 'Child',
  columns: columnsNamed('id', 'parentId', 'seen'),
  relations: { owners: { name: 'owners', model: 'Owner', isList: true } as RelationMeta },
} as unknown as ModelMeta
const owner = { name: 'Owner', columns: columnsNamed('id'), relations: {} } as unknown as ModelMeta

interface Args {
  readonly where: Row
  readonly take: number
}

/** Answers each query with as many children as `rows` says, of the limit that it was sent. */
function client(rows: (args: Args) => readonly Row[]) {
  const asked: Args[] = []
  const findMany = async (args: Args) => {
    asked.push(args)
    return rows(args).slice(0, args.take)
  }
  return {
    asked,
    reader: prismaReader({ child: { findMany } } as unknown as Delegates, { Child: childModel, Owner: owner }),
  }
}

const level = {
  model: 'Child',
  columns: ['id', 'parentId'],
  where: equals(childModel, 'seen', true),
  order: [{ path: ['id'], direction: 'asc' }],
} as const

const of = (parentId: number, ...ids: readonly number[]): readonly Row[] => ids.map((id) => ({ id, parentId }))
const perParent = (take: number, ...parents: readonly number[]): PerParentPlan => ({
  ...level,
  kind: 'perParent',
  parents: { columns: [columnOf(childModel, 'parentId')], keys: parents.map((parent) => [parent]) },
  take,
})
const within = (...parents: readonly number[]) => ({ seen: true, parentId: { in: parents } })
const queries = (asked: readonly Args[]) => asked.map(({ where, take }) => ({ where, take }))

test('one query with the limit of all parents together is enough where it does not reach it', async () => {
  const { asked, reader } = client(() => [...of(1, 1, 3, 5), ...of(2, 2)])
  expect(await reader.read(perParent(3, 1, 2))).toEqual([...of(1, 1, 3, 5), ...of(2, 2)])
  expect(queries(asked)).toEqual([{ where: within(1, 2), take: 6 }])
})

test('more than its share is cut from a parent that leaves room for it', async () => {
  const { asked, reader } = client(() => [...of(1, 1, 2, 3, 4), ...of(2, 5)])
  expect(await reader.read(perParent(3, 1, 2))).toEqual([...of(1, 1, 2, 3), ...of(2, 5)])
  expect(asked).toHaveLength(1)
})

test('when that limit is reached, each parent is asked for, and no query reads more than may be shown', async () => {
  const all = [...of(1, 1, 2, 3, 4, 5, 6), ...of(2, 7, 8)]
  const { asked, reader } = client(({ where }) => {
    const { parentId } = where as { parentId: { in: number[] } }
    return all.filter((row) => parentId.in.includes(row.parentId as number))
  })
  expect(await reader.read(perParent(2, 1, 2))).toEqual([...of(1, 1, 2), ...of(2, 7, 8)])
  expect(queries(asked)).toEqual([
    { where: within(1, 2), take: 4 },
    { where: within(1), take: 2 },
    { where: within(2), take: 2 },
  ])
})

test('a single parent takes one query, and no parent none', async () => {
  const { asked, reader } = client(() => of(1, 1, 2, 3))
  expect(await reader.read(perParent(2, 1))).toEqual(of(1, 1, 2))
  expect(queries(asked)).toEqual([{ where: within(1), take: 2 }])
  expect(await reader.read(perParent(2))).toEqual([])
  expect(asked).toHaveLength(1)
})

test('a limit that no integer of the database holds is the largest one', async () => {
  const { asked, reader } = client(() => [])
  await reader.read(perParent(2 ** 31 - 1, 1, 2))
  expect(asked[0]?.take).toBe(2 ** 31 - 1)
})

test('a row of a join table counts for each of its parents by itself', async () => {
  const child = (id: number, ...parents: readonly number[]) => ({
    id,
    owners: parents.map((parent) => ({ id: parent })),
  })
  const { asked, reader } = client(() => [child(1, 1, 2), child(2, 1), child(3, 1, 2)])
  const through = { relation: relationOf(childModel, 'owners'), key: columnOf(owner, 'id'), parents: [1, 2] }
  expect(await reader.read({ ...level, kind: 'joined', columns: ['id'], through, take: 2 })).toEqual([
    { row: { id: 1 }, parents: [1, 2] },
    { row: { id: 2 }, parents: [1] },
    { row: { id: 3 }, parents: [2] },
  ])
  const linked = { id: { in: [1, 2] } }
  expect(queries(asked)).toEqual([{ where: { seen: true, owners: { some: linked } }, take: 4 }])
})

test('a join table that reaches the limit is read for each parent', async () => {
  const { asked, reader } = client(({ where }) => {
    const { owners } = where as { owners: { some: { id: { in: number[] } } } }
    return [1, 2, 3, 4].map((id) => ({ id, owners: owners.some.id.in.map((parent) => ({ id: parent })) }))
  })
  const through = { relation: relationOf(childModel, 'owners'), key: columnOf(owner, 'id'), parents: [1, 2] }
  const joined = await reader.read({ ...level, kind: 'joined', columns: ['id'], through, take: 2 })
  expect(joined.map(({ row, parents }) => [row.id, parents])).toEqual([
    [1, [1]],
    [2, [1]],
    [1, [2]],
    [2, [2]],
  ])
  expect(asked.map(({ take }) => take)).toEqual([4, 2, 2])
})
