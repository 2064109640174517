import { describe, expect, test } from 'vitest'
import { users } from '../../support/api.ts'
import { pages, read } from '../../support/documentation/pages.ts'
import { theExample, useServers } from '../../support/servers.ts'

// The requests that took a guest's server longest, of those that the limits allow, as `npm run bench:price -- --worst` found them
// at 100,000 posts, which the database says that there are.

const limit = 1_000_000

const worst: readonly (readonly [path: string, points: number])[] = [
  [
    '/posts?filter[or][2][title][equals]=Post 93751&filter[comments.author.name][endsWith]=om&filter[publishedAt][lt]=2024-02-29T15:31:00.000Z&page[size]=1&filter[comments.createdAt][lt]=2024-04-05T04:54:30.000Z&include=author.posts.comments&filter[tags.videos.durationSeconds][gt]=450&sort=-id&filter[slug][endsWith]=1',
    400_761,
  ],
  [
    '/posts?filter[tags.videos.featured]=false&filter[or][2][title][equals]=Post 93751&page[size]=1000&include=author.videos&filter[author.name][equals]=Member 5501&filter[comments.author.name][endsWith]=om&filter[publishedAt][lt]=2024-02-29T15:31:00.000Z',
    700_143,
  ],
  [
    '/posts?filter[tags.videos.featured]=false&filter[or][2][title][equals]=Post 93751&page[size]=100&include=author.profile,comments.author.comments,tags.posts.comments,comments&filter[comments.author.name][endsWith]=om&sort=-synopsis',
    846_940,
  ],
  [
    '/posts?filter[tags.videos.featured]=false&page[size]=100&filter[comments.author.createdAt][lt]=2024-01-06T16:08:00.000Z&include=tags.posts.comments,comments.commentable,comments.author,author',
    847_110,
  ],
]

/** Figures, which the search does not look for. */
const worstFigures: readonly (readonly [path: string, points: number])[] = [
  ['/comments/-stats?groupBy=author,createdAt:day,createdAt:week,createdAt:month&page[size]=1000&sort=-count', 821_000],
  [
    '/posts/-stats?groupBy=author,publishedAt:day,publishedAt:week,publishedAt:month&page[size]=1000&sort=-count',
    920_000,
  ],
]

/** What the documentation asks for, as a request or as the path of one. */
const shown = [
  ...new Set(
    pages.flatMap((page) => {
      const text = read(page)
      const whole = [...text.matchAll(/\bGET (\/api\/v[12]\/\S+)/g)].map(([, path]) => path as string)
      const below = [...text.matchAll(/`(?:GET )?(\/(?:posts|videos|comments|tags|users|profiles)[^`]*)`/g)]
      return [...whole, ...below.flatMap(([, path]) => [`/api/v1${path}`, `/api/v2${path}`])]
    }),
  ),
]

const rows = {
  User: 13_335,
  Profile: 13_335,
  Tag: 20_000,
  Post: 100_000,
  Comment: 333_333,
  Video: 16_667,
  _PostToTag: 200_000,
  _TagToVideo: 33_334,
}

const api = useServers(async () => ({ ...(await theExample()), production: false, rows }))

describe('at the size of 100,000 posts', () => {
  const ask = (path: string, server = 'v1') =>
    api.as(null)('GET', `/api/${server}${path}`, { headers: { Prefer: 'cost' } })

  test.each(worst)('%s', async (path, points) => {
    const { status, headers } = await ask(path)
    expect([status, Number(headers.get('Prismapi-Cost'))]).toEqual([200, points])
  })

  test.each(worstFigures)('%s', async (path, points) => {
    const { status, headers } = await ask(path, 'v2')
    expect([status, Number(headers.get('Prismapi-Cost'))]).toEqual([200, points])
  })

  test('what is dearer than they are is refused', async () => {
    const [[path]] = worst as [(typeof worst)[number]]
    const { status, body, headers } = await ask(`${path}&filter[content][contains]=${'a'.repeat(51)}`)
    expect({ status, code: body.errors[0].code }).toEqual({ status: 400, code: 'too-expensive' })
    expect(Number(headers.get('Prismapi-Cost'))).toBeGreaterThan(limit)
  })

  test('nothing that the documentation shows costs too much', async () => {
    expect(shown.length).toBeGreaterThan(100)
    const refused: string[] = []
    for (const path of shown) {
      const { body } = await api.as(users.admin)('GET', path)
      if (body?.errors?.[0].code === 'too-expensive') refused.push(path)
    }
    expect(refused).toEqual([])
  })

  test('groups beside a filter that is dear are refused at the groups', async () => {
    const [[path]] = worstFigures as [(typeof worstFigures)[number]]
    const { status, body } = await ask(`${path}&filter[author.posts.title][contains]=a`, 'v2')
    expect({ status, errors: body.errors }).toMatchObject({
      status: 400,
      errors: [{ code: 'too-expensive', source: { parameter: 'groupBy' } }],
    })
  })
})
