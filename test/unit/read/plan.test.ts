import { describe, expect, test } from 'vitest'
import { all, compare, equals, everything } from '../../../src/condition/build.ts'
import type { OrderTerm } from '../../../src/condition/order-term.ts'
import type { Scopes } from '../../../src/condition/scopes.ts'
import { planCollection, planLevel, planLookUp, planRow, totalOrder } from '../../../src/read/plan.ts'
import { posts } from '../auth/fixture.ts'

const asc = (...path: readonly string[]): OrderTerm => ({ path, direction: 'asc' })
const desc = (...path: readonly string[]): OrderTerm => ({ path, direction: 'desc' })

const views = equals(posts.model, 'views', 1)
describe('an order', () => {
  test('ends with the id, in the direction of its last term', () => {
    expect(totalOrder(posts, [])).toEqual([asc('id')])
    expect(totalOrder(posts, [asc('title'), desc('author', 'name')])).toEqual([
      asc('title'),
      desc('author', 'name'),
      desc('id'),
    ])
  })

  test('that names the id is total already; the id of another row is not that', () => {
    expect(totalOrder(posts, [desc('id'), asc('title')])).toEqual([desc('id'), asc('title')])
    expect(totalOrder(posts, [asc('author', 'id')])).toEqual([asc('author', 'id'), asc('id')])
  })
})

describe('a plan', () => {
  test('of a level is of all its rows, in the order of their ids', () => {
    expect(planLevel(posts, ['id'], views)).toEqual({
      kind: 'rows',
      model: 'Post',
      columns: ['id'],
      where: views,
      order: [asc('id')],
      skip: 0,
      take: null,
    })
  })

  test('of a row has no order', () => {
    expect(planRow(posts, ['id'], views)).toMatchObject({ kind: 'rows', order: [], take: 1 })
  })

  test('of a look-up tells the key from what else has to hold', () => {
    const plan = { kind: 'lookUp', model: 'Post', columns: ['id'], key: [equals(posts.model, 'id', 1)] }
    expect(planLookUp(posts, ['id'], { key: { id: 1 } })).toEqual({ ...plan, rest: everything })
    expect(planLookUp(posts, ['id'], { key: { id: 1 }, rest: views })).toEqual({ ...plan, rest: views })
  })

  test('of a collection has its scope, its parent and its filter', () => {
    const [isOpen, mine] = [equals(posts.model, 'isOpen', true), equals(posts.model, 'authorId', 7)]
    const scopes: Scopes = new Map([['Post', isOpen]])
    const query = { fields: new Map(), order: [desc('title')], filter: views, trashed: 'without' as const }
    expect(planCollection({ schema: posts, query, scopes, where: [mine, null] })).toEqual({
      schema: posts,
      columns: ['id', 'authorId'],
      where: all(isOpen, mine, views),
      order: [desc('title'), desc('id')],
    })
  })

  test('of a collection of deleted rows asks for the mark', () => {
    const schema = { ...posts, deletedAt: 'publishedAt' }
    const query = { fields: new Map(), order: [], filter: null, trashed: 'only' as const }
    const whereOf = (trashed: 'only' | 'with') =>
      planCollection({ schema, query: { ...query, trashed }, scopes: new Map(), where: [] } as never).where
    expect(whereOf('only')).toEqual(compare(posts.model.columns.publishedAt as never, 'not', null))
    expect(whereOf('with')).toBe(everything)
  })
})
