import { PagePagination, Schema } from 'prismapi'
import { CursorPagination } from 'prismapi/cursor-pagination'
import { describe, expect, test } from 'vitest'
import { badParameter, expectAnswer, expectErrors } from '../../support/answers.ts'
import { openServer, pageDocument, pathOf, type Query } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// Everything that is wrong with `page` is 400, and names the very key. Nothing is repaired, nothing is a 500.

class Comment extends Schema<'Comment'> {
  override pagination() {
    return new PagePagination()
  }
}
class Simple extends Schema<'Comment'> {
  override pagination() {
    return new PagePagination().withSimplePagination()
  }
}
class Cursor extends Schema<'Comment'> {
  override pagination() {
    return new CursorPagination()
  }
}
class Renamed extends Schema<'Comment'> {
  override pagination() {
    return new CursorPagination().withLimitKey('take').withAfterKey('from').withBeforeKey('until')
  }
}
class Small extends Comment {
  override maxPageSize = 5
}
class SmallCursor extends Cursor {
  override maxPageSize = 5
}
class Large extends Comment {
  override maxPageSize = Number.MAX_SAFE_INTEGER
}
const unlimited = { maxPageSize: Number.MAX_SAFE_INTEGER }

const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    openServer('counted', { Comment, User: Schema }),
    openServer('simple', { Comment: Simple, User: Schema }),
    openServer('cursor', { Comment: Cursor, User: Schema }),
    openServer('renamed', { Comment: Renamed }),
    openServer('small', { Comment: Small }),
    openServer('smallcursor', { Comment: SmallCursor }),
    openServer('limited', { Comment }, { limits: { maxPageSize: 5 } }),
    openServer('large', { Comment: Large }, { limits: { maxPageSize: 5 } }),
    openServer('unlimited', { Comment: Simple }, { limits: unlimited }),
    openServer('unlimitedcursor', { Comment: Cursor }, { limits: unlimited }),
  ],
}))

/** The query as it stands, or one made of pairs. */
const get = (server: string, query: string | Query, path = '/comments') =>
  servers.as(null)('GET', typeof query === 'string' ? `${pathOf(server, path)}?${query}` : pathOf(server, path, query))

const noCounts = [
  '0',
  '-1',
  '-0',
  'abc',
  '1.5',
  '1.0',
  '',
  ' ',
  ' 5',
  '+5',
  '1e3',
  '0x10',
  '1_000',
  '5,6',
  'Infinity',
  'NaN',
  'null',
  'true',
  '٣',
  '５',
  '\u0000',
  '5\u0000',
  `${2 ** 31}`,
  `${2n ** 32n + 1n}`,
  `${2n ** 63n}`,
  `${2n ** 64n + 1n}`,
  '9'.repeat(400),
]

describe.each([
  ['counted', 'page[number]'],
  ['counted', 'page[size]'],
  ['simple', 'page[number]'],
  ['simple', 'page[size]'],
  ['cursor', 'page[limit]'],
  ['renamed', 'page[take]'],
  ['unlimited', 'page[size]'],
])('%s: %s', (server, key) => {
  test.each(noCounts)('%j is 400', async (value) => {
    expectErrors(await get(server, { [key]: value }), badParameter(key))
  })

  test.each(
    server === 'counted' || server === 'cursor' ? ['/users/5/comments', '/users/5/relationships/comments'] : [],
  )('below %s as well', async (path) => {
    for (const value of ['0', 'abc', '', `${2n ** 63n}`]) {
      expectErrors(await get(server, { [key]: value }, path), badParameter(key))
    }
  })
})

describe.each([
  ['counted', 'size'],
  ['cursor', 'limit'],
  ['cursor', 'after'],
])('%s: the key %s', (server, name) => {
  test.each([
    ['repeated', `page[${name}]=1&page[${name}]=2`, `page[${name}]`],
    ['repeated in two spellings', `page[${name}]=1&page%5B${name}%5D=1`, `page[${name}]`],
    ['nested', `page[${name}][x]=1`, `page[${name}][x]`],
    ['a list', `page[${name}][]=1`, `page[${name}][]`],
    ['not closed', `page[${name}=1`, `page[${name}`],
    ['followed by something', `page[${name}]x=1`, `page[${name}]x`],
    ['in capitals', `page[${name.toUpperCase()}]=1`, `page[${name.toUpperCase()}]`],
    ['without brackets', `page.${name}=1`, `page.${name}`],
  ])('%s is 400', async (_, query, parameter) => {
    expectErrors(await get(server, query), badParameter(parameter))
  })
})

