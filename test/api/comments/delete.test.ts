import { expect, test } from 'vitest'
import { expectErrors, expectNothing, forbidden, notFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()

// Comment n is by member 3 + (n mod 8).
test.each([
  ['its author', 9, users.member4],
  ['an editor', 10, users.editor],
  ['an administrator', 11, users.admin],
])('%s deletes a comment: 204, and nothing but the comment is gone', async (_, id, user) => {
  const { comments, ...others } = await snapshot(api.db)
  expectNothing(await api.as(user).delete(`/comments/${id}`))
  expect(await snapshot(api.db)).toEqual({ ...others, comments: comments.filter((comment) => comment.id !== id) })
  expectErrors(await api.as(user).get(`/comments/${id}`), notFound)
  expectErrors(await api.as(user).delete(`/comments/${id}`), notFound)
})

test.each([
  ['a guest', () => api.guest],
  ['another member', () => api.as(users.member5)],
])('%s does not: 403', async (_, caller) => {
  const before = await snapshot(api.db)
  expectErrors(await caller().delete('/comments/1'), forbidden())
  expect(await snapshot(api.db)).toEqual(before)
})

test.each(['999', 'x'])('the comment %s does not exist: 404, for guests too', async (id) => {
  expectErrors(await api.guest.delete(`/comments/${id}`), notFound)
})

test('of five who delete a comment at once, one succeeds', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => api.as(users.editor).delete('/comments/20')))
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404])
})
