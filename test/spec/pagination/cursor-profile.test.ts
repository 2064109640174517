import { createApi, PagePagination, Schema } from 'prismapi'
import { CursorPagination, CursorProfilePagination } from 'prismapi/cursor-pagination'
import { MultiPagination, type Paginator } from 'prismapi/pagination'
import { describe, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import { openServer, pathOf, type Query, urlOf } from '../../support/open-server.ts'
import { jsonapi } from '../../support/row-documents.ts'
import { addPost } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'

const profile = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'

const posts = (paginator: () => Paginator, defaultSort = 'id') =>
  class extends Schema<'Post'> {
    override readonly defaultSort = defaultSort as never
    override defaultPagination = {}
    override maxPageSize = 50
    override pagination() {
      return paginator()
    }
    override sorts() {
      return [this.sort('hidden', 'authorId'), this.sort('popular', '-comments.count')]
    }
  }

const paginators = {
  open: () => new CursorProfilePagination().withDefaultPerPage(2),
  ranges: () => new CursorProfilePagination().withoutRanges(),
  total: () => new CursorProfilePagination().withTotal(),
  either: () => new MultiPagination([new PagePagination(), new CursorProfilePagination()]),
} as const

const servers = useServers(() => ({
  policies: new Map(),
  production: false,
  servers: Object.entries(paginators).map(([name, paginator]) =>
    openServer(name, {
      Post: posts(paginator),
      User: class extends Schema<'User'> {
        override defaultPagination = {}
        override pagination() {
          return new CursorProfilePagination()
        }
      },
      Tag: Schema,
    }),
  ),
}))

type Name = keyof typeof paginators

const get = async (name: Name, query: Query, path = '/posts') =>
  servers.as(null)('GET', pathOf(name, path, { 'fields[posts]': '', ...query }))
type Shown = Awaited<ReturnType<typeof get>>
const idsOf = ({ body }: Shown): string[] => body.data.map(({ id }: { id: string }) => id)
const cursorsOf = ({ body }: Shown): string[] =>
  body.data.map(({ meta }: { meta: { page: { cursor: string } } }) => meta.page.cursor)

const refusal = (parameter: string, detail: string, type?: string) => ({
  status: 400,
  body: {
    jsonapi,
    errors: [
      {
        status: '400',
        ...(type && { links: { type: `${profile}/${type}` } }),
        title: 'Invalid Query Parameter',
        detail,
        source: { parameter },
      },
    ],
  },
})

const notOfThisList = (key: string) =>
  refusal(`page[${key}]`, `Page parameter ${key} is not a cursor of this collection in this order.`)
const outcome = ({ status, body }: Shown) => ({ status, body })

test('a page, whole; a server that declares 1.0 claims no profile', async () => {
  const first = await get('open', { 'page[size]': 2, sort: 'id' })
  const [one, two] = cursorsOf(first) as [string, string]
  const query = (more: Query) => ({ 'fields[posts]': '', 'page[size]': 2, sort: 'id', ...more })
  const { headers, body } = await get('open', { 'page[size]': 2, 'page[after]': two, sort: 'id' })
  const [three, four] = cursorsOf({ ...first, body }) as [string, string]
  const item = (id: string, cursor: string) => ({
    type: 'posts',
    id,
    links: { self: urlOf('open', `/posts/${id}`) },
    meta: { page: { cursor } },
  })
  expect({ type: headers.get('Content-Type'), body }).toEqual({
    type: 'application/vnd.api+json',
    body: {
      jsonapi,
      links: {
        self: urlOf('open', '/posts', query({ 'page[after]': two })),
        first: urlOf('open', '/posts', query({})),
        prev: urlOf('open', '/posts', query({ 'page[before]': three })),
        next: urlOf('open', '/posts', query({ 'page[after]': four })),
        last: body.links.last,
      },
      meta: { page: {} },
      data: [item('3', three), item('4', four)],
    },
  })
  expect(new Set([one, two, three, four]).size).toBe(4)
})

test('last is the end of the list, whose next is null', async () => {
  const rows = await servers.db.post.findMany({ orderBy: { id: 'desc' }, take: 3 })
  const end = rows.map(({ id }) => String(id)).reverse()
  const { body } = await get('open', { 'page[size]': 3 })
  const { pathname, search } = new URL(body.links.last)
  const last = await servers.as(null)('GET', pathname + search)
  expect({ ids: idsOf(last), next: last.body.links.next }).toEqual({ ids: end, next: null })
})

test('a collection without resources has both ends', async () => {
  const { body } = await get('open', { 'filter[slug]': 'nothing', 'page[size]': 3 })
  expect({ data: body.data, prev: body.links.prev, next: body.links.next }).toEqual({
    data: [],
    prev: null,
    next: null,
  })
})

test('before the first is nothing, and next is the first page', async () => {
  const [first] = cursorsOf(await get('open', {}))
  const { body } = await get('open', { 'page[before]': first as string })
  expect({ data: body.data, prev: body.links.prev, next: body.links.next }).toEqual({
    data: [],
    prev: null,
    next: urlOf('open', '/posts', { 'fields[posts]': '', 'page[size]': 2, sort: 'id' }),
  })
})

test('a range that is empty, or the wrong way round, leads on to both sides', async () => {
  const [one, two, three] = cursorsOf(await get('open', { 'page[size]': 3 })) as [string, string, string]
  for (const [after, before] of [
    [one, two],
    [three, one],
  ] as const) {
    const { body } = await get('open', { 'page[after]': after, 'page[before]': before })
    const side = (more: Query) =>
      urlOf('open', '/posts', { 'fields[posts]': '', 'page[size]': 50, sort: 'id', ...more })
    expect({ data: body.data, prev: body.links.prev, next: body.links.next }).toEqual({
      data: [],
      prev: side({ 'page[before]': before }),
      next: side({ 'page[after]': after }),
    })
  }
})

describe('a cursor', () => {
  test('is good for every collection of the type in the same order, filtered or not', async () => {
    const cursor = cursorsOf(await get('open', { 'page[size]': 10 }))[9] as string
    const query = { 'page[after]': cursor, 'page[size]': 1 }
    expect(idsOf(await get('open', query))).toEqual(['11'])
    expect(idsOf(await get('open', { ...query, 'filter[id][gt]': 20 }))).toEqual(['21'])
    const [next] = idsOf(await get('open', query, '/users/5/posts'))
    expect(Number(next)).toBeGreaterThan(10)
  })

  test('is none in another order', async () => {
    const [cursor] = cursorsOf(await get('open', { sort: 'title' })) as [string]
    for (const sort of ['-title', 'slug', 'title,slug', 'id'])
      expect(outcome(await get('open', { sort, 'page[after]': cursor }))).toEqual(notOfThisList('after'))
  })

  test('is none of another type, or of another server', async () => {
    const [ofUsers] = cursorsOf(await get('open', { sort: 'id' }, '/users')) as [string]
    const [ofTotal] = cursorsOf(await get('total', { sort: 'id' })) as [string]
    for (const cursor of [ofUsers, ofTotal])
      expect(outcome(await get('open', { sort: 'id', 'page[before]': cursor }))).toEqual(notOfThisList('before'))
  })

  test('cannot be made by anybody else', async () => {
    const [cursor] = cursorsOf(await get('open', {})) as [string]
    const forged = [
      `${cursor.slice(0, -2)}AA`,
      cursor.toLowerCase(),
      Buffer.from('[5]').toString('base64url'),
      '5',
      'null',
    ]
    for (const each of forged)
      expect(outcome(await get('open', { 'page[after]': each }))).toEqual(notOfThisList('after'))
  })

  test('names its resource by id where what it is sorted by is too long for an URL, and then goes with it', async () => {
    const long = (end: string) => `${'long '.repeat(2000)}${end}`
    const rows: Awaited<ReturnType<typeof addPost>>[] = []
    for (const end of ['a', 'b', 'c']) rows.push(await addPost(servers.db, { content: long(end) }))
    const query = { sort: 'content', 'filter[id][gte]': rows[0]?.id as number, 'page[size]': 1 }
    const cursor = cursorsOf(await get('open', query))[0] as string
    expect(cursor.length).toBeLessThan(100)
    expect(idsOf(await get('open', { ...query, 'page[after]': cursor }))).toEqual([String(rows[1]?.id)])
    await servers.db.post.delete({ where: { id: rows[0]?.id as number } })
    expect(outcome(await get('open', { ...query, 'page[after]': cursor }))).toEqual(
      refusal('page[after]', 'Page parameter after names a resource that is not in this collection any more.'),
    )
  })

  test('is the same on every page and in every answer', async () => {
    const [a, b] = [await get('open', { 'page[size]': 5 }), await get('open', { 'page[size]': 5 })]
    expect(a.body).toEqual(b.body)
  })
})

test('a declared sort by a column that nobody sees gives nothing of it away', async () => {
  const answer = await get('open', { sort: 'hidden', 'page[size]': 3 })
  const next = await get('open', { sort: 'hidden', 'page[size]': 3, 'page[after]': cursorsOf(answer)[2] as string })
  const rows = await servers.db.post.findMany({ orderBy: [{ authorId: 'asc' }, { id: 'asc' }], take: 6 })
  expect([...idsOf(answer), ...idsOf(next)]).toEqual(rows.map(({ id }) => String(id)))
})

describe('by an enum, which Prisma does not compare,', () => {
  if (resources.provider !== 'postgresql') {
    test.each(['role', '-role,name'])('there are pages where its order is known: %s', async (sort) => {
      const seen: string[] = []
      for (let query: Query | null = { sort, 'page[size]': 3 }; query; ) {
        const page = await get('open', query, '/users')
        seen.push(...idsOf(page))
        query = page.body.links.next && { sort, 'page[size]': 3, 'page[after]': cursorsOf(page).at(-1) as string }
      }
      expect(seen).toEqual(idsOf(await get('open', { sort, 'page[size]': 50 }, '/users')))
      expect(seen).toHaveLength(10)
    })
  } else {
    test('there are none where it is a type of the database, whose order the Prisma schema does not know', async () => {
      expect(outcome(await get('open', { sort: 'role' }, '/users'))).toEqual(
        refusal('sort', 'The collection cannot be paged in this order.', 'unsupported-sort'),
      )
    })
  }
})

test.each(['author.name', 'popular', 'title,author.name'])('there are no pages by %s', async (sort) => {
  expect(outcome(await get('open', { sort }))).toEqual(
    refusal('sort', 'The collection cannot be paged in this order.', 'unsupported-sort'),
  )
})

test('several mistakes are told together', async () => {
  const { body } = await get('open', { 'page[size]': 0, 'page[after]': '', 'page[number]': 1 })
  expect(body.errors.map(({ source }: { source: object }) => source)).toEqual([
    { parameter: 'page[number]' },
    { parameter: 'page[size]' },
    { parameter: 'page[after]' },
  ])
})

test('withoutRanges() refuses both cursors together', async () => {
  const [cursor] = cursorsOf(await get('ranges', {})) as [string]
  expect(outcome(await get('ranges', { 'page[after]': cursor, 'page[before]': cursor }))).toEqual(
    refusal(
      'page[before]',
      'Page parameters after and before must not be sent together.',
      'range-pagination-not-supported',
    ),
  )
  expect((await get('ranges', { 'page[after]': cursor })).status).toBe(200)
})

test('withTotal() counts what the filter leaves', async () => {
  const { body } = await get('total', { 'filter[id][lte]': 7, 'page[size]': 2 })
  expect(body.meta).toEqual({ page: { total: 7 } })
})

test('withTotal() has the price of a total', async () => {
  const costOf = async (name: Name) => {
    const send = { headers: { Prefer: 'cost' } }
    const { headers } = await servers.as(null)('GET', pathOf(name, '/posts', { 'page[size]': 2 }), send)
    return Number(headers.get('Prismapi-Cost'))
  }
  // A hundredth of a thousand rows, which a table has at the least.
  expect((await costOf('total')) - (await costOf('ranges'))).toBe(10)
})

test('beside other strategies the parameters choose', async () => {
  expect((await get('either', { 'page[number]': 2, 'page[size]': 2 })).body.meta.page.currentPage).toBe(2)
  expect(outcome(await get('either', { 'page[after]': 'x', 'page[size]': 2 }))).toEqual(notOfThisList('after'))
})

test('a page is one query, which reads the columns of the order and no more than is shown beside them', async () => {
  const [, two] = cursorsOf(await get('open', { sort: '-createdAt' })) as [string, string]
  const queries = await servers.queriesOf(() => get('open', { sort: '-createdAt', 'page[after]': two }))
  expect(queries).toHaveLength(1)
  expect(queries[0]).toMatch(/createdAt. <= (\?|\$\d)/)
  expect(queries[0]).not.toContain('content')
})

describe('at boot', () => {
  const client = { $transaction: () => Promise.reject(new Error('A transaction at boot.')) }

  function boot(schema: ReturnType<typeof posts>, cursorSecret?: string): string[] {
    const warnings: string[] = []
    const quiet = () => {}
    const logger = {
      debug: quiet,
      info: quiet,
      warn: (_: object, message: string) => void warnings.push(message),
      error: quiet,
    }
    const servers = [openServer('boot', { Post: schema, User: Schema, Comment: Schema })]
    const clients = { reader: client, writer: client }
    const secret = cursorSecret === undefined ? {} : { cursorSecret }
    createApi({ resources, clients, baseUrl: 'https://x.example', logger, servers, policies: new Map(), ...secret })
    return warnings
  }

  const aged = [
    'Cursors of posts are sealed with a key of this process alone. Pass createApi({ cursorSecret }) for them to outlive it.',
  ]

  test('is said when cursors die with the process', () => {
    expect(boot(posts(paginators.open))).toEqual(aged)
    expect(boot(posts(paginators.either))).toEqual(aged)
    expect(boot(posts(paginators.open), 'a secret')).toEqual([])
    expect(boot(posts(() => new CursorPagination()))).toEqual([])
  })

  test('an empty secret is none', () => {
    expect(() => boot(posts(paginators.open), '')).toThrow(/^createApi\(\{ cursorSecret \}\): pass a long random text/)
  })

  test.each(['author.name', 'popular'])('an order of its own that there are no pages in is an error: %s', (sort) => {
    expect(() => boot(posts(paginators.open, sort), 'a secret')).toThrow(
      /^Server boot: posts: defaultSort: The collection cannot be paged in this order\. Declare what a client could ask for/,
    )
  })

  test('so is a default size that is none', () => {
    expect(() => new CursorProfilePagination().withDefaultPerPage(0)).toThrow('pass an integer of at least 1')
  })
})
