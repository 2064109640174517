import { describe, expect, test } from 'vitest'
import { judge } from '../../../src/condition/memory.ts'
import { parseCondition } from '../../../src/condition/parse.ts'
import type { Provider } from '../../../src/model/meta.ts'
import type { Row, Where } from '../../../src/model/where.ts'
import { post, postModel, resourcesFor } from '../auth/fixture.ts'

const parsed = (where: Where, provider: Provider = 'sqlite') =>
  parseCondition(where, postModel, resourcesFor(provider).models)

function judged(where: Where, row: Partial<Row> = {}, provider: Provider = 'sqlite') {
  return judge(parsed(where, provider), { row: { ...post, ...row }, provider })
}

describe('values that are there', () => {
  test.each<[Where, boolean]>([
    [{}, true],
    [{ authorId: 7 }, true],
    [{ authorId: { equals: 8 } }, false],
    [{ authorId: 7, views: 6 }, false],
    [{ views: { gt: 4, lt: 6 } }, true],
    [{ views: { gte: 5, lte: 4 } }, false],
    [{ views: { not: 5 } }, false],
    [{ views: { not: { gt: 5 } } }, true],
    [{ views: { not: { gt: 5, lt: 5 } } }, true],
    [{ views: { not: { gt: 1, lt: 9 } } }, false],
    [{ views: { not: { not: 5 } } }, true],
    [{ views: { in: [4, 5] } }, true],
    [{ views: { notIn: [4, 5] } }, false],
    [{ views: { in: [] } }, false],
    [{ views: { notIn: [] } }, true],
    [{ views: null }, false],
    [{ views: { not: null } }, true],
    [{ views: 5n }, true],
    [{ big: 9007199254740992n }, false],
    [{ big: { gt: 9007199254740992n } }, true],
    [{ rating: { gt: 2 } }, true],
    [{ isOpen: true }, true],
    [{ isOpen: { not: true } }, false],
    [{ title: 'One' }, true],
    [{ title: 'one' }, false],
    [{ title: { in: ['One', 'Two'] } }, true],
    [{ name: 'n' }, true],
    [{ state: 'DRAFT' }, true],
    [{ publishedAt: { lte: new Date('2025-01-01T00:00:00.000Z') } }, true],
    [{ publishedAt: { lt: '2025-01-01T01:00:00+01:00' } }, false],
    [{ publishedAt: '2025-01-01T01:00:00+01:00' }, true],
    [{ readAt: new Date('2025-01-01T00:00:00Z') }, true],
    [{ readAt: { gt: '2025-01-01T00:00:00Z' } }, false],
    [{ AND: [{ views: 5 }, { authorId: 7 }] }, true],
    [{ AND: { views: 6 } }, false],
    [{ OR: [{ views: 6 }, { authorId: 7 }] }, true],
    [{ OR: [] }, false],
    [{ AND: [{ OR: [] }] }, false],
    [{ NOT: { OR: [] } }, true],
    [{ NOT: { views: 5, authorId: 8 } }, true],
    [{ NOT: [{ views: 6 }, { authorId: 7 }] }, false],
    [{ AND: [] }, true],
    [{ NOT: [] }, true],
  ])('%o is %s', (where, expected) => {
    expect(judged(where)).toBe(expected)
  })
})

describe('a null compares to nothing, as in SQL', () => {
  test.each<[Where, boolean | null]>([
    [{ views: null }, true],
    [{ views: { equals: null } }, true],
    [{ views: { not: null } }, false],
    [{ views: { lt: 9 } }, null],
    [{ views: { lte: 9 } }, null],
    [{ views: 5 }, null],
    [{ views: { not: 5 } }, null],
    [{ NOT: { views: 5 } }, null],
    [{ views: { in: [5] } }, null],
    [{ views: { notIn: [5] } }, null],
    [{ views: { in: [] } }, false],
    [{ views: { notIn: [] } }, true],
    [{ OR: [{ views: 5 }, { authorId: 7 }] }, true],
    [{ OR: [{ views: 5 }, { authorId: 8 }] }, null],
    [{ AND: [{ views: 5 }, { authorId: 8 }] }, false],
    [{ NOT: { views: 5, authorId: 8 } }, true],
  ])('%o of a row without views is %s', (where, expected) => {
    expect(judged(where, { views: null })).toBe(expected)
  })

  test('a draft is not published "before now"', () => {
    expect(judged({ publishedAt: { lte: new Date() } }, { publishedAt: null })).toBe(null)
  })
})

describe('what only the database can say is asked of it', () => {
  test.each<[string, Where]>([
    ['relation, to-one', { author: { is: { name: 'A' } } }],
    ['relation, to-many', { tags: { some: {} } }],
    ['relation, absence of it', { tags: { none: { name: 'x' } } }],
    ['pattern: LIKE ignores case on SQLite', { title: { contains: 'one' } }],
    ['pattern, prefix', { title: { startsWith: 'O' } }],
    ['pattern, suffix', { title: { endsWith: 'e' } }],
    ['mode', { title: { equals: 'one', mode: 'insensitive' } }],
    ['order of text: a collation', { title: { lt: 'P' } }],
    ['Json', { data: { equals: { a: 1 } } }],
    ['Json null: there are two of them', { data: null }],
    ['list', { labels: { has: 'a' } }],
    ['Decimal', { price: 1.5 }],
    ['case-insensitive text type', { code: 'abc' }],
    ['microseconds', { seenAt: new Date('2025-01-01T00:00:00Z') }],
    ['a value of another kind', { authorId: '7' }],
    ['null in a list', { views: { in: [1, null] } }],
    ['a date without a time zone', { publishedAt: '2025-01-01' }],
    ['a reference to another column', { views: { equals: new (class FieldRef {})() } }],
  ])('%s', (_what, where) => {
    expect(judged(where)).toBe('ask')
  })

  test('a column that was not loaded', () => {
    const { views: _, ...row } = post
    expect(judge(parsed({ views: 5 }), { row, provider: 'sqlite' })).toBe('ask')
  })

  test('text where the collation may ignore case', () => {
    expect(judged({ title: 'One' }, {}, 'mysql')).toBe('ask')
    expect(judged({ title: 'One' }, {}, 'postgresql')).toBe(true)
  })

  test('not when another branch settles it', () => {
    expect(judged({ OR: [{ tags: { some: {} } }, { authorId: 7 }] })).toBe(true)
    expect(judged({ tags: { some: {} }, authorId: 8 })).toBe(false)
    expect(judged({ NOT: { tags: { some: {} }, authorId: 8 } })).toBe(true)
  })

  test('whether any other column is null needs no question', () => {
    expect(judged({ seenAt: null })).toBe(false)
    expect(judged({ price: { not: null } }, { price: null })).toBe(false)
  })
})
