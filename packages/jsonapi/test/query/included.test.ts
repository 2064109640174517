import { describe, expect, test } from 'vitest'
import { asWhere } from '../../../../test/support/conditions.ts'
import { checkContext, fakePaginator } from '../../../../test/support/query-context.ts'
import { registryOf, resources, schemaOfModel } from '../../../../test/support/schemas.ts'
import { checkInclude, rootOf } from '../../src/query/include.ts'
import { checkIncludedCollections } from '../../src/query/included-collections.ts'
import { parseQuery } from '../../src/query/parse.ts'
import { defaultLimits } from '../../src/request/limits.ts'
import type { ToMany } from '../../src/schema/relation-kinds.ts'
import { type ResourceSchema, schemaOf } from '../../src/schema/resource-schema.ts'
import { refusals } from './query-errors.ts'

const comment = schemaOfModel('Comment', { maxPageSize: 30, defaultSort: '-id' })

interface Given {
  readonly include?: string
  /** The relation whose linkage is the document. */
  readonly primary?: string
  readonly comments?: ResourceSchema
  readonly limits?: object
  readonly trash?: readonly string[]
}

/** What is asked of collections that are included with users, by the names of their relations. */
function included(search: string, { include = 'posts.comments,comments', comments = comment, ...given }: Given = {}) {
  const registry = registryOf(comments)
  const check = checkContext({ registry, ...given })
  const user = schemaOf(registry, 'User')
  const root = rootOf([user])
  const inclusion = {
    tree: checkInclude(include, root, check),
    root,
    primary: user.relations.get(given.primary ?? '') ?? null,
  }
  const checked = checkIncludedCollections(parseQuery({ search }, defaultLimits).included, inclusion, check)
  return Object.fromEntries(
    [...checked].map(([relation, { filter, ...asked }]) => [
      relation.name,
      { ...asked, filter: filter && asWhere(filter, (relation as ToMany).model, resources) },
    ]),
  )
}

describe('a collection that is included', () => {
  test('is ordered, narrowed and cut as it was asked for', () => {
    const search = 'includeFilter[comments][content]=x&includeSort[comments]=content,-id&includePage[comments][size]=3'
    expect(included(search)).toEqual({
      comments: {
        size: 3,
        isSized: true,
        order: [
          { path: ['content'], direction: 'asc' },
          { path: ['id'], direction: 'desc' },
        ],
        filter: { content: 'x' },
        trashed: 'without',
        params: [
          ['filter[content]', 'x'],
          ['sort', 'content,-id'],
        ],
      },
    })
  })

  test('has the order and the cap of its type where nothing else is said', () => {
    expect(included('includeFilter[comments][content]=x').comments).toMatchObject({
      size: 30,
      isSized: false,
      order: [{ path: ['id'], direction: 'desc' }],
      params: [
        ['filter[content]', 'x'],
        ['sort', '-id'],
      ],
    })
  })

  test('is found behind others, and beside them', () => {
    const found = included(
      'includeSort[posts.comments]=content&includePage[posts][size]=2&includePage[comments][size]=1',
    )
    expect([found.posts?.size, found.comments?.size]).toEqual([2, 1])
    expect(Object.keys(included('includeSort[posts.comments]=content'))).toEqual(['comments'])
  })

  test('has the order that its pages impose', () => {
    const comments = { ...comment, paginator: fakePaginator([{ path: ['content'], direction: 'asc' }]) }
    expect(included('includePage[comments][size]=1', { comments }).comments?.order).toEqual([
      { path: ['content'], direction: 'asc' },
    ])
    expect(refusals(() => included('includeSort[comments]=id', { comments }))).toEqual([
      ['includeSort[comments]', 'Sort parameter id is not allowed.'],
    ])
  })

  test('may show deleted rows', () => {
    const comments = { ...comment, deletedAtAttribute: 'spam' }
    const search = 'includeFilter[comments][trashed]=only'
    expect(included(search, { comments, trash: ['Comment'] }).comments).toMatchObject({
      trashed: 'only',
      filter: null,
    })
    expect(refusals(() => included(search, { comments }))).toEqual([
      ['includeFilter[comments][trashed]', 'Filter parameter trashed is not allowed.'],
    ])
  })

  test('nothing is asked of any where nothing was sent', () => {
    expect(included('')).toEqual({})
  })
})

