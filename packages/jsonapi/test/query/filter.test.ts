import { describe, expect, test } from 'vitest'
import { asWhere, conditionIn } from '../../../../test/support/conditions.ts'
import { checkContext } from '../../../../test/support/query-context.ts'
import { resources, schemaOfModel } from '../../../../test/support/schemas.ts'
import type { Where } from '../../src/model/where.ts'
import { checkFilter } from '../../src/query/filter.ts'
import { parseQuery } from '../../src/query/parse.ts'
import { refusals } from './query-errors.ts'

const post = schemaOfModel('Post', { singularFilters: new Set(['slug']) })

const check = (search: string, context = checkContext(), schema = post) =>
  checkFilter(parseQuery({ search }, context.limits).filter, schema, context)
function filter(search: string, context = checkContext(), schema = post) {
  const { condition } = check(search, context, schema)
  return condition && asWhere(condition, schema.model.name, resources)
}
/** The same condition in the spelling that conditions are shown in. */
const said = (where: Where | null, model = 'Post') =>
  where && asWhere(conditionIn(where, model, resources), model, resources)

describe('operators', () => {
  test.each([
    ['filter[title]=x', { title: { equals: 'x' } }],
    ['filter[title]=', { title: { equals: '' } }],
    ['filter[title]=a,b', { title: { in: ['a', 'b'] } }],
    ['filter[title]=a\\,b', { title: { equals: 'a,b' } }],
    ['filter[title]=a\\,b,c', { title: { in: ['a,b', 'c'] } }],
    ['filter[title]=a,b&filter[title]=c', { title: { in: ['a,b', 'c'] } }],
    ['filter[title][]=a,b', { title: { in: ['a,b'] } }],
    ['filter[title][]=a&filter[title][]=b', { title: { in: ['a', 'b'] } }],
    ['filter[title][0]=a&filter[title][1]=b', { title: { in: ['a', 'b'] } }],
    ['filter[title][in][0]=a&filter[title][in][1]=b', { title: { in: ['a', 'b'] } }],
    ['filter[title][equals]=a,b', { title: { equals: 'a,b' } }],
    ['filter[title][in]=a,b', { title: { in: ['a', 'b'] } }],
    ['filter[title][not]=a,b', { title: { not: 'a,b' } }],
    ['filter[title][notIn]=a,b', { title: { notIn: ['a', 'b'] } }],
    ['filter[title][lt]=m', { title: { lt: 'm' } }],
    ['filter[title][contains]=a,b', { title: { contains: 'a,b' } }],
    ['filter[title][startsWith]=a', { title: { startsWith: 'a' } }],
    ['filter[title][endsWith]=a', { title: { endsWith: 'a' } }],
    ['filter[title][isNull]=true', { title: { equals: null } }],
    ['filter[title][isNull]=false', { title: { not: null } }],
    ['filter[title][icontains]=A', { title: { contains: 'A', mode: 'insensitive' } }],
    ['filter[title][iequals]=A', { title: { equals: 'A', mode: 'insensitive' } }],
    ['filter[views][gte]=10', { views: { gte: 10 } }],
    ['filter[views]=-1,2', { views: { in: [-1, 2] } }],
    ['filter[reads]=9007199254740993', { reads: { equals: 9007199254740993n } }],
    ['filter[rating][lt]=1.5e3', { rating: { lt: 1500 } }],
    ['filter[price][lte]=12345678901234567890.10', { price: { lte: '12345678901234567890.10' } }],
    ['filter[featured]=true', { featured: { equals: true } }],
    ['filter[featured][not]=true', { featured: { not: true } }],
    ['filter[featured]=true,false', { OR: [{ featured: { equals: true } }, { featured: { equals: false } }] }],
    ['filter[status]=LIVE,DRAFT', { status: { in: ['LIVE', 'DRAFT'] } }],
    [
      'filter[publishedAt][lte]=2025-01-31T09:30:00%2B01:00',
      { publishedAt: { lte: new Date('2025-01-31T08:30:00Z') } },
    ],
    ['filter[cover]=AQI=', { cover: { equals: new Uint8Array([1, 2]) } }],
    ['filter[cover][not]=', { cover: { not: new Uint8Array() } }],
    ['filter[cover][notIn]=AQI=,/%2B8=', { cover: { notIn: [new Uint8Array([1, 2]), new Uint8Array([255, 239])] } }],
    ['filter[cover][isNull]=true', { cover: { equals: null } }],
    ['filter[labels]=a,b', { labels: { equals: ['a', 'b'] } }],
    ['filter[labels][has]=a,b', { labels: { has: 'a,b' } }],
    ['filter[labels][hasSome]=a,b', { labels: { hasSome: ['a', 'b'] } }],
    ['filter[labels][hasEvery]=a', { labels: { hasEvery: ['a'] } }],
    ['filter[labels][isEmpty]=false', { labels: { isEmpty: false } }],
    ['filter[id]=1,2', { id: { in: [1, 2] } }],
    ['filter[id][gt]=7', { id: { gt: 7 } }],
    ['filter={"id":["1",2]}', { id: { in: [1, 2] } }],
    ['filter={"id":3}', { id: { in: [3] } }],
    ['filter={}', null],
    ['', null],
  ])('%s', (search, where) => {
    expect(filter(search)).toStrictEqual(said(where))
  })

  test('an id of several columns equals, or not, or is one of several', () => {
    const seats = (search: string) => filter(search, checkContext(), schemaOfModel('Seat'))
    expect(seats('filter[id]=1_a')).toEqual(said({ row: 1, place: 'a' }, 'Seat'))
    expect(seats('filter[id]=1_a,2_b')).toEqual(
      said(
        {
          OR: [
            { row: 1, place: 'a' },
            { row: 2, place: 'b' },
          ],
        },
        'Seat',
      ),
    )
    expect(seats('filter[id][not]=1_a')).toEqual(said({ NOT: { row: 1, place: 'a' } }, 'Seat'))
    expect(refusals(() => seats('filter[id][gt]=1_a'))).toEqual([
      ['filter[id][gt]', 'Filter parameter id[gt] is not allowed.'],
    ])
  })
})

