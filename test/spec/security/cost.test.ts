import type { Schema } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import V1 from '../../../src/app/v1/server.ts'
import V2 from '../../../src/app/v2/server.ts'
import { users } from '../../support/api.ts'
import { newPost } from '../../support/operations.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// What a request costs is known before anything of it is read, and has an end.

class Priced extends V1 {
  override readonly limits = { cost: 60_000 }
}
const api = useServers(async () => ({ ...(await exampleWith(Priced)), production: false }))
class Tiny extends V1 {
  override readonly limits = { cost: 145 }
}
const tiny = useServers(() => exampleWith(Tiny))
const production = useServers(() => exampleWith(Priced))
const figures = useServers(async () => ({ ...(await exampleWith(V2)), production: false }))
const counting = useServers(async () => {
  const parts = await exampleWith(Priced)
  const [own] = parts.servers
  const Posts = own?.schemas.get('Post') as typeof Schema<'Post'>
  class Discussed extends Posts {
    override sorts() {
      return [this.sort('discussed', '-comments.count')]
    }
  }
  const servers = parts.servers.map((each) => ({
    ...each,
    schemas: new Map([...each.schemas, ['Post', Discussed as never]]),
  }))
  return { ...parts, servers, production: false }
})
const usual = useServers(() => exampleWith(V1))

const get = (path: string, headers: Record<string, string> = {}) => api.as(null)('GET', `/api/v1${path}`, { headers })
const costOf = async (path: string) => Number((await get(path, { Prefer: 'cost' })).headers.get('Prismapi-Cost'))

const author = 'filter[author.comments.author.comments.content][contains]=zzz'

describe('Prefer: cost', () => {
  test('tells the points, also of a request that is refused', async () => {
    const { status, headers } = await get('/tags/1', { Prefer: 'cost' })
    expect([status, headers.get('Prismapi-Cost'), headers.get('Preference-Applied')]).toEqual([200, '0', 'cost'])
    expect(await costOf(`/comments?${author}&filter[content][contains]=b`)).toBeGreaterThan(20_000)
  })

  test('is nothing to production', async () => {
    const { headers } = await production.as(null)('GET', '/api/v1/posts', { headers: { Prefer: 'cost' } })
    expect([headers.get('Prismapi-Cost'), headers.get('Preference-Applied')]).toEqual([null, null])
  })

  test.each([
    ['a page', '/comments?page[limit]=5', 126],
    ['a page behind others', '/videos?page[size]=5&page[number]=3', 115],
    ['an id', '/comments?page[limit]=5&filter[id]=3', 21],
    ['a filter without an index: each row of the table', '/videos?page[size]=10&filter[durationSeconds]=60', 1200],
    ['a text of 200 characters, and a total', '/posts?page[size]=10&filter[title][contains]=a', 2200],
    ['a text of 50,000 characters: fifty times as much', '/posts?page[size]=10&filter[content][contains]=a', 50_200],
    [
      '51 characters that are searched for: twice',
      `/posts?page[size]=10&filter[title][contains]=${'a'.repeat(51)}`,
      2020,
    ],
    ['a sort without an index: each row once more', '/posts?page[size]=10&sort=title', 3200],
    ['a range of the order: its page alone', '/comments?page[limit]=9&filter[createdAt][gt]=2024-01-01T00:00:00Z', 210],
    ['rows behind a relation: each is put aside, with its link', '/tags?filter[videos.title]=x', 6040],
    ['an include: a row for each of the page', '/comments?page[limit]=9&include=author', 450],
    ['a fan-out: two for each at the least', '/posts/1?include=comments', 72],
    ['fan-outs of a path are multiplied', '/posts/1?include=comments.author.videos', 258],
  ])('of %s', async (_, path, points) => {
    expect(await costOf(path)).toBe(points)
  })

  test.each([
    ['groups: each row once more for a key', '/posts/-stats?groupBy=author', 5000],
    ['and twice for a part of an instant', '/posts/-stats?groupBy=author,publishedAt:day', 7000],
    ['of rows that meet a condition', '/posts/-stats?groupBy=author,publishedAt:day&filter[title]=x', 5020],
  ])('of %s', async (_, path, points) => {
    const { status, headers } = await figures.as(null)('GET', `/api/v2${path}`, { headers: { Prefer: 'cost' } })
    expect([status, Number(headers.get('Prismapi-Cost'))]).toEqual([200, points])
  })
})

test('a sort by a number costs the rows that are counted, too', async () => {
  const costs = await Promise.all(
    ['title', 'discussed'].map(async (sort) => {
      const path = `/api/v1/posts?page[size]=10&sort=${sort}`
      const { status, headers } = await counting.as(null)('GET', path, { headers: { Prefer: 'cost' } })
      return [status, Number(headers.get('Prismapi-Cost'))]
    }),
  )
  // Each post once more, for what is joined to it, and a thousand comments.
  expect(costs).toEqual([
    [200, 3200],
    [200, 5200],
  ])
})

