import { type CountPlan, type Readings, readerOf } from '@prismapi/core/database/reader'
import type { Bound, Stored } from '@prismapi/core/database/sql-database'
import type { Where } from '@prismapi/jsonapi/model/where'
import { expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import { sqlReader } from '../src/sql-reader.ts'
import { level, on } from './compile.ts'

const byPrisma = readerOf({ rows: async () => [{ id: 'by Prisma' }], count: async () => -1 } as unknown as Readings)

const count = (model: string, where: Where = {}): CountPlan => ({ kind: 'count', model, where: on(model, where) })

/** A reader whose database answers every statement as told; what it prepared and ran, and what it left to Prisma. */
function readerOn(answer: (values: readonly Bound[]) => readonly Stored[]) {
  const prepared: string[] = []
  const unknown: string[] = []
  const prepare = (sql: string) => {
    prepared.push(sql)
    return { all: answer }
  }
  const database = { provider: 'sqlite' as const, schema: null, prepare }
  const onUnknown = (model: string, part: string) => void unknown.push(`${model}: ${part}`)
  return { prepared, unknown, reader: sqlReader({ database, resources, prisma: byPrisma, onUnknown }) }
}

test('plans of one shape share a statement, and each has its own values', async () => {
  const { reader, prepared } = readerOn((values) => values.map((value) => [value]))
  const rows = await Promise.all([1, 2, 3].map((id) => reader.read(level('Post', { id }))))
  expect(rows).toEqual([[{ id: 1 }], [{ id: 2 }], [{ id: 3 }]])
  expect(prepared).toEqual(['select "t0"."id" from "Post" as "t0" where "t0"."id" = ?'])
})

test('plans of other shapes do not', async () => {
  const { reader, prepared } = readerOn(() => [[1]])
  const wheres = [{ id: 1 }, { id: { not: 1 } }, { authorId: 1 }, { id: { in: [1, 2] } }, { id: 1, authorId: 1 }, {}]
  for (const where of wheres) await reader.read(count('Post', where))
  expect(new Set(prepared).size).toBe(wheres.length)
})

test('a condition that is not known makes the whole plan one of Prisma, and says why', async () => {
  const { reader, prepared, unknown } = readerOn(() => [[1]])
  expect(await reader.read(level('Post', { id: 1, title: { search: 'a' } }))).toEqual([{ id: 'by Prisma' }])
  expect(await reader.read({ ...count('Post'), model: 'Nonsense' })).toBe(-1)
  expect({ prepared, unknown }).toEqual({
    prepared: [],
    unknown: ['Post: the operator search', 'Nonsense: the model Nonsense'],
  })
})

test('so does a stored value that the column should not hold', async () => {
  const { reader, unknown } = readerOn(() => [['text']])
  expect(await reader.read(level('Post'))).toEqual([{ id: 'by Prisma' }])
  expect(unknown).toEqual(['Post: a stored value that is no integer'])
})

test.each(['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED', '57P01', '53300', 'ECONNREFUSED'])(
  'a database that says %s is unavailable, not at fault',
  async (code) => {
    const { reader } = readerOn(() => {
      throw Object.assign(new Error('no'), { code })
    })
    await expect(reader.read(count('Post'))).rejects.toMatchObject({ status: 503 })
  },
)

test('any other failure stays what it is', async () => {
  const failure = Object.assign(new Error('no such column: id'), { code: 'SQLITE_ERROR' })
  const { reader } = readerOn(() => {
    throw failure
  })
  await expect(reader.read(count('Post'))).rejects.toBe(failure)
})
