import { expectErrorsExactly, expectNoContent } from '@prismapi/testing'
import { describe, expect, test } from 'vitest'
import { forbidden, invalid, notFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'

const api = useApi()
const { client } = api
const addPost = (tagId?: number) =>
  api.make.post.create({
    authorId: users.member3,
    publishedAt: new Date('2024-05-01'),
    tags: tagId === undefined ? [] : [{ id: tagId }],
  })
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
    const before = await addPost()
    expectNoContent(await client.as(caller).delete(`/posts/${before.id}`))
    const after = await post(before.id)
    expect(after).toEqual({ ...before, deletedAt: expect.any(Date), updatedAt: after.updatedAt })
    for (const anybody of [null, users.member3, users.admin]) {
      expectErrorsExactly(await client.as(anybody).get(`/posts/${before.id}`), [notFound])
    }
    expectErrorsExactly(await client.as(caller).delete(`/posts/${before.id}`), [notFound])
  })

  test('the slug stays taken', async () => {
    const { id, slug } = await addPost()
    expectNoContent(await client.as(users.member3).delete(`/posts/${id}`))
    const attributes = { title: 'Again', slug, content: 'The same name.' }
    expectErrorsExactly(await client.as(users.member3).post('/posts', { type: 'posts', attributes }), [
      invalid('unique', 'The slug has already been taken.', '/data/attributes/slug'),
    ])
  })

  test('it is gone from its tags and its author', async () => {
    const { id } = await addPost(12)
    expectNoContent(await client.as(users.member3).delete(`/posts/${id}`))
    for (const path of ['/tags/12/posts', `/users/${users.member3}/posts`]) {
      const { document } = await client.as(users.admin).get(path).page({ size: 100 })
      expect(document?.data).not.toContainEqual(expect.objectContaining({ id: String(id) }))
    }
  })

  test('with a comment it cannot be deleted', async () => {
    const before = await addPost()
    const comment = await api.db.comment.create({ data: { content: 'Stay.', authorId: 4, postId: before.id } })
    for (const caller of [users.member3, users.admin]) {
      expectErrorsExactly(await client.as(caller).delete(`/posts/${before.id}`), [notDeletable])
    }
    expect(await post(before.id)).toEqual(before)
    await api.db.comment.delete({ where: { id: comment.id } })
    expectNoContent(await client.as(users.member3).delete(`/posts/${before.id}`))
  })

  test('a guest and a stranger may not, comments or none', async () => {
    const before = await addPost()
    for (const caller of [null, users.member4]) {
      expectErrorsExactly(await client.as(caller).delete(`/posts/${before.id}`), [forbidden()])
      expectErrorsExactly(await client.as(caller).delete('/posts/2'), [forbidden()])
    }
    expect(await post(before.id)).toEqual(before)
  })

  test.each([
    ['a hidden one', '5'],
    ['an unknown one', '4711'],
  ])('%s is 404', async (_, id) => {
    for (const caller of [null, users.member3])
      expectErrorsExactly(await client.as(caller).delete(`/posts/${id}`), [notFound])
  })
})
