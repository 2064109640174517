import { describe, expect, test } from 'vitest'
import { requestContext } from '../../../../test/support/query-context.ts'
import { registryOf, schemaOfModel } from '../../../../test/support/schemas.ts'
import { nothing } from '../../src/condition/build.ts'
import type { Where } from '../../src/model/where.ts'
import { PagePagination } from '../../src/pagination/page-pagination.ts'
import type { PageParams } from '../../src/pagination/paginator.ts'
import { checkQuery, includedByDefault } from '../../src/query/check-query.ts'
import type { ResourceSchema } from '../../src/schema/resource-schema.ts'
import { refusals } from './query-errors.ts'

const post = schemaOfModel('Post', { defaultSort: '-publishedAt' })
const registry = registryOf(post)
const hidden: ReadonlyMap<string, Where> = new Map([['User', { name: { not: 'Ann' } }]])

const ask = (search: string, scopes: ReadonlyMap<string, Where> = new Map(), schema: ResourceSchema = post) =>
  checkQuery(requestContext(search, { registry, scopes }), {
    schemas: [schema],
    isCollection: true,
    relation: null,
    isRelationship: false,
  })

describe('a query that means the same to everybody', () => {
  test.each(['', '?sort=title,-publishedAt', '?include=author,tags&fields[posts]=title&fields[users]=name'])(
    'is checked once: %s',
    (search) => {
      expect(ask(search, hidden)).toBe(ask(search))
    },
  )

  test('is not taken for another', () => {
    expect(ask('?sort=title').order).toEqual([{ path: ['title'], direction: 'asc' }])
    expect(ask('?sort=-title').order).toEqual([{ path: ['title'], direction: 'desc' }])
  })

  test('is refused as often as it is asked', () => {
    for (let times = 0; times < 2; times++)
      expect(refusals(() => ask('?sort=nothing'))).toEqual([['sort', 'Sort parameter nothing is not allowed.']])
  })
})

describe('a query whose meaning depends on the scopes', () => {
  test('of a filter across a relation is checked for each request', () => {
    const search = '?filter[author.name]=Bo'
    const open = ask(search).filter
    const scoped = ask(search, hidden).filter
    expect(scoped).not.toEqual(open)
    expect(JSON.stringify(scoped)).toContain('"operator":"not","value":"Ann"')
    expect(ask(search).filter).toEqual(open)
  })

  test('of a filter across a relation is kept for all whom no scope of its target concerns', () => {
    const search = '?filter[author.name]=Cy'
    expect(ask(search, new Map([['Comment', { id: 1 }]]))).toBe(ask(search))
    expect(ask(search, hidden)).not.toBe(ask(search))
  })

  test('of a sort across a relation is checked for each request', () => {
    expect(ask('?sort=author.name').order).toEqual([{ path: ['author', 'name'], direction: 'asc' }])
    expect(ask('?sort=author.name', hidden).order).toMatchObject([
      { path: ['author', 'name'], direction: 'asc', seen: { where: { kind: 'related' }, parameter: 'sort' } },
    ])
    expect(ask('?sort=author.name').order).toEqual([{ path: ['author', 'name'], direction: 'asc' }])
  })
})

describe('a query of a type with rules about fields', () => {
  const ask = (search: string, ...hiddenFields: readonly string[]) => {
    const fields = new Map(hiddenFields.map((name) => [name, nothing]))
    const seen = (model: string) => (model === 'Post' ? { fields, stored: fields, ruledBy: () => [] } : null)
    const subject = { schemas: [post], isCollection: true, relation: null, isRelationship: false }
    return checkQuery(requestContext(search, { registry, seen }), subject)
  }

  test.each(['', '?include=author&fields[posts]=title,slug', '?sort=title'])(
    'is kept for all who see what it is about: %s',
    (search) => {
      const query = ask(search)
      expect(ask(search, 'slug')).toBe(query)
      expect(ask(search, 'content', 'author')).toBe(query)
    },
  )

  test('is checked for each who does not see what it is about', () => {
    const search = '?sort=slug'
    for (const _ of [1, 2]) {
      expect(refusals(() => ask(search, 'slug'))).toEqual([['sort', 'Sort parameter slug is not allowed.']])
      expect(ask(search, 'title')).toBe(ask(search))
    }
  })

  test('is checked for each who does not see what it is ordered by when nothing is asked', () => {
    const search = '?fields[posts]=slug'
    const others = ask(search, 'publishedAt')
    expect(others.order).toEqual([])
    expect(ask(search)).not.toBe(others)
    expect(ask(search).order).toHaveLength(1)
    expect(ask(search, 'publishedAt').order).toEqual([])
  })
})