describe('relations', () => {
  test.each([
    ['filter[author]=7', { authorId: { equals: 7 } }],
    ['filter[author]=7,8', { authorId: { in: [7, 8] } }],
    ['filter[author.id]=7', { authorId: { equals: 7 } }],
    ['filter[author][not]=7', { authorId: { not: 7 } }],
    ['filter[author.name]=Bo', { author: { is: { name: { equals: 'Bo' } } } }],
    ['filter[author][name]=Bo', { author: { is: { name: { equals: 'Bo' } } } }],
    ['filter[author][name][startsWith]=B', { author: { is: { name: { startsWith: 'B' } } } }],
    ['filter[author][profile][bio]=x', { author: { is: { profile: { is: { bio: { equals: 'x' } } } } } }],
    ['filter[author.profile]=7', { author: { is: { profile: { is: { id: { equals: 7 } } } } } }],
    ['filter[comments.content][contains]=x', { comments: { some: { content: { contains: 'x' } } } }],
    ['filter[comments.some.content]=x', { comments: { some: { content: { equals: 'x' } } } }],
    ['filter[comments.every.spam]=false', { comments: { every: { spam: { equals: false } } } }],
    ['filter[comments.none.spam]=true', { comments: { none: { spam: { equals: true } } } }],
    ['filter[tags]=1,2', { tags: { some: { id: { in: [1, 2] } } } }],
    ['filter[tags.none]=1,2', { tags: { none: { id: { in: [1, 2] } } } }],
    ['filter[comments.author]=7', { comments: { some: { authorId: { equals: 7 } } } }],
    ['filter[comments][exists]=true', { comments: { some: {} } }],
    ['filter[comments][exists]=false', { comments: { none: {} } }],
    ['filter[author][exists]=true', { author: { is: {} } }],
    ['filter[author][exists]=false', { NOT: { author: { is: {} } } }],
    ['filter[author][isNull]=true', { NOT: { author: { is: {} } } }],
    ['filter[comments.author][isNull]=true', { comments: { some: { NOT: { author: { is: {} } } } } }],
  ])('%s', (search, where) => {
    expect(filter(search)).toStrictEqual(said(where))
  })

  test('a composite foreign key takes the ids of its target', () => {
    const ticket = schemaOfModel('Ticket')
    expect(filter('filter[seat]=1_a,2_b', checkContext(), ticket)).toEqual(
      said(
        {
          OR: [
            { row: 1, place: 'a' },
            { row: 2, place: 'b' },
          ],
        },
        'Ticket',
      ),
    )
  })

  test('a composite foreign key that may be NULL in part is not asked what it is not', () => {
    expect(filter('filter[seat][not]=1_a', checkContext(), schemaOfModel('Ticket'))).toEqual(
      said(
        {
          seat: { is: { NOT: { row: 1, place: 'a' } } },
        },
        'Ticket',
      ),
    )
  })

  test('conditions behind one to-many relation of a group are about the same row', () => {
    const search = 'filter[comments.content]=x&filter[comments.author.name]=Bo&filter[comments.some.spam]=false'
    expect(filter(search)).toEqual(
      said({
        comments: {
          some: {
            AND: [
              { author: { is: { name: { equals: 'Bo' } } } },
              { content: { equals: 'x' } },
              { spam: { equals: false } },
            ],
          },
        },
      }),
    )
  })

  test('so they are behind longer ways, with any quantifier, and within each index of a group', () => {
    const both = { AND: [{ content: { equals: 'x' } }, { spam: { equals: true } }] }
    const pair = (way: string) => `filter${way}content]=x&filter${way}spam]=true`
    expect(filter(pair('[comments.none.'))).toEqual(said({ comments: { none: both } }))
    expect(filter(pair('[author.comments.every.'))).toEqual(said({ author: { is: { comments: { every: both } } } }))
    expect(filter(pair('[tags.posts.comments.'))).toEqual(
      said({
        tags: { some: { posts: { some: { comments: { some: both } } } } },
      }),
    )
    expect(filter(`${pair('[or][0][comments.')}&filter[or][1][comments.spam]=false`)).toEqual(
      said({
        OR: [{ comments: { some: both } }, { comments: { some: { spam: { equals: false } } } }],
      }),
    )
    expect(filter(pair('[not][0][comments.'))).toEqual(said({ NOT: { comments: { some: both } } }))
  })

  test('other quantifiers, and other groups, are about rows of their own', () => {
    expect(
      filter('filter[comments.content]=x&filter[comments.none.spam]=true&filter[and][0][comments.content]=y'),
    ).toEqual(
      said({
        AND: [
          {
            AND: [
              { comments: { none: { spam: { equals: true } } } },
              { comments: { some: { content: { equals: 'x' } } } },
            ],
          },
          { comments: { some: { content: { equals: 'y' } } } },
        ],
      }),
    )
  })
})

