import { describe, expect, test } from 'vitest'
import { resources } from '../../../../test/support/schemas.ts'
import { postModel, resourcesFor } from '../../../core/test/auth/fixture.ts'
import { parseColumn, parseCondition, readCondition } from '../../src/condition/parse.ts'
import { prismaWhere } from '../../src/condition/prisma.ts'
import type { ColumnMeta, ModelMeta } from '../../src/model/meta.ts'
import { AnyNull, DbNull } from '../../src/model/prisma-values.ts'

const { models } = resourcesFor('sqlite')
const parsed = (where: unknown) => prismaWhere(parseCondition(where, postModel, models), postModel)
const read = (where: unknown) => prismaWhere(readCondition(where, postModel, models), postModel)
const none = { id: { in: [] } }

describe('a condition in its one spelling', () => {
  test.each([
    [{}, {}],
    [
      { views: 1, authorId: null },
      { views: 1, authorId: null },
    ],
    [{ views: { equals: 1 } }, { views: 1 }],
    [{ AND: [{}, { views: 1 }] }, { views: 1 }],
    [{ OR: [] }, none],
    [{ AND: [{ OR: [] }] }, none],
    [{ AND: [{ OR: [] }, { views: 1 }] }, none],
    [{ NOT: { OR: [] } }, {}],
    [{ OR: [{ views: 1 }] }, { views: 1 }],
    [{ OR: [{ views: 1 }, { OR: [] }] }, { views: 1 }],
    [
      { views: 1, OR: [{ isOpen: true }, { views: 2 }] },
      { AND: [{ views: 1 }, { OR: [{ isOpen: true }, { views: 2 }] }] },
    ],
    [{ views: { gt: 1, lt: 5 } }, { AND: [{ views: { gt: 1 } }, { views: { lt: 5 } }] }],
    [{ views: { not: { gt: 1, in: [7] } } }, { AND: [{ views: { lte: 1 } }, { views: { notIn: [7] } }] }],
    [{ views: { not: { not: 1 } } }, { NOT: { views: { not: 1 } } }],
    [{ title: { not: { contains: 'a' } } }, { NOT: { title: { contains: 'a' } } }],
    [{ title: { not: 'a', mode: 'insensitive' } }, { NOT: { title: { equals: 'a', mode: 'insensitive' } } }],
    [{ title: { startsWith: 'a', mode: 'insensitive' } }, { title: { startsWith: 'a', mode: 'insensitive' } }],
    [{ title: { startsWith: 'a', mode: 'default' } }, { title: { startsWith: 'a' } }],
    [{ tags: { some: {} } }, { tags: { some: {} } }],
    [{ tags: { some: { OR: [] } } }, none],
    [{ tags: { none: { OR: [] } } }, {}],
    [{ tags: { every: {} } }, {}],
    [{ tags: { every: { OR: [] } } }, { tags: { none: {} } }],
    [{ author: { name: 'A' } }, { author: { is: { name: 'A' } } }],
    [{ author: { isNot: { name: 'A' } } }, { NOT: { author: { is: { name: 'A' } } } }],
    [{ author: null }, { author: null }],
    [{ author: { is: null } }, { author: null }],
    [{ author: { isNot: null } }, { NOT: { author: null } }],
    [{ author: { is: {} } }, { author: { is: {} } }],
  ])('%j', (where, expected) => {
    expect(parsed(where)).toEqual(expected)
    expect(read(where)).toEqual(expected)
  })
})

describe('what Prisma would silently drop is an error', () => {
  test.each([
    [{ authorId: undefined }, 'authorId is undefined'],
    [{ authorId: { equals: undefined } }, 'authorId is undefined'],
    [{ views: { in: [1, undefined] } }, 'views is undefined'],
    [{ author: { is: { name: undefined } } }, 'name is undefined'],
    [{ tags: { some: undefined } }, 'some is undefined'],
    [{ OR: undefined }, 'OR is undefined'],
    [{ OR: [{ views: 1 }, {}] }, 'a branch of OR has no condition'],
    [{ NOT: {} }, 'a branch of NOT has no condition'],
    [{ views: {} }, 'views has an empty filter'],
    [{ author: {} }, 'author has no condition'],
    [{ author: { AND: [{}] } }, 'author has no condition'],
    [{ autorId: 1 }, 'the model Post has no field "autorId". Did you mean "authorId"?'],
    [{ tags: { some: { nam: 'x' } } }, 'the model Tag has no field "nam". Did you mean "name"?'],
    [undefined, 'a condition must be a Prisma where object'],
    [null, 'a condition must be a Prisma where object'],
    [[{ views: 1 }], 'a condition must be a Prisma where object'],
    [{ views: { graeter: 1 } }, 'views has no operator "graeter"'],
    [{ author: { some: {} } }, 'author is asked with is or isNot'],
    [{ tags: { name: 'x' } }, 'tags is asked with some, every or none'],
    [{ title: { equals: 'a', mode: 'any' } }, 'title: the mode is default or insensitive.'],
  ])('%j', (where, message) => {
    expect(() => parsed(where)).toThrow(message)
  })
})

