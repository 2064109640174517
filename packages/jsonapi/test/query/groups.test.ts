import { describe, expect, test } from 'vitest'
import { asWhere } from '../../../../test/support/conditions.ts'
import { requestContext } from '../../../../test/support/query-context.ts'
import { registryOf, resources, schemaOfModel } from '../../../../test/support/schemas.ts'
import { badParameter } from '../../src/document/errors.ts'
import { say } from '../../src/document/text.ts'
import { checkGroupQuery } from '../../src/query/groups.ts'
import type { BelongsTo } from '../../src/schema/relation-kinds.ts'
import type { Attribute } from '../../src/schema/resource-schema.ts'
import type { Statistics } from '../../src/schema/statistics.ts'
import { refusals } from './query-errors.ts'

const { attributes, relations } = schemaOfModel('Post')
const attribute = (name: string) => attributes.get(name) as Attribute
const named = (...names: readonly string[]) => names.map((name) => [name, attribute(name)] as const)
const author = relations.get('author') as BelongsTo
const statistics: Statistics = {
  aggregated: new Map(named('views', 'rating', 'publishedAt', 'title')),
  grouped: new Map<string, Attribute | BelongsTo>([...named('status', 'publishedAt', 'views'), ['author', author]]),
  minimumGroup: 1,
}
const posts = schemaOfModel('Post', { statistics, deletedAtAttribute: 'publishedAt' })

type Rules = Parameters<typeof checkGroupQuery>[2]
const groups = (search: string, context: object = {}, rules?: Rules) =>
  checkGroupQuery(requestContext(search, { registry: registryOf(posts), trash: ['Post'], ...context }), posts, rules)

describe('groups', () => {
  test('of one attribute: rows are counted, a hundred groups to a page', () => {
    const query = groups('?groupBy=status')
    expect(query).toEqual({
      keys: [{ kind: 'attribute', name: 'status', attribute: attribute('status') }],
      figures: [{ name: '*', attribute: null, functions: ['count'] }],
      order: [],
      page: expect.anything(),
      filter: null,
      trashed: 'without',
      params: [['groupBy', 'status']],
    })
    expect(Object.isFrozen(query)).toBe(true)
  })

  test('of four keys, of every kind', () => {
    const { keys } = groups('?groupBy=author,publishedAt:month,publishedAt:day,views')
    expect(keys).toEqual([
      { kind: 'relation', name: 'author', relation: author },
      { kind: 'instant', name: 'publishedAt:month', attribute: attribute('publishedAt'), part: 'month' },
      { kind: 'instant', name: 'publishedAt:day', attribute: attribute('publishedAt'), part: 'day' },
      { kind: 'attribute', name: 'views', attribute: attribute('views') },
    ])
  })

  test('of what is filtered, with figures, in their order', () => {
    const search =
      '?groupBy=status&withStats[views]=avg,max&filter[title]=x&filter[trashed]=with&sort=-views.avg,count,publishedAt.min&page[number]=2'
    const { figures, order, filter, trashed, params } = groups(search)
    expect(figures).toEqual([{ name: 'views', attribute: attribute('views'), functions: ['avg', 'max'] }])
    expect(order).toEqual([
      { attribute: attribute('views'), function: 'avg', direction: 'desc' },
      { attribute: null, function: 'count', direction: 'asc' },
      { attribute: attribute('publishedAt'), function: 'min', direction: 'asc' },
    ])
    expect(filter && asWhere(filter, 'Post', resources)).toEqual({ title: 'x' })
    expect([trashed, params]).toEqual([
      'with',
      [
        ['filter[title]', 'x'],
        ['filter[trashed]', 'with'],
        ['groupBy', 'status'],
        ['sort', '-views.avg,count,publishedAt.min'],
        ['withStats[views]', 'avg,max'],
      ],
    ])
  })

  test('are read page by page, a thousand to a page at most', () => {
    expect(refusals(() => groups('?groupBy=status&page[size]=1001'))).toEqual([
      ['page[size]', 'Page parameter size must not be greater than 1000.'],
    ])
    expect(groups('?groupBy=status&page[size]=1000').page).toBeDefined()
  })
})

