import { describe, expect, test } from 'vitest'
import {
  all,
  among,
  any,
  columnsOf,
  compare,
  equals,
  equalsEach,
  everything,
  not,
  nothing,
  related,
} from '../../../src/condition/build.ts'
import { prismaWhere } from '../../../src/condition/prisma.ts'
import { postModel } from '../auth/fixture.ts'

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
