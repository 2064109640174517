import { Schema } from 'prismapi'
import { expect, test } from 'vitest'
import { provider } from '../../support/database.ts'
import { openServer, pathOf, type Query } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// Figures tell of no row that the caller would not be listed: by both readers.

class Posts extends Schema<'Post'> {
  override fields() {
    return [
      this.relation('author').groupable(),
      this.attribute('publishedAt').groupable().aggregatable(),
      this.attribute('title').named('heading').groupable().aggregatable(),
    ]
  }
}
class Videos extends Schema<'Video'> {
  override minimumGroup = 2
  override fields() {
    return [
      this.relation('owner').groupable(),
      this.attribute('featured').groupable(),
      this.attribute('durationSeconds').aggregatable().groupable(),
      this.attribute('rating').aggregatable(),
    ]
  }
}

const schemas = { User: Schema<'User'>, Post: Posts, Video: Videos, Comment: Schema<'Comment'>, Tag: Schema<'Tag'> }
const hidden = 4
const servers = useServers(() => ({
  policies: new Map(),
  servers: (['auto', 'prisma'] as const).map((reads) =>
    openServer(`stats-${reads}`, schemas, {
      reads,
      serving: (phase) => {
        phase.scope('User', { id: { not: hidden } })
        phase.scope('Post', { id: { gt: 3 } })
      },
    }),
  ),
}))

const askBoth = async (path: string, query: Query) => {
  const answers = await Promise.all(
    (['auto', 'prisma'] as const).map((reads) => servers.as(null)('GET', pathOf(`stats-${reads}`, path, query))),
  )
  const [sql, prisma] = answers.map(({ status, body }) => ({ status, meta: body.meta, errors: body.errors }))
  expect(sql).toEqual(prisma)
  return sql as { status: number; meta: { groups: Group[]; stats: unknown; page: { total: number } } }
}
interface Group {
  readonly key: Record<string, unknown>
  readonly stats: Record<string, Record<string, unknown>>
}

test('an author whom a scope hides is the group of null', async () => {
  const posts = await servers.db.post.findMany({ where: { id: { gt: 3 } } })
  expect(posts.some(({ authorId }) => authorId === hidden)).toBe(true)
  const { meta } = await askBoth('/posts/-stats', { groupBy: 'author', 'page[size]': 1000 })
  const counts = new Map<string | null, number>()
  for (const { authorId } of posts) {
    const key = authorId === hidden ? null : String(authorId)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const found = meta.groups.map(({ key, stats }) => {
    const author = key.author as { type: string; id: string } | null
    return [author?.id ?? null, stats['*']?.count] as const
  })
  expect(new Map(found)).toEqual(counts)
  // Numerically, with null at the end.
  const ids = found.flatMap(([id]) => (id === null ? [] : Number(id)))
  expect(ids).toEqual([...ids].sort((a, b) => a - b))
  expect(found.at(-1)?.[0]).toBeNull()
})

test('rows that a scope hides are in no figure', async () => {
  const count = await servers.db.post.count({ where: { id: { gt: 3 } } })
  const { meta } = await askBoth('/posts', { 'withStats[*]': 'count', 'withStats[heading]': 'count', 'page[size]': 1 })
  expect(meta.stats).toEqual({ '*': { count }, heading: { count } })
})

test('each part of an instant is a text, in UTC, and null is the last group', async () => {
  const posts = await servers.db.post.findMany({ where: { id: { gt: 3 } } })
  const parts = { year: 4, month: 7, day: 10 } as const
  for (const [part, length] of Object.entries(parts)) {
    const { meta } = await askBoth('/posts/-stats', { groupBy: `publishedAt:${part}`, 'page[size]': 1000 })
    const expected = [...new Set(posts.flatMap(({ publishedAt }) => publishedAt?.toISOString().slice(0, length) ?? []))]
    const keys = meta.groups.map(({ key }) => key[`publishedAt:${part}`])
    expect(keys.filter((key) => key !== null)).toEqual(expected.sort())
    if (posts.some(({ publishedAt }) => publishedAt === null)) expect(keys.at(-1)).toBeNull()
  }
})

test('an ISO week belongs to the year of its Thursday', async () => {
  const weeks = {
    '2020-12-31T23:59:59.999Z': '2020-W53',
    '2021-01-03T00:00:00.000Z': '2020-W53',
    '2021-01-04T00:00:00.000Z': '2021-W01',
    '2024-12-30T12:00:00.000Z': '2025-W01',
    '2023-01-01T00:00:00.000Z': '2022-W52',
  }
  for (const [instant, week] of Object.entries(weeks)) {
    const slug = `week-${Date.parse(instant)}`
    await servers.db.post.create({
      data: { title: slug, slug, content: '', authorId: 1, publishedAt: new Date(instant) },
    })
    const { meta } = await askBoth('/posts/-stats', { groupBy: 'publishedAt:week', 'filter[slug]': slug })
    expect(meta.groups.map(({ key }) => key)).toEqual([{ 'publishedAt:week': week }])
    await servers.db.post.delete({ where: { slug } })
  }
})

test('groups that are too small are left out, and not counted', async () => {
  const videos = await servers.db.video.findMany()
  const sizes = new Map<number | null, number>()
  for (const { durationSeconds } of videos) sizes.set(durationSeconds, (sizes.get(durationSeconds) ?? 0) + 1)
  const kept = [...sizes.values()].filter((size) => size >= 2)
  expect(kept.length).toBeLessThan(sizes.size)
  const { meta } = await askBoth('/videos/-stats', { groupBy: 'durationSeconds', 'page[size]': 1000 })
  expect(meta.groups.map(({ stats }) => stats['*']?.count).sort()).toEqual(kept.sort())
  expect(meta.page.total).toBe(kept.length)
})

test('groups are ordered by figures that need not be shown, null figures last in any order', async () => {
  for (const sort of ['rating.avg', '-rating.avg']) {
    const { meta } = await askBoth('/videos/-stats', {
      groupBy: 'owner',
      'withStats[rating]': 'avg,sum',
      sort,
      'page[size]': 1000,
    })
    const averages = meta.groups.map(({ stats }) => stats.rating?.avg as number | null)
    const known = averages.filter((each) => each !== null)
    expect(averages.indexOf(null) === -1 || averages.slice(known.length).every((each) => each === null)).toBe(true)
    expect(known).toEqual([...known].sort((a, b) => (sort.startsWith('-') ? b - a : a - b)))
  }
})

test('one page of groups is one statement', async () => {
  const queries = await servers.queriesOf(() =>
    servers.as(null)('GET', pathOf('stats-auto', '/posts/-stats', { groupBy: 'author,publishedAt:month' })),
  )
  // MariaDB has no reader of its own SQL.
  if (provider !== 'mysql') expect(queries).toHaveLength(1)
})
