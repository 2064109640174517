import { type AuthorizationRequest, deny, PolicyAuthorizer, type RowOf } from 'prismapi'
import { expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { browserAccept } from '../../support/pages.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// A column of a to-many relation has the number of what is related.

class PostAuthorizer extends PolicyAuthorizer<'Post'> {
  override viewRelationship(request: AuthorizationRequest, row: RowOf<'Post'>) {
    return row.id === 3 ? deny('Nobody is told of it.') : super.viewRelationship(request, row)
  }
}
class Guarding extends V1 {
  override serving(phase: Parameters<V1['serving']>[0]) {
    super.serving(phase)
    phase.authorizer(PostAuthorizer, ['Post'])
  }
}
const api = useServers(async () => ({ ...(await exampleWith(Guarding)), production: false }))
const pageOf = async (path: string) =>
  (await fetch(`${api.at}/api/v1${path}`, { headers: { Accept: browserAccept } })).text()
const cells = (text: string, name: string) =>
  Object.fromEntries(
    [...text.matchAll(new RegExp(`<a href="/api/v1/posts/(\\d+)/${name}">(.*?)</a>`, 'g'))].map(([, id, said]) => [
      id,
      said,
    ]),
  )

test('as the caller may see them, and none where the API would not show them', async () => {
  const rows = await api.db.post.findMany({
    where: { id: { in: [1, 2, 3] } },
    include: { tags: true, comments: true },
  })
  const text = await pageOf('/posts?filter[id][in]=1,2,3&fields[posts]=title,tags,comments')
  const said = (of: 'tags' | 'comments') =>
    Object.fromEntries(
      rows.map((row) => [row.id, row.id === 3 ? expect.stringContaining('…') : String(row[of].length)]),
    )
  expect([cells(text, 'tags'), cells(text, 'comments')]).toEqual([said('tags'), said('comments')])
  expect(text).not.toContain('>Show</a>')
})

test('which a scope narrows', async () => {
  const shown = { deletedAt: null, publishedAt: { lt: new Date() } }
  const drafted = { posts: { some: { publishedAt: null } } }
  const { id, _count } = await api.db.tag.findFirstOrThrow({
    where: drafted,
    select: { id: true, _count: { select: { posts: { where: shown } } } },
  })
  const text = await pageOf(`/tags?filter[id]=${id}&fields[tags]=name,posts`)
  expect(text).toContain(`<a href="/api/v1/tags/${id}/posts">${_count.posts}</a>`)
})

test('by one query for each column, however many rows there are', async () => {
  const queries = (size: number) =>
    api.queriesOf(() => pageOf(`/posts?fields[posts]=title,tags,comments&page[number]=1&page[size]=${size}`))
  await queries(1)
  expect((await queries(30)).length).toBe((await queries(2)).length)
})

test('and not of columns that are not shown', async () => {
  const counting = (await api.queriesOf(() => pageOf('/posts?fields[posts]=title'))).filter((sql) =>
    /Comment/.test(sql),
  )
  expect(counting).toEqual([])
})

test('in the tables of what is related to a resource, too', async () => {
  const videos = await pageOf('/tags/1?-tab=related')
  expect(videos).not.toContain('>Show</a>')
})
