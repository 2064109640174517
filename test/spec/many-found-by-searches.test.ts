import { beforeAll, describe, expect, test } from 'vitest'
import { resources } from '../../prisma/generated/resources.ts'
import V1 from '../../src/app/v1/server.ts'
import { exampleWith, useServers } from '../support/servers.ts'

// More rows than SQLite binds values for: searches that Prisma cannot say are answered all the same.

class ByPrisma extends V1 {
  override readonly reads = 'prisma'
}

const rows = 33_000
const first = 1000

describe.runIf(resources.provider === 'sqlite').each([
  ['statements', V1],
  ['Prisma', ByPrisma],
])('by %s', (_, Server) => {
  const api = useServers(() => exampleWith(Server))

  beforeAll(async () => {
    await api.db.$executeRawUnsafe(
      `with recursive n(i) as (select ${first} union all select i + 1 from n where i < ${first + rows - 1})
       insert into "Post" ("id", "title", "slug", "content", "authorId", "publishedAt", "createdAt", "updatedAt")
       select i, '100% of ' || i, 'many-' || i, 'C', 3, '2024-01-01T00:00:00.000+00:00', '2024-01-01T00:00:00.000+00:00', '2024-01-01T00:00:00.000+00:00' from n`,
    )
  })

  const found = async (query: string) => {
    const { status, body } = await api.as(null)('GET', `/api/v1/posts?page[number]=1&${query}`)
    return { status, ids: body.data?.map(({ id }: { id: string }) => Number(id)) }
  }

  test.each<[string, readonly number[]]>([
    ['page[size]=3&sort=-id&filter[title][contains]=0%25', [first + rows - 1, first + rows - 2, first + rows - 3]],
    ['page[size]=3&sort=id&filter[title][startsWith]=100%25', [first, first + 1, first + 2]],
    ['page[size]=2&sort=id&filter[not][0][title][contains]=0%25', [1, 2]],
    [
      'page[size]=2&sort=-id&filter[or][0][title][contains]=0%25&filter[or][1][id]=1',
      [first + rows - 1, first + rows - 2],
    ],
  ])('%s', async (query, ids) => {
    expect(await found(query)).toEqual({ status: 200, ids })
  })
})
