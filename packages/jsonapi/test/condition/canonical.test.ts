import fc from 'fast-check'
import { expect, test } from 'vitest'
import { conditionIn } from '../../../../test/support/conditions.ts'
import { resources } from '../../../../test/support/schemas.ts'
import { postModel, resourcesFor } from '../../../core/test/auth/fixture.ts'
import { canonical } from '../../src/condition/canonical.ts'
import { readCondition } from '../../src/condition/parse.ts'
import { AnyNull, DbNull } from '../../src/model/prisma-values.ts'
import type { Where } from '../../src/model/where.ts'
import { conditions, rows, truthOf } from './truth.ts'

const { models } = resourcesFor('sqlite')
const textOf = (where: Where): string => canonical(readCondition(where, postModel, models))
const soon = new Date('2026-01-01T00:00:00Z')
const later = new Date('2026-01-02T00:00:00Z')

test('conditions that say the same have one text', () => {
  const same: readonly (readonly [Where, Where])[] = [
    [
      { id: 1, title: 'a' },
      { title: 'a', id: 1 },
    ],
    [{ id: 1 }, { AND: [{ id: { equals: 1 } }, { id: 1 }] }],
    [{ AND: [{ id: 1 }, { AND: [{ views: 2 }, { title: 'a' }] }] }, { title: 'a', id: 1, views: 2 }],
    [{ OR: [{ id: 1 }, { title: 'a' }] }, { OR: [{ title: 'a' }, { id: 1 }] }],
    [{ id: { in: [3, 1, 2] } }, { id: { in: [1, 2, 3, 3] } }],
    [{ author: { name: 'Ann', id: 1 } }, { author: { is: { id: 1, name: 'Ann' } } }],
    [{ OR: [] }, { AND: [{ OR: [] }, { id: 1 }] }],
  ]
  for (const [one, other] of same) expect(textOf(one)).toBe(textOf(other))
})

test('conditions that say something else have another', () => {
  const texts = [
    { id: 1 },
    { id: 2 },
    { id: { not: 1 } },
    { NOT: { OR: [{ id: 1 }, { id: 2 }] } },
    { id: { in: [1, 2] } },
    { id: { in: [12] } },
    { title: '1' },
    { title: 'a,b' },
    { title: { in: ['a', 'b'] } },
    { title: { in: ['a,b'] } },
    { title: { equals: 'a', mode: 'insensitive' } },
    { title: 'a' },
    { title: null },
    { title: 'null' },
    { AND: [{ id: 1 }, { title: 'a' }] },
    { OR: [{ id: 1 }, { title: 'a' }] },
    { author: { is: null } },
    { author: { id: 1 } },
    { author: { isNot: { id: 1 } } },
    { tags: { some: { id: 1 } } },
    { tags: { none: { id: 1 } } },
    { publishedAt: soon },
    { publishedAt: later },
    { OR: [] },
    {},
  ].map(textOf)
  expect(new Set(texts).size).toBe(texts.length)
})

test('an instant that rows are ordered around is left out, because it moves with the clock', () => {
  expect(textOf({ publishedAt: { lt: soon } })).toBe(textOf({ publishedAt: { lt: later } }))
  expect(textOf({ publishedAt: { gte: soon.toISOString() } })).toBe(textOf({ publishedAt: { gte: later } }))
  expect(textOf({ publishedAt: { lt: soon } })).not.toBe(textOf({ publishedAt: { gt: soon } }))
  expect(textOf({ id: { lt: 1 } })).not.toBe(textOf({ id: { lt: 2 } }))
})

test('every part of a value is in the text', () => {
  const json = (value: unknown, more: object = {}) => ({ meta: { ...more, equals: value } })
  const texts = [
    json(null),
    json('null'),
    json(1),
    json('1'),
    json(true),
    json([]),
    json([1, 2]),
    json([2, 1]),
    json(['1,2']),
    json({}),
    json({ a: 1 }),
    json({ a: 1, b: 2 }),
    json({ b: 1, a: 2 }),
    json({ 'a":1,"b': 2 }),
    json([{ a: 1 }]),
    json('[{"a":1}]'),
    json(DbNull),
    json(AnyNull),
    json(1, { path: ['a'] }),
    json(1, { path: ['a', 'b'] }),
    json(1, { path: ['a,b'] }),
    { meta: { path: ['a'], not: 1 } },
    { meta: { path: ['a'], string_contains: 'x' } },
    { meta: { path: ['a'], string_contains: 'x', mode: 'insensitive' } },
    { cover: { equals: new Uint8Array([1, 2]) } },
    { cover: { equals: new Uint8Array([1, 3]) } },
    { cover: { equals: new Uint8Array([]) } },
    // Bytes that are no text.
    { cover: { equals: Buffer.from([254]) } },
    { cover: { equals: Buffer.from([255]) } },
    { publishedAt: soon },
    { publishedAt: { not: soon } },
    { publishedAt: new Date(soon.getTime() + 1) },
    { publishedAt: { in: [soon] } },
    { publishedAt: { in: [soon, later] } },
    { reads: 1n },
    { reads: { in: [1n, 2n] } },
    { labels: { hasSome: ['a', 'b'] } },
    { labels: { hasEvery: ['a', 'b'] } },
    { labels: { equals: ['a', 'b'] } },
    { labels: { equals: ['b', 'a'] } },
    { title: { contains: 'a' } },
    { title: { contains: 'a', mode: 'insensitive' } },
    { title: { lt: 'a' } },
    { title: { lt: 'b' } },
  ].map((where) => canonical(conditionIn(where, 'Post', resources)))
  expect(new Set(texts).size).toBe(texts.length)
})

test('a relation that leads nowhere is named', () => {
  const texts = [{ post: null }, { parent: null }].map((where) => canonical(conditionIn(where, 'Comment', resources)))
  expect(texts).toEqual(['post absent', 'parent absent'])
})

test('the order of members is not, where a list is a set', () => {
  const text = (where: Where) => canonical(conditionIn(where, 'Post', resources))
  for (const operator of ['in', 'notIn'])
    expect(text({ views: { [operator]: [10, 9, 9] } })).toBe(text({ views: { [operator]: [9, 10] } }))
  for (const operator of ['hasSome', 'hasEvery'])
    expect(text({ labels: { [operator]: ['b', 'a'] } })).toBe(text({ labels: { [operator]: ['a', 'b', 'b'] } }))
  expect(text({ meta: { equals: { a: 1, b: { c: 2, d: 3 } } } })).toBe(
    text({ meta: { equals: { b: { d: 3, c: 2 }, a: 1 } } }),
  )
})

test('an instant is one in each spelling of the order, and not where it is compared for itself', () => {
  for (const operator of ['lt', 'lte', 'gt', 'gte'])
    expect(textOf({ publishedAt: { [operator]: soon } })).toBe(textOf({ publishedAt: { [operator]: later } }))
  expect(textOf({ publishedAt: { not: soon } })).not.toBe(textOf({ publishedAt: { not: later } }))
})

test('conditions with one text find the same rows', () => {
  fc.assert(
    fc.property(conditions, conditions, fc.array(rows, { minLength: 10, maxLength: 10 }), (one, other, posts) => {
      fc.pre(canonical(one) === canonical(other))
      for (const post of posts) expect(truthOf(one, post)).toBe(truthOf(other, post))
    }),
    { numRuns: 200, maxSkipsPerRun: 500 },
  )
})
