import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import type { Attribute } from '@prismapi/jsonapi/schema/resource-schema'
import fc from 'fast-check'
import type { FixtureProvider } from './fixtures.ts'

const days = fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') })

type Json = fc.Arbitrary<unknown>

/** What a document may say of an attribute: every value that its column holds, as documents write it. */
export function legalValues(attribute: Attribute, provider: FixtureProvider): Json {
  const column = attribute.column as ColumnMeta
  const one = single(attribute, column, provider)
  const value = attribute.isList ? fc.array(one, { maxLength: 3 }) : one
  return attribute.isNullable ? fc.option(value, { freq: 6 }) : value
}

function single(attribute: Attribute, column: ColumnMeta, provider: FixtureProvider): Json {
  const [native = '', size = ''] = column.native ?? []
  switch (attribute.kind) {
    case 'string':
      return text(native, Number(size), provider)
    case 'integer':
      return native === 'SmallInt' ? around(-32_768, 32_767) : around(native === 'Oid' ? 0 : -(2 ** 31), 2 ** 31 - 1)
    case 'bigint':
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)
    case 'float':
      return native === 'Real'
        ? fc.float({ noNaN: true, noDefaultInfinity: true }).map(positiveZero)
        : fc.double({ noNaN: true, noDefaultInfinity: true, max: 1.7e308, min: -1.7e308 }).map(positiveZero)
    case 'decimal':
      return decimals(column, provider)
    case 'boolean':
      return fc.boolean()
    case 'datetime':
      return instants(native, size)
    case 'date':
      return days.map((day) => day.toISOString().slice(0, 10))
    case 'time':
      return days.map((day) => day.toISOString().slice(11, 19))
    case 'json':
      return jsonValues(provider)
    case 'bytes':
      return fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('base64'))
    case 'enum':
      return fc.constantFrom(...(attribute.values ?? []))
    default:
      return attribute.kind satisfies never
  }
}

const around = (min: number, max: number): Json =>
  fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max, 0, 1), fc.integer({ min: 0, max: 10 }))

const positiveZero = (value: number): number => (Object.is(value, -0) ? 0 : value)

const shapes: Readonly<Record<string, (size: number) => fc.Arbitrary<string>>> = {
  Uuid: () => fc.uuid(),
  Bit: (size) => fc.stringMatching(new RegExp(`^[01]{${size}}$`)),
  VarBit: (size) => fc.stringMatching(new RegExp(`^[01]{1,${size}}$`)),
  Inet: () => fc.constantFrom('10.0.0.1', '::1', '192.168.0.0/16', '2001:db8::/32'),
  Xml: () => fc.constantFrom('<a/>', '<a b="c">d</a>', 'text'),
  // PostgreSQL pads what is shorter.
  Char: (size) => fc.stringMatching(new RegExp(`^[a-z]{${size}}$`)),
}

function text(native: string, size: number, provider: FixtureProvider): fc.Arbitrary<string> {
  const shape = shapes[native]
  if (shape) return shape(size)
  const maxLength = size > 0 ? size : 30
  const unit = fc.oneof(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }), special(provider))
  return fc
    .array(unit, { minLength: 1, maxLength })
    .map((units) => units.join(''))
    .filter((value) => value.length <= maxLength)
}

const special = (provider: FixtureProvider): fc.Arbitrary<string> =>
  fc.constantFrom('ä', '日', '😀', '%', '_', "'", '"', '\\', '\n', '\u2028', ...(provider === 'sqlite' ? ['\0'] : []))

function decimals({ native }: ColumnMeta, provider: FixtureProvider): fc.Arbitrary<string> {
  const [type = '', precision = '', scale = ''] = native ?? []
  const [whole, fraction] =
    type === 'Decimal'
      ? [Number(precision) - Number(scale || 0), Number(scale || 0)]
      : type === 'Money'
        ? [12, 2]
        : provider === 'sqlite'
          ? [8, 7]
          : [35, 30]
  const digits = (max: number) =>
    fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: max }).map((list) => list.join(''))
  return fc.tuple(fc.boolean(), digits(whole), digits(fraction)).map(([isNegative, before, after]) => {
    const number = `${before.replace(/^0+/, '') || '0'}${after === '' ? '' : `.${after}`}`
    return isNegative && /[1-9]/.test(number) ? `-${number}` : number
  })
}

function instants(native: string, size: string): fc.Arbitrary<string> {
  const [min, max] = [new Date('0001-01-01T00:00:00.000Z'), new Date('9999-12-31T23:59:59.999Z')]
  const exact = fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString())
  if (native === 'Date') return exact.map((text) => `${text.slice(0, 10)}T00:00:00.000Z`)
  const dates = size === '0' ? exact.map((text) => `${text.slice(0, 19)}.000Z`) : exact
  return native === 'Time' || native === 'Timetz' ? dates.map((text) => `1970-01-01T${text.slice(11)}`) : dates
}

// A member called `__proto__` is refused in any document, and null by itself means that there is no value.
const jsonValues = (provider: FixtureProvider): Json =>
  fc
    .jsonValue({ maxDepth: 3 })
    .map((value) => JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'number' ? digits15(each) : each))))
    .filter(
      (value) => value !== null && !/__proto__|\\ud[89a-f]/.test(JSON.stringify(value)) && isStorable(value, provider),
    )

// Prisma writes 16 digits of the numbers inside, too.
const digits15 = (value: number): number => Number(value.toPrecision(15))

