import { describe, expect, test } from 'vitest'
import { schemaOfModel } from '../../../../test/support/schemas.ts'
import type { ColumnMeta, Provider } from '../../src/model/meta.ts'
import { idOperators, isSearching, operatorsOf, takesList } from '../../src/query/filter-operators.ts'
import { isStorable, valueKind } from '../../src/query/filter-values.ts'
import { parseDateTime } from '../../src/schema/calendar.ts'
import type { Attribute, AttributeKind } from '../../src/schema/resource-schema.ts'

const { attributes } = schemaOfModel('Post')
const attribute = (name: string, more: Partial<Attribute> = {}): Attribute => ({
  ...(attributes.get(name) as Attribute),
  ...more,
})
const native = (name: string, type: string, more: Partial<Attribute> = {}): Attribute =>
  attribute(name, { column: { ...(attribute(name).column as ColumnMeta), native: [type] }, ...more })
const operators = (of: Attribute, provider: Provider = 'sqlite') => operatorsOf(of, provider).join(' ')

const equality = 'equals in not notIn'
const ordered = `${equality} lt lte gt gte`
const searched = `${ordered} contains startsWith endsWith`
const lists = 'equals has hasSome hasEvery isEmpty'

describe('an attribute offers the operators', () => {
  test.each<[string, Attribute, Provider, string]>([
    ['text', attribute('slug'), 'sqlite', searched],
    ['text that may be null', attribute('title'), 'sqlite', `${searched} isNull`],
    [
      'text where the database can ignore case',
      attribute('slug'),
      'postgresql',
      `${searched} iequals icontains istartsWith iendsWith`,
    ],
    ['text on MySQL', attribute('slug'), 'mysql', searched],
    ['a UUID', native('slug', 'Uuid'), 'postgresql', ordered],
    ['a number', attribute('rank'), 'postgresql', ordered],
    ['an instant', attribute('publishedAt'), 'postgresql', `${ordered} isNull`],
    ['a truth', attribute('featured'), 'postgresql', 'equals in not'],
    ['a name', attribute('status'), 'postgresql', equality],
    ['bytes', attribute('cover'), 'postgresql', `${equality} isNull`],
    ['Json', attribute('meta', { isFilterable: true }), 'postgresql', 'isNull'],
    ['Json that is never null', attribute('meta', { isFilterable: true, isNullable: false }), 'postgresql', ''],
    ['a list', attribute('labels'), 'postgresql', lists],
    ['a list of Json', attribute('labels', { kind: 'json' }), 'postgresql', ''],
    ['an address', native('slug', 'Inet'), 'postgresql', ''],
    ['bits', native('slug', 'Bit'), 'postgresql', ''],
    ['more bits', native('slug', 'VarBit'), 'postgresql', ''],
    ['XML that may be null', native('title', 'Xml'), 'postgresql', ''],
    ['no column', attribute('slug', { column: null }), 'postgresql', ''],
    ['what is only written', attribute('slug', { writeOnly: true }), 'postgresql', ''],
    ['what is no filter', attribute('slug', { isFilterable: false }), 'postgresql', ''],
  ])('of %s', (_, of, provider, expected) => {
    expect(operators(of, provider)).toBe(expected)
  })

  test('of an id, which may have no order', () => {
    expect([idOperators({ isOrdered: true }).join(' '), idOperators({ isOrdered: false }).join(' ')]).toEqual([
      ordered,
      equality,
    ])
  })

  test('some of which take lists, and some of which look into texts', () => {
    const every = [...new Set(`${searched} iequals icontains istartsWith iendsWith ${lists} isNull`.split(' '))]
    expect(every.filter((operator) => takesList.has(operator))).toEqual(['in', 'notIn', 'hasSome', 'hasEvery'])
    expect(every.filter(isSearching)).toEqual(
      'contains startsWith endsWith iequals icontains istartsWith iendsWith'.split(' '),
    )
    expect(isSearching(null)).toBe(false)
  })
})

