import type { ColumnMeta, Provider } from '@prismapi/jsonapi/model/meta'
import { Decimal } from '@prismapi/jsonapi/model/prisma-values'
import { parseQuery, type RawQuery } from '@prismapi/jsonapi/query/parse'
import { defaultLimits } from '@prismapi/jsonapi/request/limits'
import type { Attribute } from '@prismapi/jsonapi/schema/resource-schema'
import { describe, expect, test } from 'vitest'
import { schemaOfModel } from '../../../../test/support/schemas.ts'
import { attributeRule } from '../../src/validation/rules/attribute-rule.ts'
import { readRules } from '../../src/validation/rules/rule-set.ts'
import { array, boolean, integer, object, string } from '../../src/validation/rules/rules.ts'
import { columnValues, fitsColumn } from '../../src/validation/run/column-values.ts'
import { parameterOf, readParameters } from '../../src/validation/run/query-rules.ts'

const posts = schemaOfModel('Post')
const columns = posts.model.columns
const column = (name: string, more: Partial<ColumnMeta> = {}) => ({ ...(columns[name] as ColumnMeta), ...more })

describe('a column holds', () => {
  const date = (year: number) => new Date(Date.UTC(2000, 0, 1) + 0 * year)
  const ofYear = (year: number) => {
    const instant = date(year)
    instant.setUTCFullYear(year)
    return instant
  }
  test.each<[string, readonly unknown[], readonly unknown[]]>([
    ['title', ['', 'a'], [1, null, [], {}]],
    ['views', [0, -(2 ** 31), 2 ** 31 - 1], [2 ** 31, -(2 ** 31) - 1, 1.5, '1', Number.NaN]],
    ['rank', [-32768, 32767], [32768, -32769]],
    ['reads', [1n, 2n ** 63n - 1n, -(2n ** 63n)], [2n ** 63n, 1, '1']],
    ['rating', [1.5, 0], [Number.NaN, Number.POSITIVE_INFINITY, '1']],
    [
      'price',
      ['1.50', 2, new Decimal('1.50')],
      [
        '1e3',
        Number.NaN,
        new Decimal(Number.NaN),
        new Decimal('-Infinity'),
        { toFixed: () => '1' },
        null,
        undefined,
        {},
      ],
    ],
    ['featured', [true, false], [0, 'true', null]],
    [
      'publishedAt',
      [ofYear(1), ofYear(2000), ofYear(9999)],
      [ofYear(0), ofYear(10000), new Date(Number.NaN), '2000-01-01', 5],
    ],
    ['cover', [new Uint8Array(), Buffer.from('a')], ['a', [1], {}]],
    ['status', ['LIVE'], ['OTHER', 1, null]],
    ['meta', [0, '', [], {}], [null, undefined]],
    ['labels', [[], ['a', 'b']], ['a', [1], ['a', 1], {}, null]],
  ])('%s', (name, fitting, others) => {
    const values = name === 'status' ? ['LIVE', 'DRAFT'] : null
    const fits = (value: unknown) => fitsColumn(column(name), value, values)
    expect(fitting.map(fits)).toEqual(fitting.map(() => true))
    expect(others.map(fits)).toEqual(others.map(() => false))
  })

  test('no name where none are known', () => {
    expect(fitsColumn(column('status'), 'LIVE', null)).toBe(false)
  })
})

