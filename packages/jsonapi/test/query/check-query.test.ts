import { describe, expect, test } from 'vitest'
import { fakePaginator, requestContext } from '../../../../test/support/query-context.ts'
import { registryOf, schemaOfModel } from '../../../../test/support/schemas.ts'
import { badParameter } from '../../src/document/errors.ts'
import { say } from '../../src/document/text.ts'
import { checkQuery, type QueryOptions, type QuerySubject } from '../../src/query/check-query.ts'
import type { Relation } from '../../src/schema/relation-kinds.ts'
import type { ResourceSchema } from '../../src/schema/resource-schema.ts'
import { refusals } from './query-errors.ts'

const paged = { paginator: fakePaginator(), defaultPage: { number: '1' }, perPage: 7, maxPageSize: 50 }
const post = schemaOfModel('Post', {
  ...paged,
  defaultSort: '-publishedAt',
  defaultInclude: ['author'],
  singularFilters: new Set(['slug']),
})

interface Given {
  readonly subject?: Partial<QuerySubject>
  readonly options?: QueryOptions
  readonly context?: Parameters<typeof requestContext>[1]
}

function query(search: string, schema: ResourceSchema = post, { subject, options, context }: Given = {}) {
  const ctx = requestContext(search, { registry: registryOf(schema), ...context })
  return checkQuery(
    ctx,
    { schemas: [schema], isCollection: true, relation: null, isRelationship: false, ...subject },
    options,
  )
}

const single: Given = { subject: { isCollection: false } }
const through = (schema: ResourceSchema, name: string, more: object = {}): Given => ({
  subject: { relation: { ...(schema.relations.get(name) as Relation), ...more } as Relation },
})

test('a collection without a query has the defaults of its schema', () => {
  expect(query('')).toEqual({
    include: new Map([['author', new Map()]]),
    includeSent: false,
    collections: new Map(),
    fields: new Map(),
    counts: new Set(),
    stats: [],
    order: [{ path: ['publishedAt'], direction: 'desc' }],
    filter: null,
    isSingular: false,
    trashed: 'without',
    page: { params: { number: '1' }, limits: { perPage: 7, maxPageSize: 50 }, read: expect.any(Function) },
    params: [['sort', '-publishedAt']],
  })
})

test('a resource has no order, filter or page', () => {
  expect(query('?fields[posts]=title', post, single)).toEqual({
    include: new Map([['author', new Map()]]),
    includeSent: false,
    collections: new Map(),
    fields: new Map([['posts', new Set(['title'])]]),
    counts: new Set(),
    stats: [],
    order: [],
    filter: null,
    isSingular: false,
    trashed: 'without',
    page: null,
    params: [['fields[posts]', 'title']],
  })
})

test('an empty include asks for nothing, where a default include would', () => {
  const { include, includeSent } = query('?include=')
  expect([include, includeSent]).toEqual([new Map(), true])
})

test('a query is frozen', () => {
  expect(Object.isFrozen(query(''))).toBe(true)
})

describe('links repeat', () => {
  test('the parameters as they were sent, sorted by key, without the page', () => {
    const search =
      '?sort=title&page[size]=2&include=tags,author&filter[title][]=b&filter[title][]=a%2Cc&fields[posts]=title,tags,author'
    expect(query(search).params).toEqual([
      ['fields[posts]', 'title,tags,author'],
      ['filter[title][]', 'b'],
      ['filter[title][]', 'a,c'],
      ['include', 'tags,author'],
      ['sort', 'title'],
    ])
  })

  test('a default order only where the client may ask for it', () => {
    const byAuthor = { ...post, defaultSort: 'author.name' }
    const scoped = { context: { scopes: new Map([['User', { active: true }]]) } }
    expect(query('', byAuthor).params).toEqual([['sort', 'author.name']])
    expect(query('', byAuthor, scoped).params).toEqual([])
    expect(query('', byAuthor, scoped).order).toEqual([])
    expect(query('', { ...post, defaultSort: 'author.name,-title' }, scoped).order).toEqual([
      { path: ['title'], direction: 'desc' },
    ])
  })
})

