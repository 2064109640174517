import { describe, expect, test } from 'vitest'
import type { ColumnMeta, Provider } from '../../src/model/meta.ts'
import { Decimal } from '../../src/model/prisma-values.ts'
import { IdOverride } from '../../src/schema/fields.ts'
import { compileId } from '../../src/schema/id.ts'
import { columnOf, modelOf, resourcesOf } from './meta.ts'

function idOf(columns: readonly ColumnMeta[], override: IdOverride | null = null, provider: Provider = 'postgresql') {
  const model = modelOf('Thing', { columns, key: columns.map(({ name }) => name) })
  return compileId(model, { ...resourcesOf(model), provider }, override)
}
const single = (type: string, more: Partial<ColumnMeta> = {}) => idOf([columnOf('id', type, more)])

const uuid = '0190d6a2-0000-7000-8000-000000000001'

describe('an id names a value of its column, in one spelling', () => {
  test.each<[string, string, unknown]>([
    ['Int', '7', 7],
    ['Int', '-7', -7],
    ['Int', '0', 0],
    ['Int', '2147483647', 2_147_483_647],
    ['BigInt', '9007199254740993', 9_007_199_254_740_993n],
    ['BigInt', '-9223372036854775808', -(2n ** 63n)],
    ['String', 'a b/c', 'a b/c'],
    ['String', 'ä_😀', 'ä_😀'],
    ['Color', 'RED', 'RED'],
    ['Boolean', 'false', false],
    ['DateTime', '2024-02-29T10:00:00.000Z', new Date('2024-02-29T10:00:00Z')],
    ['Bytes', 'AQI=', new Uint8Array([1, 2])],
    ['Float', '0.5', 0.5],
    ['Float', '1e+21', 1e21],
    ['Decimal', '19.5', new Decimal('19.5')],
  ])('%s %s', (type, text, value) => {
    const id = single(type)
    expect(id.parse(text)).toEqual({ id: value })
    expect(id.format({ id: value })).toBe(text)
  })

  test.each([
    ['Int', 'abc'],
    ['Int', '01'],
    ['Int', '-0'],
    ['Int', '1e0'],
    ['Int', '1.0'],
    ['Int', ' 1'],
    ['Int', ''],
    ['Int', '2147483648'],
    ['Int', '99999999999999999999'],
    ['BigInt', '9223372036854775808'],
    ['String', ''],
    ['String', '.'],
    ['String', '..'],
    ['String', '\ud800'],
    ['String', 'a\0b'],
    ['Color', 'GREEN'],
    ['Color', 'constructor'],
    ['Boolean', 'yes'],
    ['DateTime', '2024-02-29'],
    ['DateTime', 'never'],
    ['Float', 'nan'],
    ['Float', '0.30000000000000004'],
    ['Float', '1.0'],
    ['Float', '+Infinity'],
    ['Float', ''],
    ['Decimal', '1,5'],
    ['Decimal', '1.50'],
    ['Decimal', '-0'],
    ['Decimal', `0.${'1'.repeat(31)}`],
    ['Bytes', '§'],
  ])('%s has no %j', (type, text) => {
    expect(single(type).parse(text)).toBeNull()
  })

  describe('what JavaScript or JSON lacks has the one that PostgreSQL shows', () => {
    test.each([
      ['Timestamptz', 'infinity'],
      ['Timestamp', '-infinity'],
      ['Timestamp', '10000-01-01 00:00:00'],
      ['Timestamptz', '12024-02-29 23:59:59.123456+00'],
      ['Timestamptz', '0044-03-15 12:00:00+00 BC'],
      ['Timestamp', '0001-02-29 00:00:00.5 BC'],
      ['Date', '0044-03-15 BC'],
      ['Date', '5874896-12-31'],
      ['Time', '24:00:00'],
      ['Timetz', '24:00:00+00'],
      ['Timetz', '09:00:00+02'],
      ['Timetz', '09:00:00.123-05:30'],
    ])('%s %s', (native, text) => {
      const id = single('DateTime', { native: [native] })
      const row = id.parse(text)
      expect([row && id.format(row), id.takes(text)]).toEqual([text, false])
      expect(idOf([columnOf('id', 'DateTime', { native: [native] })], null, 'mysql').parse(text)).toBeNull()
    })

    test.each([
      ['Timestamptz', '10000-01-01 00:00:00'],
      ['Timestamp', '10000-01-01 00:00:00+00'],
      ['Timestamp', '10000-01-01 00:00:00.10'],
      ['Timestamp', '10001-02-29 00:00:00'],
      ['Timestamp', '10000-13-01 00:00:00'],
      ['Timestamp', '300000-01-01 00:00:00'],
      ['Timestamp', '0002-02-29 00:00:00 BC'],
      ['Timestamp', '5000-01-01 00:00:00 BC'],
      ['Timestamp', '2024-01-01 00:00:00'],
      ['Date', '2024-01-01 BC BC'],
      ['Date', '05874-01-01'],
      ['Time', '24:00:00+00'],
      ['Time', 'infinity'],
      ['Timetz', '09:00:00+00'],
      ['Timetz', '24:00:00'],
      ['Timetz', '25:00:00+02'],
    ])('and none beside it: %s %s', (native, text) => {
      expect(single('DateTime', { native: [native] }).parse(text)).toBeNull()
    })

    test.each(['NaN', 'Infinity', '-Infinity'])('%s', (text) => {
      for (const type of ['Float', 'Decimal']) {
        const id = single(type)
        expect([id.format(id.parse(text) as object as never), id.takes(text)]).toEqual([text, false])
        expect(idOf([columnOf('id', type)], null, 'sqlite').parse(text)).toBeNull()
      }
    })

    test('clients may choose others', () => {
      expect([single('Float').takes('0.5'), single('DateTime').takes('2024-02-29T10:00:00.000Z')]).toEqual([true, true])
    })
  })

  test('what PostgreSQL cannot store is no id there, and one in SQLite', () => {
    expect(idOf([columnOf('id', 'String')], null, 'sqlite').parse('a\0b')).toEqual({ id: 'a\0b' })
  })

  test('a native UUID is nothing else, in small letters', () => {
    const id = single('String', { native: ['Uuid'] })
    expect([id.parse(uuid), id.parse('1'), id.parse(uuid.toUpperCase())]).toEqual([{ id: uuid }, null, null])
  })

  test('a Decimal is shown in full', () => {
    const decimal = { toFixed: () => '0.0000001', toString: () => '1e-7' }
    expect(single('Decimal').format({ id: decimal })).toBe('0.0000001')
  })
})

