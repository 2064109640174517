import { describe, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import V2 from '../../../src/app/v2/server.ts'
import { ByPrisma, fieldServers } from '../../support/field-policies.ts'
import { type TextAnswer, useServers } from '../../support/servers.ts'

const nullsFirst = resources.provider === 'sqlite'

describe('by SQL', () => {
  const api = useServers(() => fieldServers(V2))
  const body = async (as: number | null, path: string) => (await api.as(as)('GET', `/api/v2${path}`)).body
  const ids = async (as: number | null, path: string): Promise<number[]> =>
    (await body(as, path)).data.map(({ id }: { id: string }) => Number(id))
  const inOrder = (nulls: readonly number[], others: readonly number[], isDescending = false) =>
    nullsFirst !== isDescending ? [...nulls, ...others] : [...others, ...nulls]

  test('rows are ordered by what is seen of them: what is hidden counts as null', async () => {
    const everybody = await ids(1, '/users?sort=id&page[size]=100')
    const hidden = everybody.filter((id) => id !== 3)
    expect(await ids(3, '/users?sort=email&page[size]=100')).toEqual(inOrder(hidden, [3]))
    expect(await ids(3, '/users?sort=-email&page[size]=100')).toEqual(inOrder([...hidden].reverse(), [3], true))
    expect(await ids(1, '/users?sort=email&page[size]=100')).not.toEqual(inOrder(hidden, [3]))
  })

  test('and so are pages of them', async () => {
    const all = await ids(3, '/users?sort=email,-name&page[size]=100')
    const pages = [1, 2, 3].map((number) => ids(3, `/users?sort=email,-name&page[size]=3&page[number]=${number}`))
    expect((await Promise.all(pages)).flat()).toEqual(all.slice(0, 9))
  })

  test('through relations, of which each step may be hidden', async () => {
    const rows = (await body(3, '/comments?include=author&page[limit]=100')).data
    const mine = rows.filter(
      (row: { relationships: { author: { data: { id: string } } } }) => row.relationships.author.data.id === '3',
    )
    expect(mine.length).toBeGreaterThan(0)
    const sorted = await body(3, '/tags?sort=name&include=posts&includeSort[posts]=author.email,id')
    const [tag] = sorted.data
    const shown = tag.relationships.posts.data.map(({ id }: { id: string }) => Number(id))
    const authors = await api.db.post.findMany({ where: { id: { in: shown } }, select: { id: true, authorId: true } })
    const isMine = (id: number) => authors.find((each) => each.id === id)?.authorId === 3
    const others = shown.filter((id: number) => !isMine(id)).sort((a: number, b: number) => a - b)
    const own = shown.filter(isMine).sort((a: number, b: number) => a - b)
    expect(shown).toEqual(inOrder(others, own))
  })

  test('no cursor carries a value that is hidden', async () => {
    const answer = await api.as(3)('GET', '/api/v2/posts?sort=title')
    expect(answer.status).toBe(400)
    expect((await api.as(null)('GET', '/api/v2/posts?sort=title')).status).toBe(200)
  })

  test('statistics leave out what is hidden, and groups have it in that of null', async () => {
    const seen = async (as: number | null, where: object) => {
      const { meta } = await body(as, '/videos?withStats[*]=count&withStats[rating]=count,avg,max')
      const { _count, _avg, _max } = await api.db.video.aggregate({
        where,
        _count: { _all: true, rating: true },
        _avg: { rating: true },
        _max: { rating: true },
      })
      expect(meta.stats.rating.count).toBe(_count.rating)
      expect(meta.stats.rating.avg).toBeCloseTo(_avg.rating as number)
      expect(meta.stats.rating.max).toBe(_max.rating)
      return meta.stats['*'].count
    }
    const long = { OR: [{ durationSeconds: { gte: 130 } }, { durationSeconds: null, id: '' }] }
    const all = await seen(1, {})
    expect(await seen(null, long)).toBe(all)
    expect(await seen(3, { OR: [long, { ownerId: 3 }] })).toBe(all)
    const groups = async (as: number | null) => (await body(as, '/videos/-stats?groupBy=featured')).meta.groups
    const [featured, hidden] = [
      await api.db.video.count({ where: { ...long, featured: true } }),
      all - (await api.db.video.count({ where: long })),
    ]
    expect(await groups(null)).toContainEqual({ key: { featured: true }, stats: { '*': { count: featured } } })
    expect(await groups(null)).toContainEqual({ key: { featured: null }, stats: { '*': { count: hidden } } })
    expect((await groups(1)).map(({ key }: { key: object }) => key)).toEqual([{ featured: false }, { featured: true }])
  })
})

describe('by Prisma Client, which orders and sums up by columns alone', () => {
  const api = useServers(() => fieldServers(ByPrisma))

  test('it is refused as a name that does not exist', async () => {
    expectErrorsOf(await api.as(3)('GET', '/api/v2/users?sort=email'), 'Sort parameter email is not allowed.', 'sort')
    expectErrorsOf(
      await api.as(3)('GET', '/api/v2/videos?withStats[rating]=avg'),
      'Field rating has no statistics.',
      'withStats[rating]',
    )
    expect((await api.as(1)('GET', '/api/v2/users?sort=email')).status).toBe(200)
  })

  const expectErrorsOf = (answer: TextAnswer, detail: string, parameter: string) => {
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ detail, source: { parameter } }])
  }
})