describe('page', () => {
  test('what was sent replaces the default', () => {
    expect(query('?page[size]=3').page).toMatchObject({ params: { size: '3' } })
  })

  test('a type without pages refuses the parameter as a whole', () => {
    const refused = [['page', 'Parameter page is not allowed.']]
    const unpaged = schemaOfModel('Post')
    expect(query('', unpaged).page).toBeNull()
    expect(refusals(() => query('?page[number]=1&page[size]=2', unpaged))).toEqual(refused)
    expect(refusals(() => query('?page[number]=1', post, single))).toEqual(refused)
  })

  test('no default page where the schema has none', () => {
    expect(query('', { ...post, defaultPage: null }).page).toBeNull()
  })

  test('the default page applies to a to-many relation unless that says otherwise', () => {
    const tag = schemaOfModel('Tag')
    expect(query('', post, through(tag, 'posts')).page).toMatchObject({ params: { number: '1' } })
    expect(query('', post, through(tag, 'posts', { defaultPagination: false })).page).toBeNull()
    expect(query('?page[size]=1', post, through(tag, 'posts', { defaultPagination: false })).page).not.toBeNull()
  })

  test('an order that the paginator imposes is the order, and sort is refused', () => {
    const order = [{ path: ['id'], direction: 'desc' as const }]
    const cursor = { ...post, paginator: fakePaginator(order) }
    expect(query('', cursor)).toMatchObject({ order, params: [] })
    expect(refusals(() => query('?sort=-title,id', cursor))).toEqual([
      ['sort', 'Sort parameter title is not allowed.'],
      ['sort', 'Sort parameter id is not allowed.'],
    ])
  })
})

describe('a singular filter', () => {
  test('asks for one resource, without a page', () => {
    expect(query('?filter[slug]=x')).toMatchObject({
      isSingular: true,
      page: null,
      filter: { kind: 'compare', operator: 'equals', value: 'x' },
    })
  })

  test('is a filter like any other beside page, and on a relation', () => {
    expect(query('?filter[slug]=x&page[size]=1')).toMatchObject({
      isSingular: false,
      trashed: 'without',
      page: { params: { size: '1' } },
    })
    const related = query('?filter[slug]=x', post, through(schemaOfModel('Tag'), 'posts'))
    expect(related).toMatchObject({ isSingular: false, trashed: 'without', page: { params: { number: '1' } } })
  })
})

describe('on a relationship URL', () => {
  const relation = schemaOfModel('Tag').relations.get('posts') as Relation
  const relationship: Given = { subject: { relation, isRelationship: true } }

  test('include paths begin with the relation, and the default paths of its type do not apply', () => {
    expect(query('?include=posts.author', post, relationship).include).toEqual(
      new Map([['posts', new Map([['author', new Map()]])]]),
    )
    expect(query('', post, relationship).include).toEqual(new Map())
    expect(refusals(() => query('?include=author', post, relationship))).toEqual([
      ['include', 'Include path author is not allowed.'],
    ])
  })
})

test('several types of a polymorphic relation are included from each', () => {
  const schemas = [post, schemaOfModel('Video')]
  const given = {
    subject: {
      schemas,
      isCollection: false,
      relation: schemaOfModel('Comment').relations.get('commentable') as Relation,
    },
  }
  expect(query('?include=tags', post, given).include).toEqual(new Map([['tags', new Map()]]))
  expect(refusals(() => query('?include=foo', post, given))).toHaveLength(1)
})

test('what only collections have is refused elsewhere, each parameter by name', () => {
  expect(refusals(() => query('?filter[title]=a&filter[foo]=b&sort=title&page[size]=1', post, single))).toEqual([
    ['sort', 'Parameter sort is not allowed.'],
    ['filter[title]', 'Parameter filter[title] is not allowed.'],
    ['filter[foo]', 'Parameter filter[foo] is not allowed.'],
    ['page', 'Parameter page is not allowed.'],
  ])
})

test('everything that is wrong is reported at once', () => {
  const search = '?include=foo&fields[posts]=foo&sort=foo&filter[foo]=1&page[foo]=1'
  expect(refusals(() => query(search)).map(([parameter]) => parameter)).toEqual([
    'include',
    'fields[posts]',
    'filter[foo]',
    'page[foo]',
    'sort',
  ])
})

test("the application's rules see what was sent, and report beside the framework", () => {
  const rules: QueryOptions['rules'] = ({ page }) => (page ? [] : [badParameter('page', say`The page is required.`)])
  expect(query('?page[size]=1', post, { options: { rules } }).page).not.toBeNull()
  expect(refusals(() => query('?sort=foo', post, { options: { rules } })).map(([parameter]) => parameter)).toEqual([
    'sort',
    'page',
  ])
})

test('a further family passes where it is allowed, and stays in links', () => {
  expect(query('?withLikes=tags', post, { options: { allow: ['withLikes'] } }).params).toEqual([
    ['sort', '-publishedAt'],
    ['withLikes', 'tags'],
  ])
})