describe('groups', () => {
  test.each([
    ['filter[or][0][title]=x&filter[or][1][views]=1', { OR: [{ title: { equals: 'x' } }, { views: { equals: 1 } }] }],
    [
      'filter[or][0][title]=x&filter[or][0][slug]=y&filter[or][7][views]=1',
      { OR: [{ AND: [{ slug: { equals: 'y' } }, { title: { equals: 'x' } }] }, { views: { equals: 1 } }] },
    ],
    ['filter[or][0][title]=x', { title: { equals: 'x' } }],
    [
      'filter[and][0][title]=x&filter[and][1][title]=y',
      { AND: [{ title: { equals: 'x' } }, { title: { equals: 'y' } }] },
    ],
    [
      'filter[not][0][title]=x&filter[not][1][views]=1',
      { AND: [{ NOT: { title: { equals: 'x' } } }, { NOT: { views: { equals: 1 } } }] },
    ],
    [
      'filter[not][0][or][0][title]=x&filter[not][0][or][1][slug]=y&filter[views]=1',
      { AND: [{ views: { equals: 1 } }, { NOT: { OR: [{ title: { equals: 'x' } }, { slug: { equals: 'y' } }] } }] },
    ],
    ['filter[or][0][author.name][contains]=x', { author: { is: { name: { contains: 'x' } } } }],
    ['filter[or][0][title][]=x', { title: { in: ['x'] } }],
  ])('%s', (search, where) => {
    expect(filter(search)).toStrictEqual(said(where))
  })

  test('the order in which parameters come does not change the condition', () => {
    const parts = [
      'filter[not][0][title]=x',
      'filter[or][1][views]=1',
      'filter[or][0][slug]=a',
      'filter[author.name]=Bo',
      'filter[views][lt]=9',
      'filter[views][gte]=1',
    ]
    expect(JSON.stringify(filter(parts.join('&')))).toBe(JSON.stringify(filter(parts.toReversed().join('&'))))
  })
})