describe('what is refused', () => {
  test.each([
    ['', 'groupBy', 'Name in groupBy what the rows are grouped by.'],
    ['?groupBy=', 'groupBy', 'Name in groupBy what the rows are grouped by.'],
    ['?groupBy=status&groupBy=views', 'groupBy', 'Query parameter groupBy must not be repeated.'],
    ['?groupBy[x]=status', 'groupBy[x]', 'Query parameter groupBy[x] is not allowed.'],
    [
      '?groupBy=status,author,views,publishedAt:day,publishedAt:year',
      'groupBy',
      'The parameter groupBy must not have more than 4 keys.',
    ],
    ['?groupBy=status,status', 'groupBy', 'Group parameter status is repeated.'],
    ['?groupBy=title', 'groupBy', 'Group parameter title is not allowed.'],
    ['?groupBy=publishedAt:day:x', 'groupBy', 'Group parameter publishedAt:day:x is not allowed.'],
    ['?groupBy=author:day', 'groupBy', 'Group parameter author:day is not allowed: only instants have parts.'],
    ['?groupBy=status:day', 'groupBy', 'Group parameter status:day is not allowed: only instants have parts.'],
    ...['publishedAt', 'publishedAt:hour'].map((name) => [
      `?groupBy=${name}`,
      'groupBy',
      'Name a part of the instant publishedAt: publishedAt:year, publishedAt:month, publishedAt:week, publishedAt:day.',
    ]),
    ['?groupBy=status&sort=title', 'sort', 'Sort parameter title is not allowed.'],
    ['?groupBy=status&sort=views', 'sort', 'Sort parameter views is not allowed.'],
    ['?groupBy=status&sort=views.median', 'sort', 'Sort parameter views.median is not allowed.'],
    ['?groupBy=status&sort=title.max', 'sort', 'Sort parameter title.max is not allowed.'],
    ['?groupBy=status&sort=count,-count', 'sort', 'Sort parameter count is repeated.'],
    ['?groupBy=status&include=author', 'include', 'Query parameter include is not allowed.'],
    ['?groupBy=status&fields[posts]=title', 'fields[posts]', 'Query parameter fields[posts] is not allowed.'],
    ['?groupBy=status&withCount=tags', 'withCount', 'Query parameter withCount is not allowed.'],
    ['?groupBy=status&other=1', 'other', 'Query parameter other is not allowed.'],
    ['?groupBy=status&filter[nothing]=1', 'filter[nothing]', 'Filter parameter nothing is not allowed.'],
    [
      '?groupBy=status&filter[trashed]=no',
      'filter[trashed]',
      'The filter[trashed] parameter must be with, only or without.',
    ],
    ['?groupBy=status&withStats[slug]=max', 'withStats[slug]', 'Field slug has no statistics.'],
  ] as [string, string, string][])('%s', (search, parameter, detail) => {
    expect(refusals(() => groups(search))).toEqual([[parameter, detail]])
  })

  test('more keys of the order than the limit', () => {
    const search = '?groupBy=status&sort=views.avg,views.sum'
    expect(refusals(() => groups(search, { limits: { sortKeys: 1 } }))).toEqual([
      ['sort', 'The parameter sort must not have more than 1 fields.'],
    ])
    expect(groups(search, { limits: { sortKeys: 2 } }).order).toHaveLength(2)
  })

  test('everything at once, what the application refuses last', () => {
    const rules = () => [badParameter('filter[title]', say`Not so.`)]
    expect(refusals(() => groups('?groupBy=title,x&sort=x,y&filter[title]=1&include=x', {}, rules))).toEqual([
      ['include', 'Query parameter include is not allowed.'],
      ['groupBy', 'Group parameter title is not allowed.'],
      ['groupBy', 'Group parameter x is not allowed.'],
      ['sort', 'Sort parameter x is not allowed.'],
      ['sort', 'Sort parameter y is not allowed.'],
      ['filter[title]', 'Not so.'],
    ])
    expect(groups('?groupBy=status', {}, () => []).keys).toHaveLength(1)
  })
})
