import { compare, equals, everything } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import { expect, test } from 'vitest'
import type { TableSizes } from '../../src/database/tables.ts'
import { keptPrice, type PriceContext, priceOfCollection } from '../../src/price/price.ts'
import { posts } from '../auth/fixture.ts'

// The price of a collection that is asked for again is that of the moment: of the tables as they are, and of what this caller sees of them.

const nothingShown = { include: new Map(), collections: new Map(), counts: new Set<string>() } as const
const plan = { schema: posts, visibility: 'listed', where: everything, order: [] } as const
const mine = equals(posts.model, 'authorId', 7)
const old = compare(posts.model.columns.id as ColumnMeta, 'lt', 7)

const sizes = { rows: 1000, known: {} }
const tableSizes: TableSizes = {
  first() {},
  rows: () => sizes.rows,
  most: () => 0,
  octets: () => 1000,
  state: () => sizes.known,
}
const contextOf = (visible: Condition, resources = 1000): PriceContext =>
  ({
    server: { resources: { models: { Post: posts.model } }, schemas: { byModel: new Map() } },
    limits: { resources },
    store: { tableSizes },
    rows: { visible: () => visible, where: () => visible },
  }) as never

test('is what it would be if it were made anew: for each caller, page, limit and size of the table', () => {
  const kept = {}
  const told = new Set<number>()
  for (const rows of [1000, 10_000, 10_000, 1000]) {
    Object.assign(sizes, { rows, known: {} })
    for (let round = 0; round < 2; round++)
      for (const visible of [
        mine,
        old,
        everything,
        ...Array.from({ length: 6 }, (_, i) => equals(posts.model, 'id', i)),
      ])
        for (const asks of [{ take: 5 }, { take: 20 }, { take: 5, skip: 400 }, { take: 5, counted: true }])
          for (const resources of [10, 1000]) {
            const query = { ...nothingShown, page: { asks } }
            const ctx = contextOf(visible, resources)
            const price = keptPrice(ctx, plan, { query, kept })
            expect(price).toEqual(priceOfCollection(ctx, plan, query))
            told.add(price.points)
          }
  }
  expect(told.size).toBeGreaterThan(10)
})

test('is not made again while nothing has changed, and tells other collections apart', () => {
  const query = { ...nothingShown, page: { asks: { take: 5 } } }
  const ctx = contextOf(mine)
  const [one, other] = [{}, {}]
  const price = keptPrice(ctx, plan, { query, kept: one })
  expect(keptPrice(ctx, plan, { query, kept: one })).toBe(price)
  const dearer = { ...plan, where: everything, isWhole: true }
  expect(keptPrice(ctx, dearer, { query, kept: other })).toEqual(priceOfCollection(ctx, dearer, query))
})
