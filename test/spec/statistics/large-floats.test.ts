import { describe, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// A sum that no number can hold is null on every database, whichever reader adds it up, and its group alone has none.

const byStatements = useServers(() => exampleWith(V2))
class ByPrisma extends V2 {
  override readonly reads = 'prisma'
}
const byPrisma = useServers(() => exampleWith(ByPrisma))

describe.each([
  ['prepared statements', byStatements],
  ['Prisma', byPrisma],
])('by %s', (_, api) => {
  async function withRatings(featured: readonly number[], others: readonly number[]) {
    const { video } = api.db
    await video.updateMany({ data: { rating: null, featured: false } })
    const ids = (await video.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id)
    const all = [...featured.map((rating) => ({ rating, featured: true })), ...others.map((rating) => ({ rating }))]
    for (const [i, data] of all.entries()) await video.update({ where: { id: ids[i] as string }, data })
  }
  const figures = async () => {
    const stats = 'withStats[rating]=sum,avg,min,max'
    const { status, body } = await api.as(null)(
      'GET',
      `/api/v2/videos/-stats?groupBy=featured&${stats}&sort=-rating.sum`,
    )
    return { status, groups: body.meta?.groups.map((group: { stats: object }) => group.stats) }
  }

  test('a sum that overflows is null, and so is its mean', async () => {
    await withRatings([1.7e308, 1.7e308], [1.5, 2.5])
    expect(await figures()).toEqual({
      status: 200,
      groups: [
        { rating: { sum: 4, avg: 2, min: 1.5, max: 2.5 } },
        { rating: { sum: null, avg: null, min: 1.7e308, max: 1.7e308 } },
      ],
    })
  })

  test('what a number can hold is as it is', async () => {
    await withRatings([1.5e308, 0.1], [-1e308, 0.1, 0.2])
    expect(await figures()).toEqual({
      status: 200,
      groups: [
        { rating: { sum: 1.5e308, avg: 1.5e308 / 2, min: 0.1, max: 1.5e308 } },
        { rating: { sum: -1e308, avg: expect.closeTo(-1e308 / 3, -290), min: -1e308, max: 0.2 } },
      ],
    })
  })
})
