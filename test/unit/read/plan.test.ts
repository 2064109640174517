import { describe, expect, test } from 'vitest'
import type { OrderTerm, Scopes } from '../../../src/model/where.ts'
import {
  childrenOf,
  documentColumns,
  membersOf,
  planCollection,
  planLevel,
  planLookUp,
  planRow,
  shownColumns,
  totalOrder,
  withColumns,
} from '../../../src/read/plan.ts'
import type { HasMany } from '../../../src/schema/relation-kinds.ts'
import { author, posts, tags } from '../auth/fixture.ts'

const asc = (...path: readonly string[]): OrderTerm => ({ path, direction: 'asc' })
const desc = (...path: readonly string[]): OrderTerm => ({ path, direction: 'desc' })
const comments = { ...tags, kind: 'hasMany', columns: ['postId'], references: ['id'] } as unknown as HasMany

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

describe('the columns of a document', () => {
  test('are the id and the keys of relations, beside the fields that are asked for', () => {
    expect(documentColumns(posts)).toEqual(['id', 'authorId'])
    expect(shownColumns(posts, new Map([['posts', new Set<string>()]]))).toEqual(['id', 'authorId'])
  })

  test('are all of them where the document says what the caller may do', () => {
    expect(shownColumns({ ...posts, showsCan: true }, new Map())).toEqual(Object.keys(posts.model.columns))
  })

  test('stay the same list where nothing is added', () => {
    const columns = ['id', 'title']
    expect(withColumns(columns, ['title'])).toBe(columns)
    expect(withColumns(columns, ['title', 'views'])).toEqual(['id', 'title', 'views'])
  })
})

describe('a plan', () => {
  test('of a level is of all its rows, in the order of their ids', () => {
    expect(planLevel(posts, ['id'], { views: 1 })).toEqual({
      kind: 'rows',
      model: 'Post',
      columns: ['id'],
      where: { views: 1 },
      order: [asc('id')],
      skip: 0,
      take: null,
    })
  })

  test('of a row has no order', () => {
    expect(planRow(posts, ['id'], { views: 1 })).toMatchObject({ kind: 'rows', order: [], take: 1 })
  })

  test('of a look-up tells the key from what else has to hold', () => {
    const plan = { kind: 'lookUp', model: 'Post', columns: ['id'], key: { id: 1 } }
    expect(planLookUp(posts, ['id'], { key: { id: 1 } })).toEqual({ ...plan, rest: {} })
    expect(planLookUp(posts, ['id'], { key: { id: 1 }, rest: { views: 1 } })).toEqual({ ...plan, rest: { views: 1 } })
  })

  test('of a collection has its scope, its parent and its filter', () => {
    const scopes: Scopes = new Map([['Post', { isOpen: true }]])
    const query = { fields: new Map(), order: [desc('title')], filter: { views: 2 }, trashed: 'without' as const }
    expect(planCollection({ schema: posts, query, scopes, where: [{ authorId: 7 }, null] })).toEqual({
      schema: posts,
      columns: ['id', 'authorId'],
      where: { AND: [{ isOpen: true }, { authorId: 7 }, { views: 2 }] },
      order: [desc('title'), desc('id')],
    })
  })

  test('of a collection of deleted rows asks for the mark', () => {
    const schema = { ...posts, deletedAt: 'publishedAt' }
    const query = { fields: new Map(), order: [], filter: null, trashed: 'only' as const }
    const whereOf = (trashed: 'only' | 'with') =>
      planCollection({ schema, query: { ...query, trashed }, scopes: new Map(), where: [] } as never).where
    expect(whereOf('only')).toEqual({ publishedAt: { not: null } })
    expect(whereOf('with')).toEqual({})
  })
})

describe('the condition on members of a relation', () => {
  const row = { id: 1, authorId: 7 }

  test('is on their foreign key, or through the join table', () => {
    expect(membersOf(comments, posts, row, new Map())).toEqual({ postId: 1 })
    expect(membersOf(tags as never, posts, row, new Map())).toEqual({ posts: { some: { id: 1 } } })
  })

  test('is met by no row where the parent has no value to be named by', () => {
    expect(childrenOf(comments, { id: null })).toEqual({ postId: { in: [] } })
    expect(childrenOf(author as never, { id: null })).toEqual({ authorId: { in: [] } })
  })
})
