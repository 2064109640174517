import { delegateOf } from '@prismapi/core/database/prisma/client'
import type { Reader } from '@prismapi/core/database/reader'
import type { SqlDatabase } from '@prismapi/core/database/sql-database'
import type { Delegates } from '@prismapi/core/database/store'
import { not } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { judge } from '@prismapi/jsonapi/condition/memory'
import { twoValued } from '@prismapi/jsonapi/condition/two-valued'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { Row, Where } from '@prismapi/jsonapi/model/where'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resources } from '../../prisma/generated/resources.ts'
import { conditionIn } from '../support/conditions.ts'
import { openTestDatabase, provider } from '../support/database.ts'
import { isNight } from '../support/night.ts'
import { arbitraryWhere } from '../support/readers/arbitrary-plans.ts'
import { bothReaders, type Readers } from '../support/readers/compare.ts'
import { fillRandomly, randomNumbers } from '../support/readers/random-rows.ts'
import type { Database } from '../support/servers.ts'

// Random conditions over random rows, many of them with nulls: every way to read a condition finds the same rows.

const runs = provider === 'sqlite' || isNight ? 150 : 50
const names = ['User', 'Post', 'Comment', 'Video', 'Tag', 'Profile'] as const
const modelOf = (name: string): ModelMeta => resources.models[name] as ModelMeta

let database: Database
let readers: Readers
beforeAll(async () => {
  database = await openTestDatabase()
  const { reader, writer, sql } = database as unknown as { reader: Delegates; writer: Delegates; sql: SqlDatabase }
  await fillRandomly(writer, resources, randomNumbers(11), 24)
  readers = bothReaders(resources, reader, sql)
}, 60_000)
afterAll(() => database.close())

const keyOf = (row: Row, { key }: ModelMeta): string => key.map((column) => String(row[column])).join()

async function found(reader: Reader, model: ModelMeta, where: Condition): Promise<readonly string[]> {
  const columns = model.key
  const rows = await reader.read({ kind: 'rows', model: model.name, columns, where, order: [], skip: 0, take: null })
  return rows.map((row) => keyOf(row, model)).sort()
}

const allRows = (model: ModelMeta) => delegateOf(database.reader as unknown as Delegates, model.name).findMany({})

/** Holds of each of many conditions on each model. */
async function always(
  seed: number,
  property: (model: ModelMeta, condition: Condition, where: Where) => Promise<number | undefined>,
): Promise<number> {
  let met = 0
  for (const model of names.map(modelOf)) {
    const wheres = fc
      .oneof(...[0, 1, 2].map((depth) => arbitraryWhere(model, resources, depth)))
      .filter((where) => !isRefused(where))
    const holds = fc.asyncProperty(wheres, async (where) => {
      met += Number((await property(model, conditionIn(where, model.name, resources), where)) ?? 0)
    })
    await fc.assert(holds, { numRuns: runs, seed })
  }
  return met
}

/** A pattern that ends with the sign that escapes the next one is an error of PostgreSQL; ILIKE is its equality without case. */
const isRefused = (where: Where): boolean =>
  resources.provider === 'postgresql' && JSON.stringify(where, shown).includes(JSON.stringify('\\'))

/** An OR without alternatives inside of another branch, which Prisma takes for no condition. */
function hasInnerOr(where: unknown, isInner = false): boolean {
  if (Array.isArray(where)) return where.some((each) => hasInnerOr(each, true))
  if (typeof where !== 'object' || where === null || where instanceof Date || where instanceof Uint8Array) return false
  return Object.entries(where).some(([key, value]) => {
    if (key === 'OR') return isEmptyOr(value) ? isInner : hasInnerOr(value, true)
    return hasInnerOr(value, true)
  })
}

const isEmptyOr = (branches: unknown): boolean =>
  Array.isArray(branches) && branches.every((each) => Object.keys(each as object).length === 0)

describe('a condition', () => {
  test('is what Prisma makes of the words that it was parsed from', async () => {
    const met = await always(1, async (model, condition, where) => {
      if (hasInnerOr(where)) return 0
      const rows = await delegateOf(database.reader as unknown as Delegates, model.name).findMany({ where })
      expect(await found(readers.prisma, model, condition)).toEqual(rows.map((row) => keyOf(row, model)).sort())
      return rows.length
    })
    expect(met).toBeGreaterThan(6 * runs)
  }, 120_000)

  test('finds the same rows in SQL', async () => {
    const met = await always(2, async (model, condition) => {
      const rows = await found(readers.sql, model, condition)
      expect(rows).toEqual(await found(readers.prisma, model, condition))
      return rows.length
    })
    expect(met).toBeGreaterThan(6 * runs)
  }, 120_000)

  test('that is judged in memory is judged as the database does', async () => {
    const judged = { true: 0, false: 0, null: 0, ask: 0 }
    const { provider } = resources
    const rows = new Map(
      await Promise.all(names.map(async (name) => [name as string, await allRows(modelOf(name))] as const)),
    )
    await always(3, async (model, condition) => {
      const meet = new Set(await found(readers.sql, model, condition))
      for (const row of rows.get(model.name) ?? []) {
        const verdict = judge(condition, { row, provider })
        judged[`${verdict}`]++
        if (verdict !== 'ask') expect(meet.has(keyOf(row, model)), JSON.stringify(row, shown)).toBe(verdict === true)
      }
      return undefined
    })
    expect(Math.min(...Object.values(judged))).toBeGreaterThan(runs / 2)
  }, 120_000)

  test('that is made two-valued holds for the same rows, and its denial for all others', async () => {
    const total = new Map(
      await Promise.all(names.map(async (name) => [name as string, await allRows(modelOf(name))] as const)),
    )
    await always(4, async (model, condition) => {
      const definite = twoValued(condition)
      const meet = await found(readers.sql, model, condition)
      expect(await found(readers.sql, model, definite)).toEqual(meet)
      const others = await found(readers.sql, model, not(definite))
      const all = (total.get(model.name) ?? []).map((row) => keyOf(row, model)).sort()
      expect([...meet, ...others].sort()).toEqual(all)
      return undefined
    })
  }, 120_000)
})

const shown = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)
