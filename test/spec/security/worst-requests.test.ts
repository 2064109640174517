import { beforeAll, describe, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import V1 from '../../../src/app/v1/server.ts'
import { users } from '../../support/api.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// The requests that took a guest's server longest, of those that the limits allow, as `npm run bench:price -- --worst` found them
// at 100,000 posts. Tables are taken for as large here, by the id of one row.

const api = useServers(async () => ({ ...(await exampleWith(V1)), production: false }))
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

describe.runIf(resources.provider === 'sqlite')('at the size of 100,000 posts', () => {
  beforeAll(async () => {
    const { db } = api
    const at = new Date(0)
    const user = { id: 13_335, name: 'Last', email: 'last@example.com', passwordHash: 'x' }
    await db.user.create({ data: user })
    await db.profile.create({ data: { id: 13_335, userId: 13_335 } })
    await db.tag.create({ data: { id: 20_000, name: 'last' } })
    const post = { id: 100_000, title: 'Last', slug: 'last', content: 'C', authorId: users.admin, publishedAt: at }
    await db.post.create({ data: post })
    await db.comment.create({ data: { id: 333_333, content: 'C', postId: 100_000, authorId: users.admin } })
    for (const [table, row] of [
      ['Video', 16_667],
      ['_PostToTag', 200_000],
      ['_TagToVideo', 33_334],
    ] as const)
      await db.$executeRawUnsafe(
        `update "${table}" set rowid = ${row} where rowid = (select max(rowid) from "${table}")`,
      )
  })

  const ask = (path: string) => api.as(null)('GET', `/api/v1${path}`, { headers: { Prefer: 'cost' } })

  test.each(worst)('%s', async (path, points) => {
    const { status, headers } = await ask(path)
    expect([status, Number(headers.get('Prismapi-Cost'))]).toEqual([200, points])
  })

  test('what is dearer than they are is refused', async () => {
    const [[path]] = worst as [(typeof worst)[number]]
    const { status, body, headers } = await ask(`${path}&filter[content][contains]=${'a'.repeat(51)}`)
    expect({ status, code: body.errors[0].code }).toEqual({ status: 400, code: 'too-expensive' })
    expect(Number(headers.get('Prismapi-Cost'))).toBeGreaterThan(limit)
  })
})
