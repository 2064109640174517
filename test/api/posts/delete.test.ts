import { describe, expect, test } from 'vitest'
import { expectErrors, expectNothing, forbidden, invalid, notFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { addPost } from '../../support/rows.ts'

const api = useApi()
const post = (id: number) => api.db.post.findUniqueOrThrow({ where: { id } })
const notDeletable = {
  status: '422',
  code: expect.any(String),
  title: 'Not Deletable',
  detail: 'A post with comments cannot be deleted.',
}

describe('DELETE /posts/:id', () => {
  test.each([
    ['its author', users.member3],
    ['an editor', users.editor],
    ['an administrator', users.admin],
  ])('%s puts it into the bin: the row stays, and nobody sees it', async (_, caller) => {
    const before = await addPost(api.db)
    expectNothing(await api.as(caller).delete(`/posts/${before.id}`))
    const after = await post(before.id)
    expect(after).toEqual({ ...before, deletedAt: expect.any(Date), updatedAt: after.updatedAt })
    for (const anybody of [api.guest, api.as(users.member3), api.as(users.admin)]) {
      expectErrors(await anybody.get(`/posts/${before.id}`), notFound)
    }
    expectErrors(await api.as(caller).delete(`/posts/${before.id}`), notFound)
  })

  test('the slug stays taken', async () => {
    const { id, slug } = await addPost(api.db)
    expectNothing(await api.as(users.member3).delete(`/posts/${id}`))
    const attributes = { title: 'Again', slug, content: 'The same name.' }
    expectErrors(
      await api.as(users.member3).post('/posts', { body: { data: { type: 'posts', attributes } } }),
      invalid('unique', 'The slug has already been taken.', '/data/attributes/slug'),
    )
  })

  test('it is gone from its tags and its author', async () => {
    const { id } = await addPost(api.db, { tags: { connect: { id: 12 } } })
    expectNothing(await api.as(users.member3).delete(`/posts/${id}`))
    for (const path of ['/tags/12/posts', `/users/${users.member3}/posts`]) {
      const { body } = await api.as(users.admin).get(`${path}?page[size]=100`)
      expect(body.data.map((each: { id: string }) => each.id)).not.toContain(String(id))
    }
  })

  test('with a comment it cannot be deleted', async () => {
    const before = await addPost(api.db)
    const comment = await api.db.comment.create({ data: { content: 'Stay.', authorId: 4, postId: before.id } })
    for (const caller of [users.member3, users.admin]) {
      expectErrors(await api.as(caller).delete(`/posts/${before.id}`), notDeletable)
    }
    expect(await post(before.id)).toEqual(before)
    await api.db.comment.delete({ where: { id: comment.id } })
    expectNothing(await api.as(users.member3).delete(`/posts/${before.id}`))
  })

  test('a guest and a stranger may not, comments or none', async () => {
    const before = await addPost(api.db)
    for (const caller of [api.guest, api.as(users.member4)]) {
      expectErrors(await caller.delete(`/posts/${before.id}`), forbidden())
      expectErrors(await caller.delete('/posts/2'), forbidden())
    }
    expect(await post(before.id)).toEqual(before)
  })

  test.each([
    ['a hidden one', '5'],
    ['an unknown one', '4711'],
  ])('%s is 404', async (_, id) => {
    for (const caller of [api.guest, api.as(users.member3)]) expectErrors(await caller.delete(`/posts/${id}`), notFound)
  })
})
