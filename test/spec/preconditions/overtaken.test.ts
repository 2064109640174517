import { beforeEach, expect, test } from 'vitest'
import { useOvertaking } from '../../support/overtaken.ts'
import { addPost, tagsOf } from '../../support/rows.ts'

// Between the look at the version and the write, another request writes.

const { api, overtake } = useOvertaking()

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
  overtake(async () => {
    others = await api.db.post.update({ where: { id }, data: { title: 'Theirs' } })
  })
  const { status } = await write()
  expect({ status, row: await api.db.post.findUniqueOrThrow({ where: { id } }) }).toEqual({ status: 412, row: others })
  expect(await tagsOf(api.db, id)).toEqual([])
})

test('a write that meets nobody is done', async () => {
  expect((await patch({ title: 'Ours' })).status).toBe(200)
  expect(await api.db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({ title: 'Ours' })
})
