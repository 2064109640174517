import { expect, test } from 'vitest'
import { Decimal } from '../../src/model/prisma-values.ts'
import { holds, integerRange } from '../../src/schema/attributes.ts'
import { columnOf } from './meta.ts'

const column = (type: string, ...native: readonly string[]) =>
  columnOf('value', type, { native: native.length > 0 ? native : null })

const text = (size: number) => '1'.repeat(size)

test.each([
  ['VarChar', '3', ['', 'abc', '日本語', '😀😀😀'], ['abcd', '😀😀😀😀']],
  ['Char', '2', ['ab'], ['abc']],
  ['Text', '', [text(1000)], []],
  ['Bit', '3', ['010'], ['01', '0101', 'abc']],
  ['VarBit', '3', ['', '01', '010'], ['0101', '012']],
  ['VarBit', '', [text(100)], ['2']],
  [
    'Inet',
    '',
    ['10.0.0.1', '10.0.0.0/8', '::1', '::/0'],
    ['10.0.0.256', '10.0.0.0/33', '::1/129', '10.0.0.0/8/8', 'a', ''],
  ],
])('%s(%s) holds %j and not %j', (native, size, held, refused) => {
  const of = column('String', native, ...(size === '' ? [] : [size]))
  expect(held.filter((value) => !holds(of, 'postgresql', value))).toEqual([])
  expect(refused.filter((value) => holds(of, 'postgresql', value))).toEqual([])
})

test.each([
  [
    ['Decimal', '6', '2'],
    ['0', '-9999.99', '0.01', '0.10'],
    ['10000', '0.001'],
  ],
  [
    ['Decimal', '3', '0'],
    ['999', '100'],
    ['1000', '0.5'],
  ],
  [[], [`${text(35)}.${text(30)}`, `-0.${text(30)}`], [text(36), `0.${text(31)}`]],
  [['Money'], ['1234.56'], ['0.001', text(17)]],
])('a decimal %j holds %j and not %j', (native, held, refused) => {
  const of = column('Decimal', ...native)
  const isHeld = (value: string) => holds(of, 'postgresql', value) && holds(of, 'postgresql', new Decimal(value))
  expect(held.filter((value) => !isHeld(value))).toEqual([])
  expect(refused.filter(isHeld)).toEqual([])
})

test('a decimal on SQLite is one that a double stands for', () => {
  const isHeld = (value: string) => holds(column('Decimal'), 'sqlite', value)
  expect(
    ['0.1', '-12345.6789', '0.30000000000000004', '9007199254740992', `1${'0'.repeat(300)}`].filter(isHeld),
  ).toHaveLength(5)
  expect(['9007199254740993', '0.1234567890123456789', `1${'0'.repeat(400)}`].filter(isHeld)).toEqual([])
})

test('a number keeps what its column and Prisma keep of it', () => {
  const [double, real] = [column('Float'), column('Float', 'Real')]
  const isHeld = (of: typeof double) => (value: number) => holds(of, 'postgresql', value)
  expect([0.1, 5e-324, 1.7e308].filter(isHeld(double))).toHaveLength(3)
  expect([Number.MAX_VALUE].filter(isHeld(double))).toEqual([])
  expect([0, 0.1, 3e38, 1e-40].filter(isHeld(real))).toHaveLength(4)
  expect([1e39, 1e-60].filter(isHeld(real))).toEqual([])
})

test('integers have 32 bits, or fewer', () => {
  expect([
    integerRange(column('Int')),
    integerRange(column('Int', 'SmallInt')),
    integerRange(column('Int', 'Oid')),
  ]).toEqual([
    { min: -2_147_483_648, max: 2_147_483_647 },
    { min: -32_768, max: 32_767 },
    { min: 0, max: 2_147_483_647 },
  ])
})
