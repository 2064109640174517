import { describe, expect, test } from 'vitest'
import { DbNull, Decimal } from '../../src/model/prisma-values.ts'
import { deserializer, kindOf, serializer } from '../../src/schema/attributes.ts'
import { columnOf } from './meta.ts'

const show = (type: string, value: unknown, more = {}) => serializer(columnOf('x', type, more))(value)
const read = (type: string, value: unknown, more = {}) => deserializer(columnOf('x', type, more))(value)
const list = { isList: true }

describe('from a column to a document', () => {
  test.each<[string, unknown, unknown]>([
    ['String', 'text', 'text'],
    ['Int', 7, 7],
    ['Float', 1.5, 1.5],
    ['Float', Number.NaN, null],
    ['Float', Number.NEGATIVE_INFINITY, null],
    ['Boolean', false, false],
    ['BigInt', 9_007_199_254_740_993n, '9007199254740993'],
    ['Decimal', new Decimal('1e-7'), '0.0000001'],
    ['Decimal', new Decimal('123456789012345678901234567890.10'), '123456789012345678901234567890.1'],
    ['DateTime', new Date('2024-02-29T12:00:00.5Z'), '2024-02-29T12:00:00.500Z'],
    ['Bytes', new Uint8Array([0, 255, 16]), 'AP8Q'],
    ['Json', { a: [null] }, { a: [null] }],
    ['Color', 'RED', 'RED'],
  ])('%s %o', (type, value, shown) => {
    expect(show(type, value)).toEqual(shown)
    expect(show(type, null)).toBeNull()
  })

  test('a list shows its elements so, and is never null', () => {
    expect(show('BigInt', [1n, 2n], list)).toEqual(['1', '2'])
    expect(show('DateTime', [new Date(0)], list)).toEqual(['1970-01-01T00:00:00.000Z'])
    expect(show('Float', null, list)).toEqual([])
  })
})

describe('from a document to a column', () => {
  test.each<[string, unknown, unknown]>([
    ['String', 'text', 'text'],
    ['Int', 7, 7],
    ['BigInt', '9007199254740993', 9_007_199_254_740_993n],
    ['Decimal', '1.10', '1.10'],
    ['DateTime', '2024-02-29T12:00:00+01:00', new Date('2024-02-29T11:00:00Z')],
    ['Bytes', 'AP8Q', new Uint8Array([0, 255, 16])],
    ['Json', { a: [null] }, { a: [null] }],
    ['Color', 'RED', 'RED'],
  ])('%s %o', (type, value, stored) => {
    expect(read(type, value)).toEqual(stored)
  })

  test('null is no value', () => {
    for (const type of ['String', 'BigInt', 'DateTime', 'Bytes']) expect(read(type, null)).toBeNull()
    expect(read('Json', null)).toBe(DbNull)
  })

  test('a list reads its elements so', () => {
    expect(read('BigInt', ['1', '2'], list)).toEqual([1n, 2n])
    expect(read('Bytes', ['AQ=='], list)).toEqual([new Uint8Array([1])])
    expect(read('Json', [null, 1], list)).toEqual([null, 1])
  })

  test('what is no text is no bytes', () => {
    expect(() => read('Bytes', { length: 1e9 })).toThrow(TypeError)
  })
})

test('a column of a type that is not known has no kind', () => {
  expect(() => kindOf(columnOf('x', 'Unsupported', { isEnum: false }))).toThrow(
    'The field x has the type Unsupported, which no attribute can have.',
  )
})
