import type { StoredInstants } from '@prismapi/core/database/sql-database'
import { any, columnOf, compare, everything } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { OrderTerm } from '@prismapi/jsonapi/condition/order-term'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import { describe, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import { catalogOf } from '../src/catalog.ts'
import { sqliteDialect } from '../src/dialects/sqlite-dialect.ts'
import { sortedInTime } from '../src/page-readers.ts'
import type { SliceByText, SlicePlan } from '../src/queries/level-query.ts'
import { level } from './compile.ts'

// Which statements read a page that is sorted by instants, by what is known of their spellings.

const plan: SlicePlan = {
  ...level('Post'),
  columns: ['id', 'createdAt', 'publishedAt'],
  order: [
    { path: ['createdAt'], direction: 'desc' },
    { path: ['id'], direction: 'desc' },
  ],
  take: 10,
}
const end = new Date('2024-05-01T10:20:30Z')
const inTime: SliceByText = { rows: [], edges: [] }

/** What is read, while the column is in these states by turns. */
function readIn(
  states: readonly [StoredInstants, ...StoredInstants[]],
  asked: SlicePlan = plan,
  slice: SliceByText | null = null,
): readonly string[] {
  const left = [...states]
  const instantsIn = () => (left.length > 1 ? (left.shift() as StoredInstants) : (left[0] as StoredInstants))
  const catalog = catalogOf(resources, sqliteDialect.codecsOf(resources.enums), null)
  const reads: string[] = []
  const read = sortedInTime(
    ({ within }) => {
      reads.push(within ? 'up to the end' : 'all')
      return []
    },
    {
      byText({ skip, take }) {
        reads.push(`the end: ${skip} ${take}`)
        return [{ createdAt: end }]
      },
      sliceByText() {
        reads.push('by text')
        return slice
      },
    },
    { catalog, dialect: sqliteDialect, instantsIn },
  )
  read(asked)
  return reads
}

test.each(['usual', 'zulu', 'mixed'] as const)('a column of other spellings: %s', (stored) => {
  expect(readIn([stored])).toEqual(['all'])
})

test('a column of both spellings', () => {
  expect(readIn(['both'], plan, inTime)).toEqual(['by text'])
})

test('a slice with an instant in both spellings', () => {
  expect(readIn(['both'])).toEqual(['by text', 'the end: 9 1', 'up to the end'])
})

test('a slice whose first instant may be that of the row before it, in the other spelling', () => {
  const edges = ['2024-05-01T10:20:30.000+00:00']
  expect(readIn(['both'], plan, { ...inTime, edges })).toEqual([
    'by text',
    'the end: 0 1',
    'the end: 9 1',
    'up to the end',
  ])
})

test('a slice from a position that is known', () => {
  expect(readIn(['both'], { ...plan, from: { skip: 0, values: ['2024-05-01T10:20:30.000Z', 1] } })).toEqual([
    'the end: 9 1',
    'up to the end',
  ])
})

test('a slice whose instants are not shown', () => {
  expect(readIn(['both'], { ...plan, columns: ['id'] })).toEqual(['the end: 9 1', 'up to the end'])
})

test('a page without an end', () => {
  expect(readIn(['both'], { ...plan, take: null })).toEqual(['all'])
})

test('an order that no index has', () => {
  expect(readIn(['both'], { ...plan, order: [{ path: ['publishedAt'], direction: 'asc' }, ...plan.order] })).toEqual([
    'all',
  ])
})

test('a column to which a third spelling is added meanwhile', () => {
  expect(readIn(['both', 'mixed'])).toEqual(['by text', 'the end: 9 1', 'up to the end', 'all'])
  expect(readIn(['both', 'mixed'], plan, inTime)).toEqual(['by text', 'all'])
})

describe('the rows up to the end, of a column that may be null', () => {
  const Post: ModelMeta = { ...(resources.models.Post as ModelMeta), indexes: [['publishedAt']] }
  const publishedAt = columnOf(Post, 'publishedAt')
  const catalog = catalogOf(
    { ...resources, models: { ...resources.models, Post } },
    sqliteDialect.codecsOf(resources.enums),
    null,
  )
  const isNull = compare(publishedAt, 'equals', null)

  test.each<[string, Partial<OrderTerm>, unknown, Condition]>([
    ['ascending', { direction: 'asc' }, end, any([isNull, compare(publishedAt, 'lte', end)])],
    ['ascending, nulls last', { direction: 'asc', nulls: 'last' }, end, compare(publishedAt, 'lte', end)],
    ['ascending, to a null', { direction: 'asc' }, null, isNull],
    ['ascending, nulls last, to a null', { direction: 'asc', nulls: 'last' }, null, everything],
    ['ascending, of fewer rows', { direction: 'asc' }, undefined, everything],
    ['descending', { direction: 'desc' }, end, compare(publishedAt, 'gte', end)],
    [
      'descending, nulls first',
      { direction: 'desc', nulls: 'first' },
      end,
      any([isNull, compare(publishedAt, 'gte', end)]),
    ],
    ['descending, to a null', { direction: 'desc' }, null, everything],
    ['descending, nulls first, to a null', { direction: 'desc', nulls: 'first' }, null, isNull],
  ])('%s', (_, term, value, expected) => {
    let found: Condition | undefined
    const read = sortedInTime(
      ({ within }) => {
        found = within
        return []
      },
      { byText: () => (value === undefined ? [] : [{ publishedAt: value }]), sliceByText: () => null },
      { catalog, dialect: sqliteDialect, instantsIn: () => 'both' },
    )
    read({ ...plan, order: [{ path: ['publishedAt'], direction: 'asc', ...term }, ...plan.order] })
    expect(found).toEqual(expected)
  })
})
