import { describe, expect, test } from 'vitest'
import type { ColumnMeta } from '../../src/model/meta.ts'
import { columnAttribute, isAttribute, ownAttribute, secretAccess } from '../../src/schema/attributes.ts'
import { AttributeOverride } from '../../src/schema/fields.ts'
import { columnOf, modelOf, resourcesOf } from './meta.ts'

const resources = resourcesOf()
const attributeOf = (type: string, more: Partial<ColumnMeta> = {}, override: AttributeOverride | null = null) =>
  columnAttribute('x', columnOf('x', type, more), { resources, override })
const override = () => new AttributeOverride('x')

describe('the attribute of a column', () => {
  test('is as the column is', () => {
    const { serialize: _, deserialize: __, ...attribute } = attributeOf('Color', { isNullable: true })
    expect(attribute).toEqual({
      name: 'x',
      kind: 'enum',
      isList: false,
      isNullable: true,
      isRequired: false,
      readOnly: false,
      writeOnly: false,
      isSortable: true,
      isFilterable: true,
      values: ['RED', 'BLUE'],
      column: columnOf('x', 'Color', { isNullable: true }),
      isConverted: false,
      deprecation: null,
      reads: ['x'],
    })
  })

  test.each<[string, Partial<ColumnMeta>, boolean]>([
    ['has no default', {}, true],
    ['may be null', { isNullable: true }, false],
    ['has a default', { default: 'value' }, false],
    ['is a list', { isList: true }, false],
    ['is kept by Prisma', { isUpdatedAt: true }, false],
  ])('is required on create where the column %s: %o %s', (_, more, isRequired) => {
    expect(attributeOf('String', more).isRequired).toBe(isRequired)
  })

  test.each<[string, Partial<ColumnMeta>, boolean]>([
    ['is kept by Prisma', { isUpdatedAt: true }, true],
    ['is set when the row is made', { default: 'now' }, true],
    ['is counted by the database', { default: 'autoincrement' }, true],
    ['says so', { readOnly: true }, true],
    ['has another default', { default: 'uuid' }, false],
  ])('is read-only where the column %s', (_, more, readOnly) => {
    expect(attributeOf('String', more).readOnly).toBe(readOnly)
    expect(attributeOf('String', more, override().asReadOnly(!readOnly)).readOnly).toBe(!readOnly)
  })

  test.each<[string, Partial<ColumnMeta>, boolean, boolean]>([
    ['String', {}, true, true],
    ['String', { isList: true }, false, true],
    ['Json', {}, false, false],
    ['Bytes', {}, false, true],
    ['String', { native: ['Xml'] }, false, true],
    ['String', { writeOnly: true }, false, false],
  ])('of %s %o can be compared with: sort %s, filter %s', (type, more, isSortable, isFilterable) => {
    expect(attributeOf(type, more)).toMatchObject({ isSortable, isFilterable })
    expect(attributeOf(type, more, override().notSortable())).toMatchObject({ isSortable: false, isFilterable })
    expect(attributeOf(type, more, override().notFilterable())).toMatchObject({ isSortable, isFilterable: false })
  })

  test('of Json can be filtered by path where the schema says so, unless it is write-only', () => {
    const isFilterable = (given: AttributeOverride) => attributeOf('Json', {}, given).isFilterable
    expect(isFilterable(override().filterableByPath())).toBe(true)
    expect(isFilterable(override().filterableByPath().notFilterable())).toBe(false)
    expect(isFilterable(override().filterableByPath().writeOnly())).toBe(false)
  })

  test('is shown and read as the schema says', () => {
    const attribute = attributeOf(
      'Int',
      {},
      override()
        .serializeUsing((value) => `${value}!`)
        .deserializeUsing((value) => Number.parseInt(String(value), 10)),
    )
    expect([attribute.serialize({ x: 7, y: 8 }), attribute.deserialize('7!')]).toEqual(['7!', 7])
    const nothing = attributeOf(
      'Int',
      {},
      override().serializeUsing(() => undefined),
    )
    expect(nothing.serialize({ x: 7 })).toBeNull()
  })
})

describe('an attribute without a column', () => {
  test('is computed from the columns that it names, and sees no others', () => {
    const sum = new AttributeOverride<{ a: number; b: number }>('sum').computed(['a', 'b'], (row) =>
      JSON.stringify(row),
    )
    const attribute = ownAttribute('sum', sum as AttributeOverride)
    expect(attribute).toMatchObject({ reads: ['a', 'b'], readOnly: true, writeOnly: false, column: null })
    expect(attribute).toMatchObject({ isSortable: false, isFilterable: false, isRequired: false })
    expect(attribute.serialize({ a: 1, b: 2, c: 3 })).toBe('{"a":1,"b":2}')
  })

  test('is accepted and never shown', () => {
    const attribute = ownAttribute('password', new AttributeOverride('password').virtual())
    expect(attribute).toMatchObject({ reads: [], readOnly: false, writeOnly: true, column: null })
    expect([attribute.serialize({ password: 'x' }), attribute.deserialize('x')]).toEqual([null, 'x'])
  })
})

describe('which columns are attributes', () => {
  const single = modelOf('Single', { columns: [] })
  const several = modelOf('Several', { columns: [], key: ['row', 'place'] })

  test('neither the id nor a foreign key', () => {
    expect(isAttribute(single, columnOf('id', 'Int'))).toBe(false)
    expect(isAttribute(single, columnOf('userId', 'Int', { isForeignKey: true }))).toBe(false)
    expect(isAttribute(single, columnOf('title', 'String'))).toBe(true)
  })

  test('parts of an id, which say something by themselves', () => {
    expect(isAttribute(several, columnOf('row', 'Int'))).toBe(true)
  })

  test('secrets are hidden where rows can be without, and write-only where they cannot', () => {
    const user = modelOf('User', { columns: [] })
    const access = (name: string, type: string, more: Partial<ColumnMeta> = {}) =>
      secretAccess(user, columnOf(name, type, more))
    expect([
      access('passwordHash', 'String', { isNullable: true }),
      access('passwordHash', 'String', { default: 'uuid' }),
      access('passwordHash', 'String'),
      access('passwordHash', 'String', { readOnly: true }),
      access('password', 'String', { writeOnly: true }),
      access('password', 'String', { hidden: true }),
      access('hasPassword', 'Boolean'),
      access('title', 'String'),
    ]).toEqual(['hidden', 'hidden', 'writeOnly', 'hidden', null, null, null, null])
  })
})