describe('a query that differs from another in its page', () => {
  const paged = schemaOfModel('Post', {
    paginator: new PagePagination(),
    defaultPage: { number: '1' },
    maxPageSize: 50,
  })
  const askPaged = (search: string) => ask(search, new Map(), paged)

  test('is not checked again beside it', () => {
    const first = askPaged('?sort=title&page[number]=1&page[size]=2')
    const second = askPaged('?sort=title&page[number]=7&page[size]=2')
    expect(second.order).toBe(first.order)
    expect([first, second].map(({ page }) => page?.asks)).toEqual([
      { take: 2, skip: 0, counted: true },
      { take: 2, skip: 12, counted: true },
    ])
  })

  test('has all of its page, however its names are spelt', () => {
    for (const search of [
      '?sort=-title&page[size]=3&page[number]=2',
      '?sort=-title&page%5Bsize%5D=4&page%5bnumber%5d=2',
      '?sort=-title&%70age[size]=5&page[number]=3',
      '?sort=-title&%70age[size]=6&page[number]=4',
      '?sort=-title&p%61ge[size]=6&page[number]=5',
    ]) {
      const { page } = askPaged(search)
      const [size, number] = ['size', 'number'].map((name) => Number(new URLSearchParams(search).get(`page[${name}]`)))
      expect(page?.asks).toEqual({ take: size, skip: ((number as number) - 1) * (size as number), counted: true })
    }
  })

  test('is refused for its page alone', () => {
    expect(askPaged('?sort=id&page[number]=1').page).not.toBeNull()
    expect(refusals(() => askPaged('?sort=id&page[number]=0'))).toEqual([
      ['page[number]', 'Page parameter number must be an integer of at least 1.'],
    ])
    expect(refusals(() => askPaged('?sort=id&page[number]=1&page[number]=2'))).toEqual([
      ['page[number]', 'Query parameter page[number] must not be repeated.'],
    ])
  })

  test('is ordered as its own page says', () => {
    const read = () => Promise.reject(new Error('not read here'))
    const parse = ({ by }: PageParams) => ({ read, order: [{ path: [String(by)], direction: 'asc' as const }] })
    const ordering = schemaOfModel('Post', {
      paginator: { keys: ['by'], order: null, parse },
      defaultPage: { by: 'id' },
    })
    const orderOf = (by: string) => ask(`?page[by]=${by}`, new Map(), ordering).order
    expect([orderOf('title'), orderOf('slug')]).toEqual([
      [{ path: ['title'], direction: 'asc' }],
      [{ path: ['slug'], direction: 'asc' }],
    ])
  })
})

describe('what an included collection shows where the query asks nothing of it', () => {
  const byAuthor = schemaOfModel('Post', { defaultSort: '-publishedAt,author.name' })
  const everyRow: ReadonlyMap<string, Where> = new Map()
  const shown = (scopes = everyRow, ...hiddenFields: readonly string[]) => {
    const fields = new Map(hiddenFields.map((name) => [name, nothing]))
    const seen = (model: string) => (model === 'Post' ? { fields, stored: fields, ruledBy: () => [] } : null)
    return includedByDefault(requestContext('', { registry: registryOf(byAuthor), scopes, seen }), byAuthor)
  }
  const orderOf = (...given: Parameters<typeof shown>) => shown(...given).order.map(({ path }) => path.join('.'))

  test('is checked once for all who see what it is ordered by', () => {
    expect(orderOf()).toEqual(['publishedAt', 'author.name'])
    expect(shown(new Map([['Comment', { id: 1 }]]), 'content')).toBe(shown())
  })

  test('is checked for each who does not see a part of that', () => {
    expect(orderOf(hidden)).toEqual(['publishedAt'])
    expect(orderOf(everyRow, 'publishedAt')).toEqual(['author.name'])
    expect(orderOf()).toEqual(['publishedAt', 'author.name'])
  })
})
