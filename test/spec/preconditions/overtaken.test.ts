import { beforeEach, expect, test } from 'vitest'
import PostRequest from '../../../requests/post.request.ts'
import V1 from '../../../src/app/v1/server.ts'
import { addPost, tagsOf } from '../../support/rows.ts'
import { exampleWith, theExample, useServers } from '../../support/servers.ts'

// Between the look at the version and the write, another request writes.

let meanwhile: () => Promise<unknown> = async () => {}

class Slow extends PostRequest {
  override async withExisting() {
    const overtake = meanwhile
    meanwhile = async () => {}
    await overtake()
    return null
  }

  override async metaForDelete(post: Parameters<PostRequest['metaForDelete']>[0]) {
    await this.withExisting()
    return super.metaForDelete(post)
  }
}

const api = useServers(async () => {
  const { servers } = await theExample()
  const requests = new Map(servers[0]?.requests)
  requests.set('Post', { request: Slow as never, query: null, collectionQuery: null })
  return exampleWith(V1, { requests })
})

let id: number
beforeEach(async () => {
  id = (await addPost(api.db)).id
  await api.db.post.count()
})

const headers = { 'If-Match': '"2024-05-01T00:00:00.000Z"' }
const patch = (attributes: object, relationships: object = {}) =>
  api.as(3)('PATCH', `/api/v1/posts/${id}`, {
    headers,
    body: { data: { type: 'posts', id: String(id), attributes, relationships } },
  })
const tags = { data: [{ type: 'tags', id: '3' }] }

test.each([
  ['as one statement', () => patch({ title: 'Ours' })],
  ['in a transaction', () => patch({ title: 'Ours' }, { tags })],
  ['that deletes', () => api.as(3)('DELETE', `/api/v1/posts/${id}`, { headers })],
])('a write %s is 412 then, and what the other has written stays', async (_, write) => {
  let others: Awaited<ReturnType<typeof api.db.post.update>> | undefined
  meanwhile = async () => {
    others = await api.db.post.update({ where: { id }, data: { title: 'Theirs' } })
  }
  const { status } = await write()
  expect({ status, row: await api.db.post.findUniqueOrThrow({ where: { id } }) }).toEqual({ status: 412, row: others })
  expect(await tagsOf(api.db, id)).toEqual([])
})

test('a write that meets nobody is done', async () => {
  expect((await patch({ title: 'Ours' })).status).toBe(200)
  expect(await api.db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({ title: 'Ours' })
})