describe('keys that nobody has', () => {
  test.each([
    ['counted', 'foo'],
    ['counted', 'limit'],
    ['counted', 'after'],
    ['counted', 'offset'],
    ['counted', 'constructor'],
    ['counted', 'toString'],
    ['cursor', 'number'],
    ['cursor', 'size'],
    ['cursor', 'hasOwnProperty'],
    ['renamed', 'limit'],
    ['renamed', 'after'],
    ['renamed', 'before'],
  ])('%s: page[%s]', async (server, key) => {
    expectErrors(
      await get(server, { [`page[${key}]`]: 1 }),
      badParameter(`page[${key}]`, `Page parameter ${key} is not allowed.`),
    )
  })

  test.each([
    ['page=5', 'page'],
    ['page', 'page'],
    ['page[]=5', 'page[]'],
    ['page[__proto__]=5', 'page[__proto__]'],
    ['page[a.b]=5', 'page[a.b]'],
    ['pages[size]=5', 'pages[size]'],
    ['Page[size]=5', 'Page[size]'],
  ])('?%s', async (query, parameter) => {
    expectErrors(await get('counted', query), badParameter(parameter))
    expectErrors(await get('cursor', query), badParameter(parameter))
  })

  test('all that is wrong is reported together', async () => {
    const { status, body } = await get('counted', 'page[number]=0&page[size]=x&page[foo]=1&page[bar]=1&sort=nothing')
    const parameters = body.errors.map((error: ReturnType<typeof badParameter>) => {
      expect(error).toEqual(badParameter((error.source as { parameter: string }).parameter))
      return (error.source as { parameter: string }).parameter
    })
    expect({ status, parameters: parameters.sort() }).toEqual({
      status: 400,
      parameters: ['page[bar]', 'page[foo]', 'page[number]', 'page[size]', 'sort'],
    })
  })
})

describe('more than the maximum', () => {
  test.each([
    ['the server’s own, by number', 'counted', 'page[size]', 1000],
    ['the server’s own, simple', 'simple', 'page[size]', 1000],
    ['the server’s own, by cursor', 'cursor', 'page[limit]', 1000],
    ['the schema’s, by number', 'small', 'page[size]', 5],
    ['the schema’s, by cursor', 'smallcursor', 'page[limit]', 5],
    ['the server’s, where it says so', 'limited', 'page[size]', 5],
    ['the schema’s goes before the server’s, up to what a database counts to', 'large', 'page[size]', 2 ** 31 - 2],
    ['the largest that a database counts to, simple', 'unlimited', 'page[size]', 2 ** 31 - 2],
    ['the largest that a database counts to, by cursor', 'unlimitedcursor', 'page[limit]', 2 ** 31 - 2],
  ])('%s', async (_, server, key, max) => {
    expectErrors(await get(server, { [key]: max + 1 }), badParameter(key))
    const { status, body } = await get(server, { [key]: max })
    expect({ status, shown: body.data.length }).toEqual({ status: 200, shown: Math.min(max, 200) })
  })
})

describe('a page number beyond what any table has', () => {
  const page = (number: number, size: number): Query => ({ 'page[number]': number, 'page[size]': size })
  const largest = 2 ** 31 - 1

  test.each([1, 2, 1000])('with a total, size %i: an empty page', async (size) => {
    const lastPage = Math.ceil(200 / size)
    const document = pageDocument('counted', '/comments', {
      asked: page(largest, size),
      data: [],
      meta: { page: { currentPage: largest, from: 0, lastPage, perPage: size, to: 0, total: 200 } },
      sides: { first: page(1, size), prev: page(largest - 1, size), last: page(lastPage, size) },
    })
    expectAnswer(await get('counted', page(largest, size)), 200, document)
  })

  test.each([1, 2, 1000])('simple, size %i: an empty page', async (size) => {
    const document = pageDocument('simple', '/comments', {
      asked: page(largest, size),
      data: [],
      meta: { page: { currentPage: largest, from: 0, perPage: size, to: 0 } },
      sides: { first: page(1, size), prev: page(largest - 1, size) },
    })
    expectAnswer(await get('simple', page(largest, size)), 200, document)
  })

  test('of the largest size: an empty page', async () => {
    const size = 2 ** 31 - 2
    const { status, body } = await get('large', page(largest, size))
    expect({ status, data: body.data, meta: body.meta }).toEqual({
      status: 200,
      data: [],
      meta: { page: { currentPage: largest, from: 0, lastPage: 1, perPage: size, to: 0, total: 200 } },
    })
  })

  test.each(['/users/5/comments', '/users/5/relationships/comments'])('%s: an empty page', async (path) => {
    const { status, body } = await get('counted', page(largest, 1000), path)
    expect({ status, data: body.data, total: body.meta.page.total }).toEqual({ status: 200, data: [], total: 25 })
  })
})
