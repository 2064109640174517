import { describe, expect, test } from 'vitest'
import { idsOf, parametersOf, useConformance, versions } from '../../support/conformance.ts'

const server = useConformance()
const scope = { deletedAt: null }

describe.each(versions)('sorting on the server $name', (version) => {
  const get = (path: string) => server.get(version, path)
  const idsBy = async (sort: string) =>
    idsOf(await get(`/posts?fields[posts]=&page[size]=100&sort=${sort}`)).map(Number)

  test.each([
    ['G1', 'title', 'asc'],
    ['G2', '-title', 'desc'],
  ] as const)('%s: sort=%s', async (_, sort, title) => {
    const rows = await server.db.post.findMany({
      where: scope,
      orderBy: [{ title }, { id: title }],
      select: { id: true },
    })
    expect(await idsBy(sort)).toEqual(rows.map(({ id }) => id))
  })

  test.each([
    '/posts?sort=nothing',
    '/posts?sort=title,nothing',
    '/posts?sort=tags',
    '/posts?sort=tags.name',
    '/posts?sort=author.passwordHash',
    '/posts/1/tags?sort=nothing',
    '/posts/1/relationships/tags?sort=-nothing',
    '/posts/1?sort=title',
    '/posts?sort=',
  ])('G3 G4 G5 G6 G7: %s is 400, and says which parameter', async (path) => {
    expect(parametersOf(await get(path))).toEqual({ status: 400, parameters: ['sort'] })
  })

  test('G8: the first field goes first', async () => {
    await server.db.post.updateMany({ where: { id: { in: [1, 2, 3, 4] } }, data: { synopsis: 'The same.' } })
    const rows = await server.db.post.findMany({
      where: scope,
      orderBy: [{ synopsis: 'desc' }, { title: 'asc' }, { id: 'asc' }],
    })
    expect(await idsBy('-synopsis,title')).toEqual(rows.map(({ id }) => id))
  })
})