describe('refused is, by the key that was sent,', () => {
  const notIncluded = (key: string, at: string) => [
    key,
    `Parameter ${key} is not allowed: ${at} is not a to-many relation that is included.`,
  ]

  test.each([
    ['includeSort[tags]=id', 'includeSort[tags]', 'tags'],
    ['includeSort[posts.author]=id', 'includeSort[posts.author]', 'posts.author'],
    ['includeSort[profile]=id', 'includeSort[profile]', 'profile'],
    ['includeFilter[posts.tags][name]=x', 'includeFilter[posts.tags][name]', 'posts.tags'],
  ])('%s', (search, key, at) => {
    expect(refusals(() => included(search, { include: 'posts,profile,posts.author' }))).toEqual([notIncluded(key, at)])
  })

  test('each parameter of a path that is not included', () => {
    expect(refusals(() => included('includeSort[tags]=id&includePage[tags][size]=1'))).toEqual([
      notIncluded('includeSort[tags]', 'tags'),
      notIncluded('includePage[tags][size]', 'tags'),
    ])
  })

  test('the relation whose linkage is the document, and not what is behind it', () => {
    const given = { include: 'posts.comments', primary: 'posts' }
    expect(refusals(() => included('includeSort[posts]=id', given))).toEqual([
      notIncluded('includeSort[posts]', 'posts'),
    ])
    expect(Object.keys(included('includeSort[posts.comments]=id', given))).toEqual(['comments'])
  })

  test('what the own URL of the collection would refuse', () => {
    const search =
      'includePage[comments][size]=31&includeSort[comments]=x,y&includeFilter[comments][z]=1&includePage[comments][number]=2'
    expect(refusals(() => included(search))).toEqual([
      ['includePage[comments][number]', 'Page parameter number is not allowed.'],
      ['includePage[comments][size]', 'Page parameter size must not be greater than 30.'],
      ['includeSort[comments]', 'Sort parameter x is not allowed.'],
      ['includeSort[comments]', 'Sort parameter y is not allowed.'],
      ['includeFilter[comments][z]', 'Filter parameter z is not allowed.'],
    ])
  })

  test('what names no path, or none that can be', () => {
    expect(refusals(() => included('includeSort=id'))).toEqual([
      ['includeSort', 'Query parameter includeSort must name an include path, as in includeSort[…].'],
    ])
    expect(refusals(() => included('includeSort[_]=id'))).toEqual([
      ['includeSort[_]', 'Query parameter includeSort[_] is not allowed.'],
    ])
  })

  test('one relation on two ways that is asked differently', () => {
    const given = { include: 'posts.author.comments,comments' }
    const two = (first: string, other: string) => included(`${first}&${other}`, given)
    const at = 'posts.author.comments'
    expect(
      Object.keys(
        two(
          'includeSort[comments]=id&includeFilter[comments][content]=x',
          `includeFilter[${at}][content]=x&includeSort[${at}]=id`,
        ),
      ),
    ).toEqual(['comments'])
    expect(refusals(() => two('includeSort[comments]=id', `includeSort[${at}]=-id`))).toEqual([
      [
        `includeSort[${at}]`,
        `Parameter includeSort[${at}] must be the same as for comments: ${at} is the same relation.`,
      ],
    ])
  })

  test('more filters in all than one query may have', () => {
    const filters = (count: number) =>
      Array.from(
        { length: count },
        (_, i) => `includeFilter[${i % 2 ? 'posts.comments' : 'comments'}][id][]=${i}`,
      ).join('&')
    const limits = { filterTerms: 4 }
    expect(included(`${filters(4)}&includeSort[comments]=id`, { limits }).comments?.filter).toBeTruthy()
    expect(refusals(() => included(filters(5), { limits }))).toEqual([
      ['includeFilter[posts.comments][id][]', 'What is included must not have more than 4 filters.'],
    ])
  })
})