describe('what is denied within not is turned round', () => {
  test.each([
    ['equals', 'not', 1],
    ['in', 'notIn', [1]],
    ['notIn', 'in', [1]],
    ['lt', 'gte', 1],
    ['lte', 'gt', 1],
    ['gt', 'lte', 1],
    ['gte', 'lt', 1],
  ])('%s', (operator, opposite, value) => {
    expect(parsed({ views: { not: { [operator]: value } } })).toEqual({ views: { [opposite]: value } })
  })

  test('the letter case is that of within, or else of beside it', () => {
    const insensitive = { NOT: { title: { contains: 'a', mode: 'insensitive' } } }
    expect(parsed({ title: { not: { contains: 'a', mode: 'insensitive' } } })).toEqual(insensitive)
    expect(parsed({ title: { not: { contains: 'a' }, mode: 'insensitive' } })).toEqual(insensitive)
  })
})

test('an error names what was meant, where there is something like it', () => {
  const message = (where: unknown): string => {
    try {
      return `none: ${JSON.stringify(parsed(where))}`
    } catch (error) {
      return error instanceof Error ? error.message : 'no error'
    }
  }
  expect(
    [
      { title: { contain: 'x' } },
      { title: { zzzzzzzz: 'x' } },
      { data: { contains: 'x' } },
      { data: { equal: 'x' } },
      { ANDS: [] },
      { ORS: [] },
      { NOTS: [] },
      { tag: {} },
      { zzzzzzzz: 1 },
      { toString: 1 },
      { views: { gt: 1, lt: undefined } },
      { author: { is: {}, name: 'x' } },
      { author: Object.assign(new Date(), { is: {} }) },
    ].map(message),
  ).toEqual([
    'title has no operator "contain". Did you mean "contains"?',
    'title has no operator "zzzzzzzz".',
    'data has no operator "contains".',
    'data has no operator "equal". Did you mean "equals"?',
    'the model Post has no field "ANDS". Did you mean "AND"?',
    'the model Post has no field "ORS". Did you mean "OR"?',
    'the model Post has no field "NOTS". Did you mean "NOT"?',
    'the model Post has no field "tag". Did you mean "tags"?',
    'the model Post has no field "zzzzzzzz".',
    'the model Post has no field "toString".',
    'views is undefined somewhere.',
    'author is asked with is or isNot, and nothing else.',
    'a condition must be a Prisma where object.',
  ])
})

test('an object without a prototype is one, too', () => {
  expect(parsed(Object.assign(Object.create(null), { views: 1 }))).toEqual({ views: 1 })
})

describe('read as Prisma does, what says nothing is left out', () => {
  test.each([
    [{ authorId: undefined }, {}],
    [{ authorId: { equals: undefined } }, {}],
    [{ OR: [{ views: 1 }, {}] }, { views: 1 }],
    [{ OR: [{}] }, none],
    [{ NOT: {} }, {}],
    [{ views: {} }, {}],
    [{ author: {} }, {}],
    [{ tags: { some: undefined } }, {}],
    [{ OR: [{ views: {} }] }, none],
    [{ OR: [{ views: { not: {} } }, { views: 1 }] }, { views: 1 }],
    [{ OR: [{ AND: [] }, { views: 1 }] }, { views: 1 }],
    [{ OR: [{ tags: { some: undefined } }, { views: 1 }] }, { views: 1 }],
    [{ OR: [{ author: {} }, { views: 1 }] }, { views: 1 }],
  ])('%j', (where, expected) => expect(read(where)).toEqual(expected))
})

test('of a Json column, what stands behind not is a value', () => {
  const post = resources.models.Post as ModelMeta
  const of = (where: object) => prismaWhere(parseCondition(where, post, resources.models), post)
  for (const filter of [
    { not: { equals: 1 } },
    { equals: DbNull },
    { path: ['a'], not: AnyNull },
    { path: ['a'], string_contains: 'x', mode: 'insensitive' },
  ])
    expect(of({ meta: filter })).toEqual({ meta: filter })
  for (const value of [DbNull, 5, 'x']) expect(of({ meta: value })).toEqual({ meta: { equals: value } })
  const reads = (where: object) => prismaWhere(readCondition(where, post, resources.models), post)
  expect(reads({ meta: { equals: undefined } })).toEqual({})
  expect(reads({ OR: [{ meta: {} }, { slug: 'x' }] })).toEqual({ slug: 'x' })
  const list = parseColumn({ ...(post.columns.meta as ColumnMeta), isList: true }, { has: { equals: 1 } })
  expect(list && prismaWhere(list, post)).toEqual({ meta: { has: { equals: 1 } } })
  expect(() => of({ meta: { contains: 'x' } })).toThrow('meta has no operator "contains"')
})