describe('what was sent becomes values of columns, or fails', () => {
  const attributes = (more: Readonly<Record<string, Partial<Attribute>>>) => ({
    ...posts,
    attributes: new Map(
      [...posts.attributes].map(([name, attribute]) => [name, { ...attribute, ...more[name] }] as const),
    ),
  })
  function values(sent: object, { provider = 'postgresql' as Provider, failed = [] as string[], ...more } = {}) {
    const { attributes: filled, failures } = columnValues(attributes(more), new Map(Object.entries(sent)), {
      provider,
      failed: new Set(failed),
    })
    return [
      Object.fromEntries(filled),
      ...failures.map(({ path, rule, value, params }) => [path.join('.'), rule, value, params]),
    ]
  }

  test('as their kinds say', () => {
    expect(
      values({ title: 'T', reads: '7', publishedAt: '2025-01-31T09:30:00Z', cover: 'AQ==', labels: ['a'], nothing: 1 }),
    ).toEqual([
      {
        title: 'T',
        reads: 7n,
        publishedAt: new Date('2025-01-31T09:30:00Z'),
        cover: expect.any(Uint8Array),
        labels: ['a'],
      },
    ])
  })

  test('nothing more is said of what failed before', () => {
    expect(values({ title: 5 }, { failed: ['title'] })).toEqual([{}])
  })

  test.each<[string, unknown, string]>([
    ['title', 5, 'string'],
    ['views', { increment: 1 }, 'integer'],
    ['reads', 'x', 'bigint'],
    ['rating', 'x', 'number'],
    ['price', 'x', 'decimal'],
    ['featured', 0, 'boolean'],
    ['publishedAt', 'x', 'dateTime'],
    ['cover', 5, 'bytes'],
    ['labels', 'a', 'array'],
    ['labels', [5], 'array'],
  ])('%s %j is no %s', (name, value, rule) => {
    expect(values({ [name]: value })).toEqual([{}, [name, rule, value, { values: undefined }]])
  })

  test('a name that is none is told the others', () => {
    expect(values({ status: 'X' }, { status: { values: ['LIVE', 'DRAFT'] } } as never)).toEqual([
      {},
      ['status', 'enumOf', 'X', { values: 'LIVE, DRAFT' }],
    ])
  })

  test('null is no value of a required column', () => {
    expect(values({ slug: null })).toEqual([{}, ['slug', 'nullable', undefined, {}]])
    expect(values({ title: null })).toEqual([{ title: null }])
  })

  test('a text that cannot be stored is found where it is', () => {
    expect(values({ title: 'a\0', labels: ['a', '\0'] })).toEqual([
      {},
      ['title', 'storable', undefined, {}],
      ['labels.1', 'storable', undefined, {}],
    ])
  })

  test('a decimal with more digits than there is room for is not rounded', () => {
    const native = { price: { column: column('price', { native: ['Decimal', '6', '2'] }) } }
    expect(values({ price: '1234.56' }, native as never)).toEqual([{ price: '1234.56' }])
    expect(values({ price: '1234.567' }, native as never)).toEqual([
      {},
      ['price', 'exact', '1234.567', { digits: 6, scale: 2 }],
    ])
    expect(values({ price: '1234567890.12345678901' }, { provider: 'sqlite' })).toEqual([
      {},
      ['price', 'exact', '1234567890.12345678901', { digits: 15 }],
    ])
  })

  test('an attribute without a column has the value that the application makes', () => {
    expect(values({ title: null, slug: 5 }, { title: { column: null }, slug: { column: null } } as never)).toEqual([
      { title: null, slug: 5 },
    ])
  })

  test('what the application throws is heard', () => {
    const deserialize = () => {
      throw new Error('Oh.')
    }
    expect(() => values({ title: 'T' }, { title: { deserialize } } as never)).toThrow('Oh.')
    expect(() => values({ reads: '7' }, { reads: { deserialize } } as never)).toThrow('Oh.')
    expect(() => values({ cover: 'AQ==' }, { cover: { deserialize } } as never)).toThrow('Oh.')
  })
})