describe('a relation brings the scope of its target', () => {
  const scopes = new Map([
    ['User', { active: true }],
    ['Comment', { spam: false }],
  ])
  const scoped = checkContext({ scopes })

  test.each([
    ['filter[author]=7', { author: { is: { AND: [{ active: true }, { id: { equals: 7 } }] } } }],
    ['filter[author.name]=Bo', { author: { is: { AND: [{ active: true }, { name: { equals: 'Bo' } }] } } }],
    ['filter[author][exists]=true', { author: { is: { active: true } } }],
    ['filter[comments][exists]=true', { comments: { some: { spam: false } } }],
    ['filter[comments][exists]=false', { comments: { none: { spam: false } } }],
    ['filter[comments.content]=x', { comments: { some: { AND: [{ spam: false }, { content: { equals: 'x' } }] } } }],
    [
      'filter[comments.none.content]=x',
      { comments: { none: { AND: [{ spam: false }, { content: { equals: 'x' } }] } } },
    ],
    [
      'filter[comments.every.content]=x',
      { comments: { none: { AND: [{ spam: false }, { NOT: { content: { equals: 'x' } } }] } } },
    ],
    [
      'filter[tags.posts.author.name]=Bo',
      {
        tags: {
          some: { posts: { some: { author: { is: { AND: [{ active: true }, { name: { equals: 'Bo' } }] } } } } },
        },
      },
    ],
  ])('%s', (search, where) => {
    expect(filter(search, scoped)).toStrictEqual(said(where))
  })

  const seen = { AND: [{ active: true }, { active: { not: null } }] }

  test.each([
    ['filter[author][exists]=false', { NOT: { author: { is: seen } } }],
    ['filter[author][isNull]=true', { NOT: { author: { is: seen } } }],
    ['filter[not][0][author.name]=Bo', { NOT: { author: { is: { AND: [seen, { name: { equals: 'Bo' } }] } } } }],
    ['filter[not][0][author]=7', { NOT: { author: { is: { AND: [seen, { id: { equals: 7 } }] } } } }],
    [
      'filter[not][0][comments.author.name]=Bo',
      {
        NOT: {
          comments: {
            some: {
              AND: [{ spam: false }, { author: { is: { AND: [{ active: true }, { name: { equals: 'Bo' } }] } } }],
            },
          },
        },
      },
    ],
    [
      'filter[comments.every.author.name]=Bo',
      {
        comments: {
          none: { AND: [{ spam: false }, { NOT: { author: { is: { AND: [seen, { name: { equals: 'Bo' } }] } } } }] },
        },
      },
    ],
  ])('under a NOT it is never NULL: %s', (search, where) => {
    expect(filter(search, scoped)).toStrictEqual(said(where))
  })

  test('under a NOT an id is asked of the target with and without a scope, so that both answer alike', () => {
    expect(filter('filter[not][0][author]=7')).toEqual(said({ NOT: { author: { is: { id: { equals: 7 } } } } }))
  })
})

describe('% and _ are plain characters', () => {
  test('PostgreSQL escapes them, and its escape character', () => {
    expect(filter('filter[title][contains]=50%25_\\')).toEqual(said({ title: { contains: '50\\%\\_\\\\' } }))
    expect(filter('filter[title][iequals]=a_c')).toEqual(said({ title: { equals: 'a\\_c', mode: 'insensitive' } }))
    expect(filter('filter[title]=a_c')).toEqual(said({ title: { equals: 'a_c' } }))
  })

  test('SQLite cannot escape them, so that they stay as they are; a backslash is plain there', () => {
    const sqlite = checkContext({ provider: 'sqlite' })
    expect(filter('filter[title][startsWith]=a_c', sqlite)).toEqual(said({ title: { startsWith: 'a_c' } }))
    expect(filter('filter[title][contains]=a\\', sqlite)).toEqual(said({ title: { contains: 'a\\' } }))
    expect(filter('filter[title]=a_c', sqlite)).toEqual(said({ title: { equals: 'a_c' } }))
  })
})

