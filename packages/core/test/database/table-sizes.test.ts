import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { resources } from '../../../../prisma/generated/resources.ts'
import { tableSizesOf, unknownSizes } from '../../src/database/tables.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const posts = { table: 'Post', dbSchema: null }

const unexpected = (error: unknown) => {
  throw error
}

const sized = (rows: number | null) => (rows === null ? null : { rows, most: [], octets: [] })

function tableSizes(sizeOf: (table: string) => number | null) {
  const asked: string[][] = []
  const sizes = (tables: readonly { readonly table: string }[]) => {
    asked.push(tables.map(({ table }) => table))
    return tables.map(({ table }) => sized(sizeOf(table)))
  }
  return { asked, ...tableSizesOf({ sizes, schema: null }, resources, unexpected) }
}

test.each([
  [0, 1000],
  [999, 1000],
  [9_999, 1000],
  [10_000, 10_000],
  [20_000, 10_000],
  [99_999, 10_000],
  [3_000_000, 1_000_000],
])('a table of %i rows counts as one of %i', (count, rows) => {
  expect(tableSizes(() => count).rows(posts)).toBe(rows)
})

test('all tables are asked for at once, those between two models as well, and once a minute at most', () => {
  let size = 20_000
  const { rows, asked } = tableSizes(() => size)
  expect([rows(posts), rows({ table: '_PostToTag', dbSchema: null })]).toEqual([10_000, 10_000])
  size = 200_000
  vi.advanceTimersByTime(60_000)
  expect(rows(posts)).toBe(10_000)
  vi.advanceTimersByTime(1)
  expect(rows(posts)).toBe(100_000)
  expect(asked).toHaveLength(2)
  expect(asked[0]).toEqual(expect.arrayContaining(['User', 'Post', '_PostToTag', '_TagToVideo']))
})

test('what has to be waited for is not: until it is there, tables have a thousand rows', async () => {
  const sizes = async (tables: readonly unknown[]) => tables.map(() => sized(50_000))
  const slow = tableSizesOf({ sizes, schema: 'public' }, resources, unexpected)
  expect(slow.rows(posts)).toBe(1000)
  await vi.waitFor(() => expect(slow.rows(posts)).toBe(10_000))
  expect(unknownSizes.rows(posts)).toBe(1000)
})

describe.each(['rejects', 'throws'])('a database that %s', (way) => {
  test('is told once until it answers, and tables keep the sizes that they had', async () => {
    const told: string[] = []
    let answers: (() => Promise<ReturnType<typeof sized>>) | null = null
    const sizes = (tables: readonly unknown[]) => {
      if (answers) return Promise.all(tables.map(answers))
      const error = new Error('away')
      if (way === 'throws') throw error
      return Promise.reject(error)
    }
    const { rows } = tableSizesOf({ sizes, schema: null }, resources, (error) => told.push((error as Error).message))
    const minutes = async (count: number) => {
      for (let minute = 0; minute < count; minute++) {
        rows(posts)
        await new Promise(setImmediate)
        vi.advanceTimersByTime(60_001)
      }
      return rows(posts)
    }
    expect([await minutes(2), told]).toEqual([1000, ['away']])
    answers = async () => sized(50_000)
    expect([await minutes(2), told]).toEqual([10_000, ['away']])
    answers = null
    expect([await minutes(2), told]).toEqual([10_000, ['away', 'away']])
  })
})
