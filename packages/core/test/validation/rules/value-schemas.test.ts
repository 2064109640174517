import { isDateTime } from '@prismapi/jsonapi/schema/calendar'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { string as yupString } from 'yup'
import { isBase64, isBigInt, isDecimal, isUrl, isUuid } from '../../../src/validation/rules/value-schemas.ts'

describe('date-times', () => {
  test.each([
    '2024-02-29T12:34Z',
    '2024-02-29T12:34:56Z',
    '2024-02-29T12:34:56.7Z',
    '2024-02-29T12:34:56.789Z',
    '2024-02-29T12:34:56.789123Z',
    '2024-02-29T12:34:56.123456789+05:30',
    '2024-12-31T23:59-23:59',
    '0001-01-01T00:00Z',
    '9999-12-31T23:59:59.999Z',
    '2000-02-29T00:00Z',
  ])('%s is one', (text) => expect(isDateTime(text)).toBe(true))

  test.each([
    '2024-02-30T00:00Z',
    '2023-02-29T00:00Z',
    '1900-02-29T00:00Z',
    '2024-04-31T00:00Z',
    '2024-13-01T00:00Z',
    '2024-00-01T00:00Z',
    '2024-01-00T00:00Z',
    '2024-01-01T24:00Z',
    '2024-01-01T23:60Z',
    '2016-12-31T23:59:60Z',
    '2024-01-01T00:00:00.1234567890Z',
    '2024-01-01T00:00:00.Z',
    '2024-01-01T00:00:00,5Z',
    '2024-01-01T00Z',
    '2024-01-01t00:00Z',
    '2024-01-01T00:00z',
    '2024-01-01 00:00Z',
    '2024-01-01T00:00',
    '2024-01-01',
    '2024-01-01T00:00+24:00',
    '2024-01-01T00:00+01:60',
    '2024-01-01T00:00+0100',
    '0000-01-01T00:00Z',
    '0001-01-01T00:00+01:00',
    '9999-12-31T23:59-00:01',
    '10000-01-01T00:00Z',
    '+002024-01-01T00:00Z',
    '2024-01-01T00:00Z\n',
    '',
  ])('%j is none', (text) => expect(isDateTime(text)).toBe(false))

  test('every instant that JavaScript writes is one, and is read back', () => {
    const between = {
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    }
    fc.assert(fc.property(fc.date(between), (date) => isDateTime(date.toISOString())))
  })

  test('what is one is read by Date to the millisecond, further digits dropped', () => {
    const digits = fc.stringMatching(/^\d{1,9}$/)
    fc.assert(
      fc.property(digits, (fraction) => {
        const text = `2024-02-29T12:34:56.${fraction}Z`
        return isDateTime(text) && new Date(text).getUTCMilliseconds() === Number(fraction.padEnd(3, '0').slice(0, 3))
      }),
    )
  })

  test('calendar days are those that Date keeps', () => {
    const part = fc.integer({ min: 0, max: 40 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), part, part, (year, month, day) => {
        const two = (n: number) => String(n).padStart(2, '0')
        const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T12:00:00.000Z`
        const date = new Date(text)
        const isKept = !Number.isNaN(date.getTime()) && date.toISOString() === text
        return isDateTime(text) === isKept
      }),
    )
  })
})

test('64-bit integers are those in range, in their one spelling', () => {
  fc.assert(fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (n) => isBigInt(String(n))))
  const beyond = [
    '9223372036854775808',
    '-9223372036854775809',
    '99999999999999999999',
    '01',
    '+1',
    '1.0',
    '1e3',
    '-0',
    ' 1',
    '',
    '0x1',
  ]
  expect(beyond.filter(isBigInt)).toEqual([])
})

test('decimals have digits and at most one point, and no exponent', () => {
  expect(['0', '-0.10', '12.5', `0.${'1'.repeat(30)}`].map((text) => isDecimal(text))).toEqual([true, true, true, true])
  expect(['', '.5', '1.', '1e3', 'NaN', 'Infinity', '01', '+1', '1,5', '١'].filter((text) => isDecimal(text))).toEqual(
    [],
  )
})

test('a decimal fits its size', () => {
  const size = { precision: 6, scale: 2 }
  expect(['9999.99', '-9999.99', '0.01'].map((text) => isDecimal(text, size))).toEqual([true, true, true])
  expect(['10000', '0.001', '10000.00'].filter((text) => isDecimal(text, size))).toEqual([])
})

test('base64 is read back to the same text', () => {
  fc.assert(fc.property(fc.uint8Array(), (array) => isBase64(Buffer.from(array).toString('base64'))))
  expect(['a', 'ab', 'abc', '%%%%', 'YQ', 'YR==', 'YQ==\n', '-_-_'].filter(isBase64)).toEqual([])
})

describe('the edges of values', () => {
  test.each([
    ['2024-00-10T00:00Z', false],
    ['2024-13-10T00:00Z', false],
    ['2024-12-10T00:00Z', true],
    ['2024-01-00T00:00Z', false],
    ['2024-01-31T23:59:59Z', true],
    ['2024-04-31T00:00Z', false],
    ['2024-01-01T24:00Z', false],
    ['2024-01-01T00:60Z', false],
    ['2024-01-01T00:00:60Z', false],
    ['2024-01-01T00:00+24:00', false],
    ['2024-01-01T00:00+00:60', false],
    ['2024-01-01T00:00-23:59', true],
    ['1900-02-29T00:00Z', false],
    ['2000-02-29T00:00Z', true],
    ['2023-02-29T00:00Z', false],
    ['0001-01-01T00:00Z', true],
    ['0000-12-31T00:00Z', false],
    ['0001-01-01T00:00+00:01', false],
    ['9999-12-31T23:59:59.999Z', true],
    ['9999-12-31T23:59-00:01', false],
    ['x2024-01-01T00:00Z', false],
    ['2024-01-01T00:00Zx', false],
  ])('the instant %s: %s', (value, expected) => {
    expect(isDateTime(value)).toBe(expected)
  })

  test('a decimal of a thousand digits at most', () => {
    const nines = (count: number) => '9'.repeat(count)
    expect(
      [nines(1000), `${nines(999)}.9`, nines(1001), `${nines(999)}.99`, `0.${nines(1000)}`, `0.${nines(1001)}`].map(
        (each) => isDecimal(each),
      ),
    ).toEqual([true, true, false, false, true, false])
    expect(isDecimal('0.99', { precision: 2, scale: 2 })).toBe(true)
    expect(isDecimal('1.99', { precision: 2, scale: 2 })).toBe(false)
  })

  test('a UUID and nothing around it', () => {
    const id = '0189f3c2-1111-4222-8333-0123456789aB'
    expect([id, `${id}0`, `0${id}`, id.slice(1)].map(isUuid)).toEqual([true, false, false, false])
  })
})

describe('addresses', () => {
  const addresses: readonly (readonly [string, boolean])[] = [
    ['http://a.example', true],
    ['HTTPS://A.example:8080/b/c.d?e=f&g=%20#h', true],
    ['ftp://user:password@a.example/b', true],
    ['//a.example/b', true],
    ['http://127.0.0.1/', true],
    ['https://ä.example/ü', true],
    ['http://a.example.', true],
    ['http://localhost', false],
    ['http://', false],
    ['http:/a.example', false],
    ['a.example', false],
    ['/a.example', false],
    ['mailto:a@b.example', false],
    ['javascript:alert(1)//a.example', false],
    ['http://a b.example', false],
    ['http://a.example/"', false],
    ['http://a.example/<b>', false],
    ['http://a.example\\@b.example', false],
    ['http://a.example\n', false],
    [' http://a.example', false],
    ['http://.example', false],
    ['http://a.example:b', false],
  ]
  test.each(addresses)('%j: %s, as yup has it', (value, expected) => {
    expect([isUrl(value), yupString().url().isValidSync(value)]).toEqual([expected, expected])
  })
})
