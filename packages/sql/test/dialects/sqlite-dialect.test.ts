import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import { Decimal } from '@prismapi/jsonapi/model/prisma-values'
import { describe, expect, test } from 'vitest'
import { NotInSql } from '../../src/dialects/codec.ts'
import { sqliteCodecs } from '../../src/dialects/sqlite-dialect.ts'

const mood = { name: 'Mood', values: ['happy', 'deepBlue'], stored: { deepBlue: 'deep-blue' } }
const codecOf = (type: string, more: Partial<ColumnMeta> = {}) =>
  sqliteCodecs({ Mood: mood })({ name: 'column', type, isEnum: type === 'Mood', isList: false, ...more } as ColumnMeta)

describe('what SQLite stores is read as Prisma reads it', () => {
  test.each<[string, unknown, unknown]>([
    ['Boolean', 1, true],
    ['Boolean', 0, false],
    ['Boolean', 2, false],
    ['Int', 5_000_000_000, 5_000_000_000],
    ['Int', 2.7, 2],
    ['BigInt', '9007199254740993', 9_007_199_254_740_993n],
    ['Float', 0.1, 0.1],
    ['Float', 3, 3],
    ['Decimal', 1.1, new Decimal('1.1')],
    ['Decimal', 1e-7, new Decimal('1e-7')],
    ['Decimal', 3, new Decimal('3')],
    ['DateTime', '2024-02-29T12:34:56.789+00:00', new Date('2024-02-29T12:34:56.789Z')],
    ['DateTime', '2024-02-29 12:34:56', new Date('2024-02-29T12:34:56.000Z')],
    ['DateTime', -1, new Date(-1)],
    ['Json', '{"b":1,"a":[null]}', { b: 1, a: [null] }],
    ['Json', 5, 5],
    ['Json', 'null', null],
    ['Bytes', Buffer.from([0, 255]), new Uint8Array([0, 255])],
    ['Mood', 'deep-blue', 'deepBlue'],
    ['Mood', 'happy', 'happy'],
    ['String', 'with \0 in it', 'with \0 in it'],
  ])('%s: %s', (type, stored, expected) => expect(codecOf(type).read(stored)).toStrictEqual(expected))
})

test.each([
  ['2024-02-29T12:34:56.789+00:00', '2024-02-29T12:34:56.789Z'],
  ['2024-02-29 12:34:56.789+00:00', '2024-02-29T12:34:56.789Z'],
  ['2024-02-29T24:00:00.000+00:00', '2024-03-01T00:00:00.000Z'],
])('an instant stored as %s is shown as %s', (stored, shown) => {
  expect((codecOf('DateTime').read(stored) as Date).toISOString()).toBe(shown)
})

describe('an instant that is only shown is the text that documents have', () => {
  test.each<[unknown, string]>([
    ['2024-02-28T12:34:56.789+00:00', '2024-02-28T12:34:56.789Z'],
    ['2024-02-28T12:34:56.789Z', '2024-02-28T12:34:56.789Z'],
    ['2024-02-28 12:34:56', '2024-02-28T12:34:56.000Z'],
    ['2024-02-28 12:34:56.7', '2024-02-28T12:34:56.700Z'],
    ['2024-02-28T12:34:56.789999Z', '2024-02-28T12:34:56.789Z'],
    ['2024-02-28T12:34:56', '2024-02-28T12:34:56.000Z'],
    ['2024-02-28 12:34:56+00:00', '2024-02-28T12:34:56.000Z'],
    [1_709_123_696_789, '2024-02-28T12:34:56.789Z'],
    [-1, '1969-12-31T23:59:59.999Z'],
    [Date.UTC(9999, 12) - 1, '9999-12-31T23:59:59.999Z'],
  ])('%s: %s', (stored, text) => {
    const { read, show } = codecOf('DateTime')
    expect((read(stored) as Date).toISOString()).toBe(text)
    expect(show?.(stored)).toBe(text)
  })

  test.each<[unknown]>([
    ['2024-02-30 12:34:56'],
    ['2024-02-29 24:00:00'],
    ['2024-02-28 12:34:56+02:00'],
    ['2024-02-28'],
    ['12:34:56'],
    [Date.UTC(9999, 12)],
    [Date.UTC(-1, 11)],
  ])('but for those that take a look: %s', (stored) => {
    const { read, show } = codecOf('DateTime')
    expect(show?.(stored)).toEqual(read(stored))
  })
})

describe('what should not be there is left to Prisma', () => {
  test.each<[string, unknown]>([
    ['Int', 'abc'],
    ['Int', 2 ** 60],
    ['BigInt', '2.7'],
    ['Decimal', 2 ** 60],
    ['Boolean', 'yes'],
    ['String', 5],
    ['Json', '{'],
    ['Mood', 'green'],
    ['DateTime', 0.5],
    ['Bytes', 'text'],
  ])('%s: %s', (type, stored) => expect(() => codecOf(type).read(stored)).toThrow(NotInSql))
})

describe('what a condition compares with is bound as Prisma binds it', () => {
  test.each<[string, unknown, unknown]>([
    ['Boolean', true, 1],
    ['Int', 7, 7],
    ['BigInt', 9_007_199_254_740_993n, 9_007_199_254_740_993n],
    ['BigInt', 7, 7n],
    ['Decimal', new Decimal('12345678901234567890.123456789'), 12_345_678_901_234_567_000],
    ['Decimal', '1.10', 1.1],
    ['DateTime', new Date('2024-02-29T12:34:56.789Z'), '2024-02-29T12:34:56.789+00:00'],
    ['DateTime', '2024-01-01T00:00:00+02:00', '2023-12-31T22:00:00.000+00:00'],
    ['Mood', 'deepBlue', 'deep-blue'],
  ])('%s: %s', (type, value, expected) => expect(codecOf(type).bind(value)).toStrictEqual(expected))

  // It may be compared with another column than the one that it was read from.
  test.each(['1969-12-31 23:59:59.999', '1970-01-01T00:59:59.999+01:00', '1969-12-31T23:59:59.999Z', -1])(
    'an instant of a row, however it is stored there: %s',
    (stored) => {
      const { read, bind } = codecOf('DateTime')
      expect(bind(read(stored))).toBe('1969-12-31T23:59:59.999+00:00')
    },
  )

  test.each<[string, unknown]>([
    ['Boolean', 1],
    ['Int', '7'],
    ['Int', 7n],
    ['BigInt', 2n ** 63n],
    ['Float', Number.NaN],
    ['Decimal', 'one'],
    ['DateTime', '2024-01-01'],
    ['DateTime', new Date('+012345-01-01T00:00:00Z')],
    ['Mood', 'deep-blue'],
    ['Json', {}],
    ['String', null],
  ])('and what Prisma would refuse is left to it: %s: %s', (type, value) =>
    expect(() => codecOf(type).bind(value)).toThrow(NotInSql),
  )
})

test('lists have no codec on SQLite', () => {
  expect(() => codecOf('Int', { isList: true }).read('[]')).toThrow(NotInSql)
})
