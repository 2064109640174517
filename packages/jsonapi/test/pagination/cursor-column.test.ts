import { describe, expect, test } from 'vitest'
import type { ColumnMeta, ModelMeta } from '../../src/model/meta.ts'
import { CursorPagination } from '../../src/pagination/cursor-pagination.ts'
import { MultiPagination } from '../../src/pagination/multi-pagination.ts'
import { PagePagination } from '../../src/pagination/page-pagination.ts'

const column = (name: string, change: Partial<ColumnMeta> = {}): ColumnMeta => ({
  name,
  column: name,
  type: 'DateTime',
  isEnum: false,
  isList: false,
  isNullable: false,
  isForeignKey: false,
  isUpdatedAt: false,
  default: null,
  native: null,
  documentation: null,
  hidden: false,
  readOnly: false,
  writeOnly: false,
  ...change,
})

const id = column('id', { type: 'Int' })
const createdAt = column('createdAt')

const note = (columns: readonly ColumnMeta[], change: Partial<ModelMeta> = {}): ModelMeta => ({
  name: 'Note',
  table: 'Note',
  dbSchema: null,
  documentation: null,
  operations: ['read'],
  key: ['id'],
  keyName: null,
  uniques: [['id']],
  constraints: {},
  indexes: [['id'], ['createdAt', 'id']],
  columns: Object.fromEntries(columns.map((each) => [each.name, each])),
  relations: {},
  ...change,
})

const paging = new CursorPagination()

describe('nothing to warn of', () => {
  test('a column that is never null, indexed with the id', () => {
    expect(paging.check(note([id, createdAt]))).toEqual([])
  })

  test('an index that goes on behind the id', () => {
    expect(paging.check(note([id, createdAt], { indexes: [['createdAt', 'id', 'title']] }))).toEqual([])
  })

  test('a unique column needs no id behind it', () => {
    const slug = column('slug', { type: 'String' })
    const model = note([id, slug], { uniques: [['id'], ['slug']], indexes: [['id'], ['slug']] })
    expect(new CursorPagination().withCursorColumn('slug').check(model)).toEqual([])
  })

  test('the id itself', () => {
    const byId = new CursorPagination().withCursorColumn('id')
    expect(byId.check(note([id], { indexes: [['id']] }))).toEqual([])
  })

  test('a composite id, the cursor column first', () => {
    const parts = ['a', 'b'].map((name) => column(name, { type: 'String' }))
    const model = note([...parts], {
      key: ['a', 'b'],
      uniques: [['a', 'b']],
      indexes: [
        ['a', 'b'],
        ['b', 'a'],
      ],
    })
    expect(new CursorPagination().withCursorColumn('b').check(model)).toEqual([])
  })

  test('milliseconds', () => {
    const precise = column('createdAt', { native: ['Timestamptz', '3'] })
    expect(paging.check(note([id, precise]))).toEqual([])
  })
})

describe('warnings', () => {
  test.each([[[['id']]], [[['createdAt']]], [[['id', 'createdAt']]], [[['authorId', 'createdAt', 'id']]]])(
    'no index serves the order: %j',
    (indexes) => {
      expect(paging.check(note([id, createdAt], { indexes }))).toEqual([
        'Note: cursor pagination orders by createdAt, id and no index does, so each page reads the whole table. Add @@index([createdAt, id]).',
      ])
    },
  )

  test('a column that may be null', () => {
    expect(paging.check(note([id, column('createdAt', { isNullable: true })]))).toEqual([
      "Note.createdAt: cursor pagination orders by it and it may be null, so rows without a value are missing from the pages behind a cursor. Make it required, or name another column: withCursorColumn('…').",
    ])
  })

  test.each([[['Timestamptz']], [['Timestamptz', '6']], [['Timestamp']]])('microseconds: %j', (native) => {
    expect(paging.check(note([id, column('createdAt', { native })]))).toEqual([
      `Note.createdAt: cursor pagination orders by it and it keeps microseconds, which JavaScript's dates do not have, so rows of one millisecond may be left out. Keep milliseconds: @db.${native[0]}(3).`,
    ])
  })

  test('several at once', () => {
    expect(paging.check(note([id, column('createdAt', { isNullable: true })], { indexes: [] }))).toHaveLength(2)
  })
})

describe('errors at boot', () => {
  test('a column that the model does not have', () => {
    expect(() => paging.check(note([id]))).toThrow(
      new Error("CursorPagination: the model Note has no column createdAt. Name another one: withCursorColumn('…')."),
    )
  })

  test.each([
    ['Boolean', { type: 'Boolean' }],
    ['Json', { type: 'Json' }],
    ['Bytes', { type: 'Bytes' }],
    ['Role', { type: 'Role', isEnum: true }],
    ['String[]', { type: 'String', isList: true }],
  ])('values of type %s have no order', (type, change) => {
    expect(() => paging.check(note([id, column('createdAt', change)]))).toThrow(
      new Error(
        `CursorPagination: Note.createdAt is of type ${type}, whose values have no "before" and "after". Name another one: withCursorColumn('…').`,
      ),
    )
  })

  test('an id whose values have no order', () => {
    const model = note([createdAt, column('id', { type: 'Role', isEnum: true })])
    expect(() => paging.check(model)).toThrow(
      new Error(
        'CursorPagination: Note.id is of type Role, whose values have no "before" and "after". It is part of the id: paginate this type by page.',
      ),
    )
  })

  test('two parameters of one name', () => {
    class Mine extends CursorPagination {}
    expect(() =>
      new Mine()
        .withAfterKey('at')
        .withBeforeKey('at')
        .check(note([id, createdAt])),
    ).toThrow(new Error('Mine: two page parameters are called at. Give one of them another name.'))
    expect(() => new PagePagination().withPageKey('size').check(note([id]))).toThrow(
      new Error('PagePagination: two page parameters are called size. Give one of them another name.'),
    )
  })
})

test('several paginators are checked one by one', () => {
  const several = new MultiPagination([new PagePagination(), paging])
  expect(several.check(note([id, createdAt]))).toEqual([])
  expect(several.check(note([id, createdAt], { indexes: [] }))).toHaveLength(1)
  expect(() => several.check(note([id]))).toThrow('the model Note has no column createdAt')
})