const isStorable = (value: unknown, provider: FixtureProvider): boolean =>
  provider === 'sqlite' || !JSON.stringify(value).includes('\\u0000')

/** Values of other JSON types, and values that the column cannot hold. */
export function illegalValues(attribute: Attribute, provider: FixtureProvider): readonly unknown[] {
  const column = attribute.column as ColumnMeta
  const wrong = illegalOnes(attribute, column, provider)
  if (attribute.isList) return ['a', 1, {}, null, [null], ...wrong.map((value) => [value])]
  return [...wrong, ...(attribute.isNullable ? [] : [null])]
}

const commands = [{ increment: 1 }, { set: null }, [1], []]
const numbers = ['1', true, ...commands]
const badText = ['lone \ud800 surrogate']

function illegalOnes(attribute: Attribute, column: ColumnMeta, provider: FixtureProvider): readonly unknown[] {
  const [native = '', size = ''] = column.native ?? []
  switch (attribute.kind) {
    case 'string':
      return [1, false, ...commands, ...badText, ...(provider === 'sqlite' ? [] : ['nul \0']), ...misfits(native, size)]
    case 'integer':
      return [...numbers, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e300, ...(native === 'SmallInt' ? [32_768] : [])]
    case 'bigint':
      return [
        1,
        ...commands,
        '',
        '1.0',
        '01',
        '1e3',
        ' 1',
        '9223372036854775808',
        '-9223372036854775809',
        'x'.repeat(99),
      ]
    case 'float':
      return [...numbers, 'NaN', 'Infinity', Number.MAX_VALUE, ...(native === 'Real' ? [1e39, -1e300, 1e-60] : [])]
    case 'decimal':
      return [
        1,
        ...commands,
        '',
        '1e3',
        'NaN',
        'Infinity',
        '-Infinity',
        '01',
        '.5',
        '5.',
        '1,5',
        ...sizes(column, provider),
      ]
    case 'boolean':
      return [0, 1, 'true', ...commands]
    case 'datetime':
      return [...badDates, 1, true, ...commands]
    case 'date':
      return ['', 'now', '2024-02-30', '2024-02-29T00:00:00Z', '0000-01-01', '24-02-03', 1, true, ...commands]
    case 'time':
      return ['', '24:00', '9:30', '09:30:00Z', '2024-02-29T00:00:00Z', 1, true, ...commands]
    case 'json':
      return [badText[0], { a: badText[0] }, { [badText[0] as string]: 1 }]
    case 'bytes':
      return ['a', 'ab=c', 'a b=', '====', 1, { length: 1e9 }, ...commands]
    case 'enum':
      return ['', 'no such value', 1, null, ...commands].filter((value) => value !== null || !attribute.isNullable)
    default:
      return attribute.kind satisfies never
  }
}

const badDates = [
  ...['', 'now', '2024-02-30T00:00:00Z', '2024-13-01T00:00:00Z', '0000-01-01T00:00:00Z', '10000-01-01T00:00:00Z'],
  ...['2024-01-01', '2024-01-01T24:00:00Z', '2024-01-01T00:00:60Z', '2024-01-01T00:00:00', '2024-01-01t00:00:00z'],
]

function misfits(native: string, size: string): readonly unknown[] {
  const long = /char$/i.test(native) && Number(size) > 0 ? ['x'.repeat(Number(size) + 1)] : []
  const shaped: Readonly<Record<string, readonly string[]>> = {
    Uuid: ['x', '1', '00000000-0000-0000-0000-00000000000g'],
    Bit: ['0', '2', 'x'],
    VarBit: ['012', '000000'],
    Inet: ['x', '256.0.0.1', '10.0.0.1/33', '::1/129'],
    Xml: ['<a>', '<a></b>'],
  }
  return [...long, ...(shaped[native] ?? [])]
}

function sizes({ native }: ColumnMeta, provider: FixtureProvider): readonly string[] {
  const [type, precision = '', scale = ''] = native ?? []
  if (type === 'Decimal') {
    const [whole, fraction] = [Number(precision) - Number(scale || 0), Number(scale || 0)]
    return ['1'.repeat(whole + 1), `0.${'1'.repeat(fraction + 1)}`]
  }
  if (type === 'Money') return ['0.001', '1'.repeat(20)]
  // SQLite keeps a binary number of 64 bits; PostgreSQL 65 digits, 30 of them behind the point.
  return provider === 'sqlite'
    ? ['0.1234567890123456789', '12345678901234567890.5']
    : [`0.${'1'.repeat(31)}`, '1'.repeat(36)]
}

/** Do two values of an attribute mean the same: decimals may lose zeros on their way, and `real` keeps 32 bits. */
export function isSame(attribute: Attribute, sent: unknown, shown: unknown): boolean {
  return JSON.stringify(normal(attribute, sent)) === JSON.stringify(normal(attribute, shown))
}

function normal(attribute: Attribute, value: unknown): unknown {
  if (Array.isArray(value) && attribute.isList)
    return value.map((each) => normal({ ...attribute, isList: false }, each))
  if (attribute.kind === 'decimal' && typeof value === 'string')
    return value.includes('.') ? value.replace(/\.?0+$/, '') : value
  if (attribute.kind === 'json') return sorted(value)
  // Prisma writes 16 digits of a number, and `real` keeps fewer.
  if (attribute.kind === 'float' && typeof value === 'number')
    return attribute.column?.native?.[0] === 'Real' ? Math.fround(value) : Number(value.toPrecision(16))
  return value
}

// PostgreSQL's jsonb keeps no order of members.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}
