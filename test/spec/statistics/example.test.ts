import { expect, test } from 'vitest'
import { badParameter, type ErrorOf, expectAnswer, expectErrors, notFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'

// The figures of the example's v2, whose schema classes declare them.

const api = useApi()
const origin = 'https://api.example.org'
const jsonapi = { version: '1.1' }
const ask = (path: string, init?: object) => api.guest.get(`/api/v2${path}`, init)
/** Errors of a server that speaks 1.1. */
const refused = async (path: string, error: ErrorOf): Promise<void> =>
  expectAnswer(await ask(path), 400, { jsonapi, errors: [error] })
const self = (path: string, query: string) => `${origin}/api/v2${path}?${query}`

test('figures of a collection are of all that it lists, whatever the page', async () => {
  const videos = await api.db.video.findMany()
  const rated = videos.flatMap(({ rating }) => rating ?? [])
  const { status, body } = await ask('/videos?withStats[*]=count&withStats[rating]=avg,min,max&page[size]=1')
  expect(status).toBe(200)
  expect(body.data).toHaveLength(1)
  expect(body.meta.stats).toEqual({
    '*': { count: videos.length },
    rating: {
      avg: expect.closeTo(rated.reduce((sum, each) => sum + each, 0) / rated.length, 9),
      min: Math.min(...rated),
      max: Math.max(...rated),
    },
  })
  expect(body.links.next).toContain('withStats%5Brating%5D=avg%2Cmin%2Cmax')
})

test('a filter narrows them, and nothing is summed to null', async () => {
  const featured = await api.db.video.findMany({ where: { featured: true } })
  const durations = featured.flatMap(({ durationSeconds }) => durationSeconds ?? [])
  const { body } = await ask('/videos?filter[featured]=true&withStats[durationSeconds]=count,sum')
  expect(body.meta.stats).toEqual({
    durationSeconds: { count: durations.length, sum: durations.reduce((sum, each) => sum + each, 0) },
  })
  const none = await ask(
    '/videos?filter[title]=no such title&withStats[*]=count&withStats[rating]=count,sum,avg,min,max',
  )
  expect(none.body.meta.stats).toEqual({
    '*': { count: 0 },
    rating: { count: 0, sum: null, avg: null, min: null, max: null },
  })
})

test('a related collection has figures of its own', async () => {
  const owned = await api.db.video.findMany({ where: { ownerId: users.admin } })
  const { status, body } = await api.as(users.admin).get(`/api/v2/users/${users.admin}/videos?withStats[*]=count`)
  expect({ status, stats: body.meta.stats }).toEqual({ status: 200, stats: { '*': { count: owned.length } } })
})

test('videos are counted by whether they are featured', async () => {
  const featured = await api.db.video.count({ where: { featured: true } })
  const other = await api.db.video.count({ where: { featured: false } })
  const query = 'groupBy=featured'
  const page = (number: number) => `page%5Bnumber%5D=${number}&page%5Bsize%5D=100`
  expectAnswer(await ask(`/videos/-stats?${query}`), 200, {
    jsonapi,
    links: {
      self: self('/videos/-stats', query),
      first: self('/videos/-stats', `${query}&${page(1)}`),
      last: self('/videos/-stats', `${query}&${page(1)}`),
    },
    meta: {
      page: { currentPage: 1, from: 1, lastPage: 1, perPage: 100, to: 2, total: 2 },
      groups: [
        { key: { featured: false }, stats: { '*': { count: other } } },
        { key: { featured: true }, stats: { '*': { count: featured } } },
      ],
    },
  })
})

test('posts are counted by author and month, the largest group first', async () => {
  const listed = await api.db.post.findMany({ where: { publishedAt: { lte: new Date() }, deletedAt: null } })
  const counts = new Map<string, number>()
  for (const { authorId, publishedAt } of listed) {
    const key = `${authorId} ${publishedAt?.toISOString().slice(0, 7)}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const { body } = await ask(
    '/posts/-stats?groupBy=author,publishedAt:month&withStats[*]=count&sort=-count&page[size]=1000',
  )
  type Group = {
    key: { author: { type: string; id: string }; 'publishedAt:month': string }
    stats: { '*': { count: number } }
  }
  const groups = body.meta.groups as Group[]
  const found = groups.map(
    ({ key, stats }) => [`${key.author.id} ${key['publishedAt:month']}`, stats['*'].count] as const,
  )
  expect(new Map(found)).toEqual(counts)
  const sizes = found.map(([, count]) => count)
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
  expect(body.meta.page.total).toBe(counts.size)
  expect(groups[0]?.key.author.type).toBe('users')
})

test('pages of groups say how many there are, behind the last one as well', async () => {
  const all = await ask('/comments/-stats?groupBy=author')
  const total = all.body.meta.groups.length
  const second = await ask('/comments/-stats?groupBy=author&page[size]=1&page[number]=2')
  expect(second.body.meta.groups).toEqual([all.body.meta.groups[1]])
  expect(second.body.meta.page).toEqual({ currentPage: 2, from: 2, lastPage: total, perPage: 1, to: 2, total })
  const behind = await ask('/comments/-stats?groupBy=author&page[size]=100&page[number]=9')
  expect(behind.body.meta).toEqual({
    page: { currentPage: 9, from: 0, lastPage: 1, perPage: 100, to: 0, total },
    groups: [],
  })
})

test('HEAD answers as GET does, without the document', async () => {
  const { status, body } = await api.guest.request('HEAD', '/api/v2/videos/-stats?groupBy=featured')
  expect({ status, body }).toEqual({ status: 200, body: undefined })
})

const refusals: readonly (readonly [query: string, parameter: string, detail: string])[] = [
  ['', 'groupBy', 'Name in groupBy what the rows are grouped by.'],
  ['groupBy=featured,featured', 'groupBy', 'Group parameter featured is repeated.'],
  ['groupBy=title', 'groupBy', 'Group parameter title is not allowed.'],
  ['groupBy=featured:month', 'groupBy', 'Group parameter featured:month is not allowed: only instants have parts.'],
  ['groupBy=featured&withStats[title]=count', 'withStats[title]', 'Field title has no statistics.'],
  ['groupBy=featured&withStats[rating]=median', 'withStats[rating]', 'There is no function median.'],
  [
    'groupBy=featured&withStats[rating]=',
    'withStats[rating]',
    'Name in withStats[rating] what is asked of rating: count, sum, avg, min, max.',
  ],
  ['groupBy=featured&withStats[*]=', 'withStats[*]', 'Name in withStats[*] what is asked of *: count.'],
  ['groupBy=featured&withStats[*]=sum', 'withStats[*]', 'The function sum does not fit *.'],
  ['groupBy=featured&withStats[rating]=avg,avg', 'withStats[rating]', 'The function avg is repeated.'],
  ['groupBy=featured&withStats=count', 'withStats', 'Query parameter withStats is not allowed.'],
  ['groupBy=featured&include=owner', 'include', 'Query parameter include is not allowed.'],
  ['groupBy=featured&fields[videos]=title', 'fields[videos]', 'Query parameter fields[videos] is not allowed.'],
  ['groupBy=featured&sort=title', 'sort', 'Sort parameter title is not allowed.'],
  ['groupBy=featured&filter[nothing]=1', 'filter[nothing]', 'Filter parameter nothing is not allowed.'],
]

test.each(refusals)('/videos/-stats?%s is refused at %s', async (query, parameter, detail) => {
  await refused(`/videos/-stats?${query}`, badParameter(parameter, detail))
})

test('an instant is grouped by one of its parts', async () => {
  const detail = 'Name a part of the instant createdAt: createdAt:year, createdAt:month, createdAt:week, createdAt:day.'
  for (const key of ['createdAt', 'createdAt:hour'])
    await refused(`/comments/-stats?groupBy=${key}`, badParameter('groupBy', detail))
})

test('a page of groups has an end', async () => {
  const { status, body } = await ask('/videos/-stats?groupBy=featured&page[size]=1001')
  expect({ status, source: body.errors[0].source }).toEqual({ status: 400, source: { parameter: 'page[size]' } })
})

test('without a declaration there is neither the parameter nor the URL', async () => {
  const unknown = badParameter('withStats[*]', 'Query parameter withStats[*] is not allowed.')
  await refused('/tags?withStats[*]=count', unknown)
  await refused('/posts/1/relationships/comments?withStats[*]=count', unknown)
  expectErrors(await api.guest.get('/api/v1/videos?withStats[*]=count'), unknown)
  expect((await ask('/tags/-stats?groupBy=name')).status).toBe(404)
  expectErrors(await api.guest.get('/api/v1/videos/-stats?groupBy=featured'), notFound)
})

test('OpenAPI says what figures look like, beside resources and in groups', async () => {
  const { paths, components } = (await ask('/openapi.json')).body
  const value = { type: ['number', 'string', 'null'] }
  const every = { count: { type: 'integer' }, sum: value, avg: value, min: value, max: value }
  const figures = {
    '*': { type: 'object', properties: { count: { type: 'integer' } } },
    durationSeconds: { type: 'object', properties: every },
    rating: { type: 'object', properties: every },
  }
  expect(components.schemas['videos.many'].properties.meta.properties.stats.properties).toEqual(figures)
  const groups = paths['/api/v2/videos/-stats'].get.responses['200'].content['application/vnd.api+json'].schema
  expect(groups.properties.meta.properties.groups.items.properties.stats.properties).toEqual(figures)
  expect(components.schemas['tags.many'].properties).not.toHaveProperty('meta')
  expect(components.schemas.document.properties.meta).toEqual({ $ref: '#/components/schemas/meta' })
})

test('an explanation tells how many groups a statement was answered with', async () => {
  const { body } = await ask('/videos/-stats?groupBy=featured', { headers: { Prefer: 'explain' } })
  const level = body.meta.explain.levels.find(({ operation }: { operation: string }) => operation === 'groups')
  expect(level).toMatchObject({ model: 'Video', rows: 2 })
})