describe('the rule that an attribute implies', () => {
  const attribute = (name: string, more: Partial<Attribute> = {}) => ({
    ...(posts.attributes.get(name) as Attribute),
    ...more,
  })
  const passes = (of: Attribute, value: unknown, asksForRequired = true) =>
    attributeRule(of, asksForRequired).isValidSync(value, { strict: true })
  const native = (...type: string[]) => ({ column: column('slug', { native: type }) })

  test.each<[string, Attribute, readonly unknown[], readonly unknown[]]>([
    ['text', attribute('slug'), ['a'], [1, '', null, undefined]],
    ['text that may be null', attribute('title'), ['a', '', null, undefined], [1]],
    ['text of three letters', attribute('slug', native('VarChar', '3')), ['abc'], ['abcd']],
    ['text of a fixed length', attribute('slug', native('Char', '3')), ['abc'], ['abcd']],
    ['text without a length', attribute('slug', native('VarChar')), ['abcd'], [1]],
    ['text of a length of none', attribute('slug', native('VarChar', '0')), ['abcd'], [1]],
    ['text of another type', attribute('slug', native('CharacterSet', '3')), ['abcd'], [1]],
    ['a UUID', attribute('slug', native('Uuid')), ['0189f3c2-1111-4222-8333-0123456789ab'], ['x']],
    ['text without a column', attribute('slug', { column: null }), ['abcd'], [1]],
    ['a number', attribute('rank'), [32767, -32768], [32768, -32769, 1.5, '1']],
    ['a large number', attribute('reads'), ['1'], [1, 'x']],
    ['a float', attribute('rating'), [1.5, null], ['1']],
    ['a decimal', attribute('price'), ['1.5'], [1.5, 'x']],
    [
      'a decimal of a size',
      attribute('price', { column: column('price', { native: ['Decimal', '4', '2'] }) }),
      ['12.34'],
      ['123.4', '1.234'],
    ],
    [
      'a decimal of whole numbers',
      attribute('price', { column: column('price', { native: ['Decimal', '4'] }) }),
      ['1234'],
      ['1.2', '12345'],
    ],
    [
      'a decimal of another type',
      attribute('price', { column: column('price', { native: ['Money', '1', '0'] }) }),
      ['123.4'],
      ['x'],
    ],
    [
      'a decimal without a size',
      attribute('price', { column: column('price', { native: ['Decimal'] }) }),
      ['123.4'],
      ['x'],
    ],
    ['a decimal without a column', attribute('price', { column: null }), ['123.4'], ['x']],
    ['a truth', attribute('featured'), [true], ['true', 1]],
    ['an instant', attribute('publishedAt'), ['2025-01-31T09:30:00Z', null], ['x', 5]],
    ['Json', attribute('meta'), [{ a: 1 }, 'x', 1], []],
    ['bytes', attribute('cover'), ['AQ=='], ['x', 5]],
    ['a name', attribute('status', { values: ['A', 'B'] }), ['A'], ['C', 1]],
    ['a name of none', attribute('status', { values: null }), [], ['A']],
    ['a list', attribute('labels'), [['a', ''], []], ['a', [null], [1]]],
  ])('%s', (_, of, fitting, others) => {
    expect(fitting.map((value) => passes({ ...of, isRequired: false }, value))).toEqual(fitting.map(() => true))
    expect(others.map((value) => passes({ ...of, isRequired: true }, value))).toEqual(others.map(() => false))
  })

  test('is to be sent where it is required, and asked for', () => {
    const [required, optional] = [attribute('slug', { isRequired: true }), attribute('slug', { isRequired: false })]
    expect([passes(required, undefined), passes(required, undefined, false), passes(optional, undefined)]).toEqual([
      false,
      true,
      true,
    ])
    expect([passes(required, null, false), passes(attribute('title', { isRequired: true }), null)]).toEqual([
      false,
      true,
    ])
  })
})

describe('the parameters of a query as data', () => {
  const raw = (search: string): RawQuery => parseQuery({ search }, defaultLimits)
  const read = (search: string, rules: Parameters<typeof readRules>[0]) =>
    JSON.parse(
      JSON.stringify(readParameters(readRules(rules, 'the query', new Set(['filter', 'page', 'sort'])), raw(search))),
    )

  test('are nested as their keys are', () => {
    const search = 'filter[author.name]=x&filter[author][id]=1&page[size]=2&sort=a&filter[tags][]=a&filter[tags][]=b'
    expect(read(search, {})).toEqual({
      filter: { author: { name: 'x', id: '1' }, tags: 'a,b' },
      page: { size: '2' },
      sort: 'a',
    })
    expect(read('filter[a]=1&filter[a][b]=2&filter[a]=3', {})).toEqual({ filter: { a: { b: '2' } } })
  })

  test('are numbers and truths, where a rule is about one that is written as one', () => {
    const rules = {
      page: object({ size: integer(), all: boolean(), name: string() }),
      'filter.a.b': integer(),
      'filter.on': boolean(),
    } as never
    expect(read('page[size]=-2&page[all]=true&page[name]=3&filter[a.b]=2.5&filter[on]=false', rules)).toEqual({
      page: { size: -2, all: true, name: '3' },
      filter: { a: { b: 2.5 }, on: false },
    })
    expect(read('page[size]=2x&page[all]=yes&filter[a.b]=12.50&filter[on]=x', rules)).toEqual({
      page: { size: '2x', all: 'yes' },
      filter: { a: { b: 12.5 }, on: 'x' },
    })
    expect(read('sort=1', { sort: integer(), page: object({ size: integer() }) } as never)).toEqual({ sort: 1 })
    expect(read('filter[x]=1', { 'filter.a.b': integer() } as never)).toEqual({ filter: { x: '1' } })
    expect(array().type).toBe('array')
  })

  test('are named as they were sent, or would be', () => {
    const sent = raw('filter[author.name]=x&filter[tags][]=1')
    expect([
      parameterOf(['filter', 'author', 'name'], sent),
      parameterOf(['filter', 'tags'], sent),
      parameterOf(['page', 'size'], sent),
      parameterOf(['sort'], sent),
      parameterOf([], sent),
    ]).toEqual(['filter[author.name]', 'filter[tags][]', 'page[size]', 'sort', ''])
  })
})
