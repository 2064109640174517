import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { postModel, resourcesFor } from '../../../core/test/auth/fixture.ts'
import {
  absent,
  all,
  among,
  any,
  columnOf,
  columnsOf,
  compare,
  equals,
  equalsEach,
  everything,
  isEverything,
  json,
  not,
  nothing,
  related,
  relationOf,
  undecided,
} from '../../src/condition/build.ts'
import { prismaWhere } from '../../src/condition/prisma.ts'
import type { ModelMeta } from '../../src/model/meta.ts'
import { conditions, conjunction, disjunction, negation, rows, truthOf } from './truth.ts'

const { models } = resourcesFor('sqlite')
const open = equals(postModel, 'isOpen', true)
const mine = equals(postModel, 'authorId', 7)
const tags = postModel.relations.tags as NonNullable<(typeof postModel.relations)[string]>

test('everything and nothing are whole conditions, never parts of one', () => {
  expect(all(open, everything, null)).toBe(open)
  expect(all(open, nothing)).toBe(nothing)
  expect(all()).toBe(everything)
  expect(any([open, nothing])).toBe(open)
  expect(any([open, everything])).toBe(everything)
  expect(any([])).toBe(nothing)
  expect([not(everything), not(nothing)]).toEqual([nothing, everything])
  expect(not(not(open))).toBe(open)
  expect(related(tags, 'some', nothing)).toBe(nothing)
  expect(related(tags, 'none', nothing)).toBe(everything)
  expect(related(tags, 'every', everything)).toBe(everything)
  expect(related(tags, 'every', nothing)).toEqual(related(tags, 'none', everything))
})

test('nodes are frozen, and so are their lists', () => {
  const both = all(open, mine)
  expect(
    [open, both, both.kind === 'all' && both.conditions, any([open, mine]), not(open)].map(Object.isFrozen),
  ).toEqual(Array(5).fill(true))
})

describe('keys', () => {
  test('of one column are a list', () => {
    expect(prismaWhere(among(columnsOf(postModel, ['id']), [[1], [2]]), postModel)).toEqual({ id: { in: [1, 2] } })
    expect(prismaWhere(among(columnsOf(postModel, ['id']), []), postModel)).toEqual({ id: { in: [] } })
  })

  test('of several are one or the other', () => {
    const keys = among(columnsOf(postModel, ['id', 'views']), [
      [1, 2],
      [3, null],
    ])
    expect(prismaWhere(keys, postModel)).toEqual({
      OR: [
        { id: 1, views: 2 },
        { id: 3, views: null },
      ],
    })
    expect(among(columnsOf(postModel, ['id', 'views']), [])).toBe(nothing)
  })
})

test('a value that is not there is no condition, and so an error', () => {
  expect(() => equalsEach(postModel, { id: undefined })).toThrow('no value to compare the column id with')
  expect(() => equals(postModel, 'nonsense', 1)).toThrow('Post has no column nonsense')
  expect(() => compare(postModel.columns.id as never, 'lt', undefined)).toThrow('no value')
})

test('all, any and not are what SQL makes of truths', () => {
  fc.assert(
    fc.property(fc.array(conditions, { maxLength: 4 }), rows, (parts, row) => {
      const truths = parts.map((part) => truthOf(part, row))
      expect(truthOf(all(...parts), row)).toBe(conjunction(truths))
      expect(truthOf(any(parts), row)).toBe(disjunction(truths))
      for (const part of parts) expect(truthOf(not(part), row)).toBe(negation(truthOf(part, row)))
    }),
  )
})

test('what nobody knows is no whole condition, and its denial is as unknown', () => {
  expect(not(undecided)).toBe(undecided)
  expect(all(undecided, nothing)).toBe(nothing)
  expect(any([undecided, everything])).toBe(everything)
  expect(prismaWhere(all(open, undefined, null, mine), postModel)).toEqual({ isOpen: true, authorId: 7 })
  expect(isEverything(everything)).toBe(true)
  expect(isEverything(open)).toBe(false)
})

test('a name that every object has is no column and no relation', () => {
  expect(() => columnOf(postModel, 'toString')).toThrow('Post has no column toString.')
  expect(() => columnsOf(postModel, ['id', 'constructor'])).toThrow('Post has no column constructor.')
  expect(() => relationOf(postModel, 'toString')).toThrow('Post has no relation toString.')
  expect(relationOf(postModel, 'tags').model).toBe('Tag')
})

test('without anything said otherwise, letter case matters', () => {
  const title = columnOf(postModel, 'title')
  expect(compare(title, 'equals', 'a')).toEqual({
    kind: 'compare',
    column: title,
    operator: 'equals',
    value: 'a',
    mode: null,
  })
  const data = columnOf(postModel, 'data')
  expect(json(data, ['a'], { operator: 'equals', value: 1 })).toEqual({
    kind: 'json',
    column: data,
    path: ['a'],
    operator: 'equals',
    value: 1,
    mode: null,
  })
  expect(
    [compare(title, 'equals', 'a'), json(data, null, { operator: 'equals', value: 1 }), absent(tags)].map(
      Object.isFrozen,
    ),
  ).toEqual([true, true, true])
})

test('every row behind a relation is asked, where the condition says something', () => {
  const named = equals(models.Tag as ModelMeta, 'name', 'a')
  expect(prismaWhere(related(tags, 'every', named), postModel)).toEqual({ tags: { every: { name: 'a' } } })
})

test('a model without a scope shows every row', () => {})