describe('what is no filter of the type is refused by its exact key', () => {
  test.each([
    ['filter[foo]=1', 'filter[foo]', 'foo'],
    ['filter[title][foo]=1', 'filter[title][foo]', 'title[foo]'],
    ['filter[author.foo]=1', 'filter[author.foo]', 'author.foo'],
    ['filter[author][foo]=1', 'filter[author][foo]', 'author[foo]'],
    ['filter[secret]=1', 'filter[secret]', 'secret'],
    ['filter[secret][startsWith]=1', 'filter[secret][startsWith]', 'secret[startsWith]'],
    ['filter[token]=1', 'filter[token]', 'token'],
    [
      'filter[author.passwordHash][startsWith]=a',
      'filter[author.passwordHash][startsWith]',
      'author.passwordHash[startsWith]',
    ],
    ['filter[authorId]=1', 'filter[authorId]', 'authorId'],
    ['filter[meta]=1', 'filter[meta]', 'meta'],
    ['filter[cover][lt]=AA==', 'filter[cover][lt]', 'cover[lt]'],
    ['filter[slug][isNull]=true', 'filter[slug][isNull]', 'slug[isNull]'],
    ['filter[views][contains]=1', 'filter[views][contains]', 'views[contains]'],
    ['filter[featured][lt]=true', 'filter[featured][lt]', 'featured[lt]'],
    ['filter[status][startsWith]=L', 'filter[status][startsWith]', 'status[startsWith]'],
    ['filter[labels][contains]=a', 'filter[labels][contains]', 'labels[contains]'],
    ['filter[title.foo]=1', 'filter[title.foo]', 'title.foo'],
    ['filter[title][equals][x]=1', 'filter[title][equals][x]', 'title[equals][x]'],
    ['filter[author.some.name]=1', 'filter[author.some.name]', 'author.some.name'],
    ['filter[some.title]=1', 'filter[some.title]', 'some.title'],
    ['filter[comments.none.none]=1', 'filter[comments.none.none]', 'comments.none.none'],
    ['filter[comments][content]=x', 'filter[comments][content]', 'comments[content]'],
    ['filter[comments.every][exists]=true', 'filter[comments.every][exists]', 'comments.every[exists]'],
    ['filter[comments][isNull]=true', 'filter[comments][isNull]', 'comments[isNull]'],
    ['filter[tags][notIn]=1', 'filter[tags][notIn]', 'tags[notIn]'],
    ['filter[id][contains]=1', 'filter[id][contains]', 'id[contains]'],
    ['filter[or]=1', 'filter[or]', 'or'],
    ['filter[or][title]=1', 'filter[or][title]', 'or[title]'],
    ['filter[or][0]=1', 'filter[or][0]', 'or'],
    ['filter[not][0][foo]=1', 'filter[not][0][foo]', 'foo'],
    ['filter[constructor]=1', 'filter[constructor]', 'constructor'],
    ['filter[author][constructor]=1', 'filter[author][constructor]', 'author[constructor]'],
    ['filter[toString.name]=1', 'filter[toString.name]', 'toString.name'],
  ])('%s', (search, key, name) => {
    expect(refusals(() => filter(search))).toEqual([[key, `Filter parameter ${name} is not allowed.`]])
  })

  test('a polymorphic relation can be neither crossed nor filtered by', () => {
    const comments = (search: string) => refusals(() => filter(search, checkContext(), schemaOfModel('Comment')))
    expect(comments('filter[commentable.title]=x')).toHaveLength(1)
    expect(comments('filter[commentable]=1')).toHaveLength(1)
  })

  test('case-insensitive operators where the database has none', () => {
    const sqlite = checkContext({ provider: 'sqlite' })
    expect(refusals(() => filter('filter[title][icontains]=a', sqlite))).toEqual([
      ['filter[title][icontains]', 'Filter parameter title[icontains] is not allowed.'],
    ])
  })
})

