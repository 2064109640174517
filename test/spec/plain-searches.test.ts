import { describe, expect, test } from 'vitest'
import { resources } from '../../prisma/generated/resources.ts'
import V1 from '../../src/app/v1/server.ts'
import { exampleWith, useServers } from '../support/servers.ts'

// `%` and `_` are plain characters in searches, on every database, whichever reader answers.

class ByPrisma extends V1 {
  override readonly reads = 'prisma'
}
const names = ['100%', '1000', 'a_c', 'abc', 'A_C', '%_', '_']
const bios = ['50% of it', '50 of it', null, 'snake_case']

describe.each([
  ['statements', V1],
  ['Prisma', ByPrisma],
])('by %s', (_, Server) => {
  const api = useServers(() => exampleWith(Server))

  async function fill() {
    await api.db.tag.deleteMany()
    await api.db.profile.deleteMany()
    await api.db.tag.createMany({ data: names.map((name, i) => ({ id: i + 1, name })) })
    await api.db.profile.createMany({ data: bios.map((bio, i) => ({ id: i + 1, userId: i + 1, bio })) })
    await api.db.post.update({ where: { id: 1 }, data: { tags: { connect: [{ id: 1 }, { id: 3 }] } } })
  }

  async function found(path: string): Promise<readonly unknown[]> {
    await fill()
    const { status, body } = await api.as(null)('GET', `/api/v1/${path}`)
    expect(status).toBe(200)
    return body.data.map(({ id }: { readonly id: string }) => Number(id))
  }

  const caseless = resources.provider === 'sqlite'

  test.each<[string, readonly number[]]>([
    ['tags?sort=id&filter[name][contains]=%25', [1, 6]],
    ['tags?sort=id&filter[name][contains]=_', [3, 5, 6, 7]],
    ['tags?sort=id&filter[name][startsWith]=a_', caseless ? [3, 5] : [3]],
    ['tags?sort=id&filter[name][endsWith]=0%25', [1]],
    ['tags?sort=id&filter[name][contains]=%25_', [6]],
    ['tags?sort=id&filter[not][0][name][contains]=_', [1, 2, 4]],
    ['tags?sort=id&filter[or][0][name][contains]=%25&filter[or][1][name]=abc', [1, 4, 6]],
    ['profiles?sort=id&filter[bio][contains]=50%25', [1]],
    ['posts?sort=id&filter[tags.name][contains]=0%25', [1]],
    ['posts?sort=id&filter[tags.none.name][contains]=a_c&filter[id]=1,2', [2]],
  ])('%s', async (path, ids) => expect(await found(path)).toEqual(ids))

  test('no value neither holds a text nor lacks it', async () => {
    expect(await found('profiles?sort=id&filter[not][0][bio][contains]=0%25')).toEqual([2, 4])
  })
})