describe('the limit', () => {
  const dear = '/posts?page[size]=10&filter[content][contains]=a'

  test('what equals it is answered, and what is above is refused', async () => {
    expect(await get(dear)).toMatchObject({ status: 200 })
    expect(await get(`${dear}&filter[not][0][content][contains]=b&sort=title`)).toMatchObject({ status: 400 })
  })

  test('names the dearest parameter as it was sent, the price, and what would help', async () => {
    const { status, body } = await get(
      `/posts?page[size]=10&filter[title][contains]=x&filter[content][contains]=${'a'.repeat(60)}`,
    )
    expect({ status, ...body }).toEqual({
      status: 400,
      jsonapi: { version: '1.0' },
      errors: [
        {
          status: '400',
          code: 'too-expensive',
          title: 'Invalid Query Parameter',
          detail:
            'The request would cost too much. Narrow it by a filter on ids, ask for a smaller page, or include less. Its price is 100020, and 60000 is the limit. No index helps a search in Post.content; beside it, a condition on a column with one does.',
          source: { parameter: 'filter[content][contains]' },
        },
      ],
    })
  })

  test('production tells no figure', async () => {
    const { status, body } = await production.as(null)(
      'GET',
      `/api/v1/posts?filter[content][contains]=${'a'.repeat(60)}`,
    )
    expect({ status, detail: body.errors[0].detail }).toEqual({
      status: 400,
      detail: 'The request would cost too much. Narrow it by a filter on ids, ask for a smaller page, or include less.',
    })
  })

  test('nothing is read of a request that is refused', async () => {
    const queries = await api.queriesOf(() => get(`/posts?filter[content][contains]=${'a'.repeat(60)}`))
    expect(queries).toEqual([])
  })

  test('an include is refused at its parameter, before the write that would answer with it', async () => {
    const refused = { status: 400, body: { errors: [{ code: 'too-expensive', source: { parameter: 'include' } }] } }
    const body = { data: { type: 'tags', attributes: { name: 'Dear' } } }
    expect(await tiny.as(null)('GET', '/api/v1/tags/1?include=posts.comments')).toMatchObject(refused)
    expect(await tiny.as(users.admin)('POST', '/api/v1/tags?include=posts.comments', { body })).toMatchObject(refused)
    expect(await tiny.db.tag.count({ where: { name: 'Dear' } })).toBe(0)
  })
})

describe('hidden rows', () => {
  test('fewer of them than ten times as many change no price', async () => {
    const paths = [`/comments?${author}`, '/posts?filter[content][contains]=a', '/posts?include=comments.author']
    const before = await Promise.all(paths.map(costOf))
    const hidden = Array.from({ length: 400 }, (_, i) => ({
      ...{ title: 'T', content: 'C', slug: `hidden-${i}`, authorId: users.admin, publishedAt: null },
    }))
    await usual.db.post.createMany({ data: hidden })
    const after = await Promise.all(paths.map(async (path) => (await usual.as(null)('GET', `/api/v1${path}`)).status))
    expect(after).toEqual(before.map(() => 200))
  })
})

describe('searches that took seconds', () => {
  const long = `${'a'.repeat(199)}b`

  test('a long text is found, or not, in time that grows with the text alone', async () => {
    const { body, ...data } = newPost()
    const created = { ...data, content: 'a'.repeat(50_000), authorId: users.admin, publishedAt: new Date(0) }
    const { id } = await usual.db.post.create({ data: created })
    const found = (text: string) =>
      usual.as(null)('GET', `/api/v1/posts?filter[id]=${id}&filter[content][contains]=${text}`)
    expect((await found(long)).body.data).toEqual([])
    expect((await found('a'.repeat(200))).body.data).toMatchObject([{ id: String(id) }])
    expect(await found('a'.repeat(201))).toMatchObject({
      status: 400,
      body: { errors: [{ source: { parameter: 'filter[content][contains]' } }] },
    })
    await usual.db.post.delete({ where: { id } })
  })

  test('a path that comes back to where it began is looked for once for each of its tables', async () => {
    const queries = await usual.queriesOf(() => usual.as(null)('GET', `/api/v1/comments?page[limit]=1&${author}`))
    expect(queries.filter((sql) => /exists \(select/i.test(sql))).toEqual([])
    expect(queries).toHaveLength(1)
  })

  test('several of them in one request cost too much', async () => {
    const many = Array.from(
      { length: 16 },
      (_, i) => `filter[and][${i}][author.comments.author.comments.content][contains]=${long}`,
    )
    expect(await get(`/comments?${many.join('&')}`)).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'too-expensive', source: { parameter: expect.stringMatching(/^filter\[and\]/) } }] },
    })
  })
})

describe.runIf(resources.provider === 'sqlite')('on SQLite', () => {
  const read = (path: string) =>
    usual.queriesOf(async () => expect(await usual.as(null)('GET', `/api/v1${path}`)).toMatchObject({ status: 200 }))
  /** Statements of the threads beside the event loop can be ended by what they call. */
  const isBeside = (sql: string) => sql.includes('still_wanted')

  test('what is cheap is read inside of the event loop', async () => {
    expect((await read('/posts?filter[author]=3&include=comments.author,tags')).filter(isBeside)).toEqual([])
  })

  test.each([
    ['a search, whatever it costs', '/tags?filter[id]=3&filter[name][contains]=a'],
    ['one behind a relation', '/posts?filter[tags.id]=3&filter[tags.name][contains]=a'],
    ['a sort of texts without an end', '/videos?filter[owner]=3&sort=url'],
  ])('%s is read beside it', async (_, path) => {
    expect((await read(path)).map(isBeside)).toContain(true)
  })

  test('what is dear is read beside it, all of it', async () => {
    const queries = await read('/posts?filter[content][contains]=a&include=author')
    expect(queries.map(isBeside)).toEqual([true, true, true])
  })

  test('the same rows come from both', async () => {
    const cheap = await usual.as(null)('GET', '/api/v1/posts?page[size]=7&include=author,tags,comments')
    const dear = await usual.as(null)(
      'GET',
      '/api/v1/posts?page[size]=7&include=author,tags,comments&filter[or][0][content][contains]=o&filter[or][1][not][0][content][contains]=o',
    )
    expect(dear.body.data).toEqual(cheap.body.data)
    expect(dear.body.included).toEqual(cheap.body.included)
    expect(dear.body.meta).toEqual(cheap.body.meta)
  })
})