describe('an id of several columns', () => {
  const id = idOf([columnOf('place', 'String'), columnOf('row', 'Int')])

  test.each<[string, object]>([
    ['a_1', { place: 'a', row: 1 }],
    ['a%5Fb_1', { place: 'a_b', row: 1 }],
    ['a%25_1', { place: 'a%', row: 1 }],
    ['%C3%A4%20_-1', { place: 'ä ', row: -1 }],
    ['._1', { place: '.', row: 1 }],
    ['.._1', { place: '..', row: 1 }],
    ['_1', { place: '', row: 1 }],
  ])('%s', (text, row) => {
    expect(id.parse(text)).toEqual(row)
    expect(id.format(row as never)).toBe(text)
  })

  test.each(['a', 'a_b', 'a_1_2', 'a_', '%E0_1', '%_1'])('%s is none', (text) => {
    expect(id.parse(text)).toBeNull()
  })
})

describe('who chooses it', () => {
  test.each<[string, Partial<ColumnMeta>, boolean]>([
    ['counted by the database', { default: 'autoincrement' }, false],
    ['made by Prisma', { default: 'uuid' }, false],
    ['without a default', {}, true],
    ['which is a foreign key', { isForeignKey: true }, false],
  ])('%s', (_, more, isClient) => {
    expect(single('String', more).clientGenerated).toBe(isClient)
  })

  test('the schema says otherwise', () => {
    const column = columnOf('id', 'String', { default: 'uuid' })
    const id = idOf([column], new IdOverride().clientGenerated())
    expect([id.clientGenerated, id.pattern.test(uuid), id.pattern.test('1')]).toEqual([true, true, false])
    const own = idOf([column], new IdOverride().clientGenerated(/^x\d$/))
    expect([own.pattern.test('x1'), own.pattern.test(uuid)]).toEqual([true, false])
  })

  test.each([
    ['cuid', 'cjld2cjxh0000qzrmn831i7rn', 'CJLD2!'],
    ['ulid', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FAU!'],
    ['nanoid', 'V1StGXR8_Z5jdHi6B-myT', 'V1StGXR8 Z5jdHi6B'],
    ['dbgenerated', 'anything', 'a\0b'],
  ])('what %s() makes has a pattern', (byDefault, id, other) => {
    const { pattern } = single('String', { default: byDefault })
    expect([pattern.test(id), pattern.test(other)]).toEqual([true, false])
  })
})
