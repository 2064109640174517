import { beforeAll, describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { newPost, operate } from '../../support/operations.ts'
import { identifier } from '../../support/row-documents.ts'

// A relationship may name a thousand resources. SQLite binds fewer values than that in a transaction's statements.

const api = useApi()
const admin = api.as(users.admin)

const first = 50_000
const ids = Array.from({ length: 1000 }, (_, i) => first + i)
const linkage = (count: number) => ids.slice(0, count).map((id) => identifier('tags', id))
let post: number

beforeAll(async () => {
  await api.db.tag.createMany({ data: ids.map((id) => ({ id, name: `tag-${id}` })) })
  const { body, ...data } = newPost()
  post = (await api.db.post.create({ data: { ...data, content: body, authorId: users.admin } })).id
})

const ref = () => ({ type: 'posts', id: String(post), relationship: 'tags' })
const linked = () => api.db.tag.count({ where: { posts: { some: { id: post } } } })

describe.each([499, 500, 501, 998, 999, 1000])('%d identifiers', (count) => {
  test('are added, removed and put in place of others by atomic operations', async () => {
    expect((await operate(admin, { op: 'update', ref: ref(), data: linkage(count) })).status).toBe(204)
    expect(await linked()).toBe(count)
    expect((await operate(admin, { op: 'remove', ref: ref(), data: linkage(count) })).status).toBe(204)
    expect(await linked()).toBe(0)
    expect((await operate(admin, { op: 'add', ref: ref(), data: linkage(count) })).status).toBe(204)
    expect(await linked()).toBe(count)
    expect((await operate(admin, { op: 'update', ref: ref(), data: [] })).status).toBe(204)
    expect(await linked()).toBe(0)
  })

  test('are changed by a relationship endpoint', async () => {
    const path = `/posts/${post}/relationships/tags`
    expect((await admin.patch(path, { body: { data: linkage(count) } })).status).toBe(200)
    expect(await linked()).toBe(count)
    expect((await admin.delete(path, { body: { data: linkage(count) } })).status).toBe(204)
    expect(await linked()).toBe(0)
  })

  test('of which none exists, are each a 404 in an atomic operation as in a PATCH', async () => {
    const absent = Array.from({ length: count }, (_, i) => identifier('tags', 900_000 + i))
    const atomic = await operate(admin, { op: 'update', ref: ref(), data: absent })
    const plain = await admin.patch(`/posts/${post}/relationships/tags`, { body: { data: absent } })
    expect([atomic.status, plain.status]).toEqual([404, 404])
    expect(atomic.body.errors).toHaveLength(count)
    expect(plain.body.errors).toHaveLength(count)
  })
})
