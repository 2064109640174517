import { all, compare, equals, everything, nothing, related, relationOf } from '@prismapi/jsonapi/condition/build'
import type { OrderTerm } from '@prismapi/jsonapi/condition/order-term'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { HasMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { describe, expect, test } from 'vitest'
import { resources as example } from '../../../../test/support/schemas.ts'
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
} from '../../src/read/plan.ts'
import { author, posts, tags } from '../auth/fixture.ts'

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

  test('of a collection has its parent and its filter, and says what it is for', () => {
    const mine = equals(posts.model, 'authorId', 7)
    const query = { fields: new Map(), order: [desc('title')], filter: views, trashed: 'without' as const }
    expect(planCollection({ schema: posts, query, visibility: 'related', where: [mine, null] })).toEqual({
      schema: posts,
      columns: ['id', 'authorId'],
      visibility: 'related',
      where: all(mine, views),
      order: [desc('title'), desc('id')],
    })
  })

  test('of a collection of deleted rows asks for the mark', () => {
    const schema = { ...posts, deletedAt: 'publishedAt' }
    const query = { fields: new Map(), order: [], filter: null, trashed: 'only' as const }
    const planOf = (trashed: 'only' | 'with') => {
      const { visibility, where } = planCollection({
        ...{ schema, query: { ...query, trashed }, visibility: 'listed', where: [] },
      } as never)
      return { visibility, where }
    }
    const mark = compare(posts.model.columns.publishedAt as never, 'not', null)
    expect(planOf('only')).toEqual({ visibility: 'listedWithDeleted', where: mark })
    expect(planOf('with')).toEqual({ visibility: 'listedWithDeleted', where: everything })
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

const comments = {
  ...tags,
  kind: 'hasMany',
  model: 'Comment',
  columns: ['postId'],
  references: ['id'],
} as unknown as HasMany

const { Comment, Tag } = example.models as Record<'Comment' | 'Tag', ModelMeta>
const models = { Comment, Tag }
const ctx = { server: { resources: { models } }, rows: { visible: () => everything } }

describe('the condition on members of a relation', () => {
  const row = { id: 1, authorId: 7 }

  test('is on their foreign key, or through the join table', () => {
    expect(membersOf(ctx, comments, { schema: posts, row })).toEqual(equals(models.Comment, 'postId', 1))
    expect(membersOf(ctx, tags as never, { schema: posts, row })).toEqual(
      related(relationOf(models.Tag, 'posts'), 'some', equals(posts.model, 'id', 1)),
    )
  })

  test('is met by no row where the parent has no value to be named by', () => {
    expect(childrenOf(comments, models.Comment, { id: null })).toBe(nothing)
    expect(childrenOf(author as never, posts.model, { id: null })).toBe(nothing)
  })
})
