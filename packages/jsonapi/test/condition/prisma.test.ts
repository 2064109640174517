import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resources } from '../../../../test/support/schemas.ts'
import {
  all,
  any,
  columnOf,
  compare,
  equals,
  everything,
  json,
  not,
  nothing,
  related,
  relationOf,
  undecided,
} from '../../src/condition/build.ts'
import { canonical } from '../../src/condition/canonical.ts'
import type { Condition } from '../../src/condition/condition.ts'
import { readCondition } from '../../src/condition/parse.ts'
import { prismaWhere } from '../../src/condition/prisma.ts'
import { decide } from '../../src/condition/two-valued.ts'
import { conditions, postModel } from './truth.ts'

const asked = (condition: Condition) => prismaWhere(condition, postModel)
const column = (name: string) => columnOf(postModel, name)
const title = equals(postModel, 'title', 'a')
const views = equals(postModel, 'views', 1)

test('what is said to Prisma is read back as the same condition', () => {
  fc.assert(
    fc.property(conditions.map(decide), (condition) => {
      fc.pre(condition !== nothing)
      expect(canonical(readCondition(asked(condition), postModel, resources.models))).toBe(canonical(condition))
    }),
    { numRuns: 500 },
  )
})

describe('conditions that all have to hold', () => {
  test('stand side by side where their names differ', () => {
    expect(asked(all(title, views))).toEqual({ title: 'a', views: 1 })
  })

  test('are a list where two have one name, or one is a list itself', () => {
    expect(asked(all(title, equals(postModel, 'title', 'b')))).toEqual({ AND: [{ title: 'a' }, { title: 'b' }] })
    expect(asked(all(title, not(views)))).toEqual({ AND: [{ title: 'a' }, { NOT: { views: 1 } }] })
    expect(asked(all(title, any([views, title])))).toEqual({
      AND: [{ title: 'a' }, { OR: [{ views: 1 }, { title: 'a' }] }],
    })
    // Within a condition that all have to hold, another one comes from what is built in two steps.
    const inner = all(equals(postModel, 'slug', 'a'), equals(postModel, 'slug', 'b'))
    expect(asked(all(title, inner))).toEqual({ AND: [{ title: 'a' }, { AND: [{ slug: 'a' }, { slug: 'b' }] }] })
  })
})

describe('no row', () => {
  test('is an empty list of the key', () => {
    expect(asked(nothing)).toEqual({ id: { in: [] } })
  })

  test('is one of another column of the key where Prisma has no list of the first', () => {
    const columns = { isOpen: { ...column('featured') }, place: column('slug') }
    expect(prismaWhere(nothing, { key: ['isOpen', 'place'], columns })).toEqual({ place: { in: [] } })
    expect(prismaWhere(nothing, { key: ['isOpen'], columns })).toEqual({ AND: [{ isOpen: true }, { isOpen: false }] })
  })
})

test('a value that could be taken for operators stands behind one', () => {
  const now = new Date('2026-01-01T00:00:00Z')
  const bytes = new Uint8Array([1])
  expect(asked(compare(column('publishedAt'), 'equals', now))).toEqual({ publishedAt: now })
  expect(asked(compare(column('title'), 'equals', null))).toEqual({ title: null })
  expect(asked(compare(column('cover'), 'equals', bytes))).toEqual({ cover: { equals: bytes } })
  expect(asked(compare(column('title'), 'not', 'a'))).toEqual({ title: { not: 'a' } })
})

test('the letter case that is ignored is said, the plain search is not', () => {
  expect(asked(compare(column('title'), 'contains', 'a', 'insensitive'))).toEqual({
    title: { contains: 'a', mode: 'insensitive' },
  })
  expect(asked(compare(column('title'), 'contains', 'a', 'plain'))).toEqual({ title: { contains: 'a' } })
  expect(asked(compare(column('title'), 'not', 'a', 'insensitive'))).toEqual({
    NOT: { title: { equals: 'a', mode: 'insensitive' } },
  })
})

test('an undecided part is a mistake of who asks', () => {
  const message = 'A condition with an undecided part did not go through decide() before it is asked.'
  expect(() => asked(all(title, undecided))).toThrow(message)
  expect(() => asked(related(relationOf(postModel, 'comments'), 'some', undecided))).toThrow(message)
  expect(asked(related(relationOf(postModel, 'comments'), 'some', everything))).toEqual({ comments: { some: {} } })
})

test('a value inside of Json is said with its path and its letter case', () => {
  const meta = column('meta')
  expect(asked(json(meta, null, { operator: 'equals', value: 1 }))).toEqual({ meta: { equals: 1 } })
  expect(asked(json(meta, ['a'], { operator: 'string_contains', value: 'x', mode: 'insensitive' }))).toEqual({
    meta: { path: ['a'], string_contains: 'x', mode: 'insensitive' },
  })
})
