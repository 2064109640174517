import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { post, postModel, resourcesFor } from '../../../core/test/auth/fixture.ts'
import { columnOf, compare } from '../../src/condition/build.ts'
import { judge } from '../../src/condition/memory.ts'
import { parseCondition } from '../../src/condition/parse.ts'
import type { ColumnMeta, Provider } from '../../src/model/meta.ts'
import type { Row, Where } from '../../src/model/where.ts'
import { conditions, rows, truthOf } from './truth.ts'

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
    [{ title: 'ones' }, false],
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
    for (const where of [{ views: 5 }, { views: null }, { views: { not: null } }])
      expect(judge(parsed(where), { row, provider: 'sqlite' })).toBe('ask')
  })

  test('text where the collation may ignore case', () => {
    expect(judged({ title: 'One' }, {}, 'mysql')).toBe('ask')
    expect(judged({ title: 'One' }, {}, 'postgresql')).toBe(true)
  })

  test('text that is the same to some collations, whatever the database', () => {
    const of = (where: Readonly<Record<string, unknown>>) => [
      judged(where, {}, 'sqlite'),
      judged(where, {}, 'postgresql'),
    ]
    for (const title of ['one', 'ONE ', 'Oné', '\uff2fne']) {
      expect(of({ title })).toEqual(['ask', 'ask'])
      expect(of({ title: { not: title } })).toEqual(['ask', 'ask'])
      expect(of({ title: { in: ['Two', title] } })).toEqual(['ask', 'ask'])
    }
    expect(of({ title: 'Ones' })).toEqual([false, false])
    expect(of({ title: { in: ['one', 'One'] } })).toEqual([true, true])
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

describe('values that are compared only where JavaScript and the database agree', () => {
  const at = new Date('2025-01-01T00:00:00Z')

  test.each<[string, Where, Partial<Row>, boolean | 'ask']>([
    ['an instant with milliseconds', { publishedAt: '2025-01-01T00:00:00.000Z' }, {}, true],
    ['an instant with a tenth', { publishedAt: { lt: '2025-01-01T00:00:00.1Z' } }, {}, true],
    ['an instant with microseconds', { publishedAt: '2025-01-01T00:00:00.000000Z' }, {}, 'ask'],
    ['an instant after other text', { publishedAt: '(then) 2025-01-01T00:00:00Z' }, {}, 'ask'],
    ['an instant before other text', { publishedAt: '2025-01-01T00:00:00Z (then)' }, {}, 'ask'],
    ['an instant that no calendar has', { publishedAt: '2025-13-01T00:00:00Z' }, {}, 'ask'],
    ['a number for an instant', { publishedAt: at.getTime() }, {}, 'ask'],
    ['a row with a text for an instant', { publishedAt: at }, { publishedAt: 'soon' }, 'ask'],
    ['a fraction for an integer', { views: 5.5 }, {}, 'ask'],
    ['a text for an integer', { views: { lt: '7' } }, {}, 'ask'],
    ['a row with a text for an integer', { views: 5 }, { views: '5' }, 'ask'],
    ['a text for a truth', { isOpen: 'true' }, {}, 'ask'],
    ['an order of truths', { isOpen: { lt: true } }, {}, 'ask'],
    ['an infinite number', { rating: { lt: Number.POSITIVE_INFINITY } }, {}, 'ask'],
    ['a text for a number', { rating: '2.5' }, {}, 'ask'],
    ['a number for a text', { title: 1 }, {}, 'ask'],
    ['a name of an enum', { state: { in: ['DRAFT', 'LIVE'] } }, {}, true],
    ['an order of names', { state: { lt: 'LIVE' } }, {}, 'ask'],
    ['one list that is no list', { views: { in: 5 } }, {}, 'ask'],
    ['one list that has a foreign member, and the value', { views: { in: ['x', 5] } }, {}, true],
    ['a whole list', { labels: { equals: ['a'] } }, {}, 'ask'],
    ['a list without a value', { labels: null }, { labels: null }, 'ask'],
    ['absence of a target', { author: null }, {}, 'ask'],
    ['a letter case that is ignored', { title: { equals: 'One', mode: 'insensitive' } }, {}, 'ask'],
  ])('%s', (_, where, row, expected) => {
    expect(judged(where, row)).toBe(expected)
  })

  test.each<[operator: string, value: unknown]>([
    ['contains', 'One'],
    ['startsWith', 'One'],
    ['endsWith', 'One'],
    ['search', 'One'],
    ['has', 'One'],
    ['hasSome', ['One']],
    ['hasEvery', ['One']],
    ['isEmpty', true],
  ])('no value is looked for by %s', (operator, value) => {
    expect(judged({ title: { [operator]: value } })).toBe('ask')
  })

  test.each<[operator: string, five: boolean, six: boolean, seven: boolean]>([
    ['lt', true, false, false],
    ['lte', true, true, false],
    ['gt', false, false, true],
    ['gte', false, true, true],
  ])('%s', (operator, ...expected) => {
    expect([5, 6, 7].map((views) => judged({ views: { [operator]: 6 } }, { views }))).toEqual(expected)
  })
})

describe('the native type of a column', () => {
  const withNative = (type: string, native: readonly string[] | null): ColumnMeta => ({
    ...columnOf(postModel, 'title'),
    type,
    native,
  })
  const judgedBy = (
    type: string,
    native: readonly string[] | null,
    value: unknown,
    provider: Provider = 'postgresql',
  ) => judge(compare(withNative(type, native), 'equals', value), { row: { title: value }, provider })

  test.each<[type: string, native: readonly string[] | null, value: unknown, verdict: true | 'ask']>([
    ['String', null, 'x', true],
    ['String', ['Text'], 'x', true],
    ['String', ['VarChar'], 'x', true],
    ['String', ['Char', '3'], 'x', 'ask'],
    ['String', [], 'x', 'ask'],
    ['Float', null, 0.5, true],
    ['Float', ['Real'], 0.5, 'ask'],
    ['DateTime', null, new Date(), true],
    ['DateTime', ['Timestamp', '3'], new Date(), true],
    ['DateTime', ['Timestamptz', '0'], new Date(), true],
    ['DateTime', ['DateTime', '2'], new Date(), true],
    ['DateTime', ['Timestamp', '4'], new Date(), 'ask'],
    ['DateTime', ['Timestamp'], new Date(), 'ask'],
    ['DateTime', ['Time', '3'], new Date(), 'ask'],
    ['DateTime', ['SmallDateTime', '0'], new Date(), 'ask'],
    ['DateTime', ['DateTime2', '3'], new Date(), 'ask'],
    ['DateTime', [], new Date(), 'ask'],
    ['Int', ['SmallInt'], 1, true],
    ['BigInt', null, 1n, true],
    ['Boolean', null, false, true],
    ['Decimal', null, 1, 'ask'],
    ['Bytes', null, 'x', 'ask'],
    ['Json', null, 'x', 'ask'],
  ])('%s %o', (type, native, value, verdict) => {
    expect(judgedBy(type, native, value)).toBe(verdict)
  })

  test.each<[Provider, true | 'ask']>([
    ['sqlite', true],
    ['postgresql', true],
    ['cockroachdb', 'ask'],
    ['mysql', 'ask'],
    ['sqlserver', 'ask'],
  ])('text on %s', (provider, verdict) => {
    expect(judgedBy('String', null, 'x', provider)).toBe(verdict)
    expect(judged({ state: 'DRAFT' }, {}, provider)).toBe(true)
  })

  test('whether there is a value is known of all but lists and Json', () => {
    const isNull = (type: string, isList = false) =>
      judge(equalsNull({ ...withNative(type, null), isList }), { row: { title: null }, provider: 'postgresql' })
    expect([isNull('Bytes'), isNull('Decimal'), isNull('String', true), isNull('Json')]).toEqual([
      true,
      true,
      'ask',
      'ask',
    ])
  })

  const equalsNull = (column: ColumnMeta) => compare(column, 'equals', null)
})

test('a condition that is judged is judged as in SQL', () => {
  fc.assert(
    fc.property(conditions, rows, (condition, row) => {
      const verdict = judge(condition, { row: row as unknown as Row, provider: 'sqlite' })
      if (verdict !== 'ask') expect(verdict).toBe(truthOf(condition, row))
    }),
    { numRuns: 1000 },
  )
})