describe('a value that does not fit is refused by its exact key', () => {
  test.each([
    ['filter[views]=abc', 'filter[views]', 'an integer from -2147483648 to 2147483647'],
    ['filter[views]=', 'filter[views]', 'an integer from -2147483648 to 2147483647'],
    ['filter[views]=1,,2', 'filter[views]', 'an integer from -2147483648 to 2147483647'],
    ['filter[views][gte]=2147483648', 'filter[views][gte]', 'an integer from -2147483648 to 2147483647'],
    ['filter[views][gte]=1,2', 'filter[views][gte]', 'an integer from -2147483648 to 2147483647'],
    ['filter[rank]=32768', 'filter[rank]', 'an integer from -32768 to 32767'],
    [
      'filter[reads]=9223372036854775808',
      'filter[reads]',
      'an integer from -9223372036854775808 to 9223372036854775807',
    ],
    ['filter[rating]=1e400', 'filter[rating]', 'a number'],
    ['filter[rating]=NaN', 'filter[rating]', 'a number'],
    ['filter[price]=1e3', 'filter[price]', 'a decimal number'],
    ['filter[featured]=1', 'filter[featured]', 'true or false'],
    ['filter[cover]=AQI', 'filter[cover]', 'base64'],
    ['filter[status]=live', 'filter[status]', 'one of DRAFT, LIVE'],
    [
      'filter[publishedAt]=2025-02-30T00:00:00Z',
      'filter[publishedAt]',
      'an ISO 8601 date-time such as 2025-01-31T09:30:00Z',
    ],
    ['filter[title]=a%00', 'filter[title]', 'a text without null characters'],
    ['filter[title][contains]=a%00', 'filter[title][contains]', 'a text without null characters'],
    ['filter[title][isNull]=1', 'filter[title][isNull]', 'true or false'],
    ['filter[author][exists]=yes', 'filter[author][exists]', 'true or false'],
    ['filter[id]=abc', 'filter[id]', 'an id, which "abc" cannot be'],
    ['filter[author]=abc', 'filter[author]', 'an id, which "abc" cannot be'],
    ['filter[author]=', 'filter[author]', 'an id, which "" cannot be'],
    ['filter[or][0][views]=x', 'filter[or][0][views]', 'an integer from -2147483648 to 2147483647'],
  ])('%s', (search, key, expected) => {
    expect(refusals(() => filter(search))).toEqual([[key, `The value of ${key} must be ${expected}.`]])
  })

  test.each(['[1]', '{"id":[]}', '{"id":[null]}', '{"id":1.5}', '{"title":"x"}', '{"__proto__":1}', 'x', ''])(
    'filter=%s',
    (json) => {
      expect(refusals(() => filter(`filter=${encodeURIComponent(json)}`))).toEqual([
        ['filter', 'The parameter filter must be a JSON object such as {"id":["1","2"]}.'],
      ])
    },
  )

  test('an operator of one value takes no list', () => {
    expect(refusals(() => filter('filter[views][gte]=1&filter[views][gte]=2'))).toEqual([
      ['filter[views][gte]', 'Filter parameter filter[views][gte] takes one value.'],
    ])
  })

  test('every wrong parameter is named', () => {
    const keys = ['filter[foo]', 'filter[views]', 'filter[or][0][bar]']
    expect(refusals(() => filter(keys.map((key) => `${key}=x`).join('&'))).map(([key]) => key)).toEqual(keys)
  })
})

describe('limits are reached, not passed', () => {
  test('values of one list', () => {
    const three = checkContext({ limits: { filterValues: 3 } })
    expect(filter('filter[id]=1,2,3', three)).toEqual(said({ id: { in: [1, 2, 3] } }))
    expect(filter('filter[title][contains]=a,b,c,d', three)).toEqual(said({ title: { contains: 'a,b,c,d' } }))
    for (const search of ['filter[id]=1,2,3,4', 'filter={"id":[1,2,3,4]}', 'filter[author][in]=1,2,3,4']) {
      expect(refusals(() => filter(search, three)).map(([, detail]) => detail)).toEqual([
        'A filter must not have more than 3 values in one list.',
      ])
    }
  })

  test('terms of one request, of which a to-many relation costs one more', () => {
    const two = checkContext({ limits: { filterTerms: 2 } })
    expect(filter('filter[title]=a&filter[or][0][slug]=b', two)).not.toBeNull()
    expect(filter('filter[comments.content]=a', two)).not.toBeNull()
    expect(refusals(() => filter('filter[title]=a&filter[or][0][slug]=b&filter[or][1][slug]=c', two))).toEqual([
      ['filter[or][1][slug]', 'A filter must not have more than 2 terms.'],
    ])
    expect(refusals(() => filter('filter[tags]=1&filter[title]=a', two))).toEqual([
      ['filter[title]', 'A filter must not have more than 2 terms.'],
    ])
  })

  test('levels of groups and relations', () => {
    const two = checkContext({ limits: { filterDepth: 2 } })
    const refused = (key: string) =>
      expect(refusals(() => filter(`${key}=1`, two))).toEqual([[key, 'A filter must not nest deeper than 2 levels.']])
    expect(filter('filter[or][0][not][0][title]=1', two)).not.toBeNull()
    expect(filter('filter[comments.author.name]=1', two)).not.toBeNull()
    refused('filter[or][0][not][0][or][0][title]')
    refused('filter[or][0][comments.author.name]')
    refused('filter[or][0][comments.author]')
  })
})

test.each([
  ['filter[slug]=x', true],
  ['filter[slug][equals]=x', true],
  ['filter[slug]=x&filter[title]=y', true],
  ['filter[slug]=x\\,y', true],
  ['filter[slug]=x,y', false],
  ['filter[slug][]=x', false],
  ['filter[slug][contains]=x', false],
  ['filter[or][0][slug]=x', false],
  ['filter[title]=x', false],
])('%s is a singular filter: %s', (search, isSingular) => {
  expect(check(search).isSingular).toBe(isSingular)
})