describe('a text is a value of a kind, or none', () => {
  const column = attribute('slug').column as ColumnMeta
  const parse = (kind: AttributeKind, text: string, type: string | null = null, values: string[] | null = null) =>
    valueKind(kind, { ...column, native: type === null ? null : [type] }, values)?.parse(text)
  const id = '0189f3c2-1111-4222-8333-0123456789aB'

  test.each<[AttributeKind, string, string | null, unknown]>([
    ['integer', '2147483647', null, 2147483647],
    ['integer', '2147483648', null, null],
    ['integer', '-2147483648', null, -2147483648],
    ['integer', '-2147483649', null, null],
    ['integer', '32767', 'SmallInt', 32767],
    ['integer', '-32768', 'SmallInt', -32768],
    ['integer', '32768', 'SmallInt', null],
    ['integer', '-32769', 'SmallInt', null],
    ['integer', '1.0', null, null],
    ['integer', ' 1', null, null],
    ['integer', '9'.repeat(41), null, null],
    ['bigint', '9223372036854775807', null, '9223372036854775807'],
    ['bigint', '9223372036854775808', null, null],
    ['string', id, 'Uuid', id],
    ['string', `${id}0`, 'Uuid', null],
    ['string', `0${id}`, 'Uuid', null],
    ['string', 'x'.repeat(36), 'Uuid', null],
    ['float', '-1.5E+3', null, -1500],
    ['float', '12e10', null, 12e10],
    ['float', '1e999', null, null],
    ['float', '.5', null, null],
    ['float', '1.', null, null],
    ['decimal', '-12.50', null, '-12.50'],
    ['decimal', '1e3', null, null],
    ['decimal', '9'.repeat(400), null, null],
    ['boolean', 'false', null, false],
    ['boolean', '1', null, null],
    ['bytes', 'AQ==', null, 'AQ=='],
    ['bytes', 'AQI=', null, 'AQI='],
    ['bytes', 'AQID', null, 'AQID'],
    ['bytes', '', null, ''],
    ['bytes', '+/09azAZ', null, '+/09azAZ'],
    ['bytes', 'AQ=', null, null],
    ['bytes', 'A===', null, null],
    ['bytes', '--==', null, null],
    ['bytes', '????', null, null],
    ['bytes', 'AQI', null, null],
    ['bytes', 'AQID=', null, null],
    ['bytes', '-AQI', null, null],
    ['bytes', '??==', null, null],
    ['bytes', '???=', null, null],
    ['json', '1', null, undefined],
  ])('%s %s %s', (kind, text, type, expected) => {
    expect(parse(kind, text, type)).toBe(expected)
  })

  test('one of an enum', () => {
    expect([parse('enum', 'A', null, ['A', 'B']), parse('enum', 'C', null, ['A', 'B']), parse('enum', 'C')]).toEqual([
      'A',
      null,
      null,
    ])
  })

  test.each([
    ['2025-01-31T09:30Z', '2025-01-31T09:30:00.000Z'],
    ['2025-01-31T09:30:15.1234567Z', '2025-01-31T09:30:15.123Z'],
    ['2025-01-31T09:30:15.1Z', '2025-01-31T09:30:15.100Z'],
    ['2025-01-31T00:30:00+01:00', '2025-01-30T23:30:00.000Z'],
    ['2024-02-29T00:00:00-23:59', '2024-02-29T23:59:00.000Z'],
    ['2025-02-29T00:00:00Z', null],
    ['2025-13-01T00:00:00Z', null],
    ['2025-01-31T24:00:00Z', null],
    ['2025-01-31T09:60:00Z', null],
    ['2025-01-31T09:30:60Z', null],
    ['2025-01-31T09:30:00', null],
    ['2025-01-31', null],
    ['x2025-01-31T09:30:00Z', null],
    ['2025-01-31T09:30:00Zx', null],
    ['0000-01-01T00:00:00Z', null],
    ['9999-12-31T23:00:00-02:00', null],
    ['soon', null],
  ])('the instant %s', (text, expected) => {
    expect(parseDateTime(text)).toBe(expected)
  })

  test('a text without null characters and halves of letters', () => {
    expect(['a', '\ud83d\ude00', 'a\0', '\ud83d', ''].map(isStorable)).toEqual([true, true, false, false, true])
  })
})
