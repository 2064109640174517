import { expectErrorsExactly, expectNoContent } from '@prismapi/testing'
import { expect, test } from 'vitest'
import { forbidden, notFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()
const { client } = api

// Comment n is by member 3 + (n mod 8).
test.each([
  ['its author', 9, users.member4],
  ['an editor', 10, users.editor],
  ['an administrator', 11, users.admin],
])('%s deletes a comment: 204, and nothing but the comment is gone', async (_, id, user) => {
  const { comments, ...others } = await snapshot(api.db)
  const caller = client.as(user)
  expectNoContent(await caller.delete(`/comments/${id}`))
  expect(await snapshot(api.db)).toEqual({ ...others, comments: comments.filter((comment) => comment.id !== id) })
  expectErrorsExactly(await caller.get(`/comments/${id}`), [notFound])
  expectErrorsExactly(await caller.delete(`/comments/${id}`), [notFound])
})

test.each([
  ['a guest', null],
  ['another member', users.member5],
])('%s does not: 403', async (_, user) => {
  const before = await snapshot(api.db)
  expectErrorsExactly(await client.as(user).delete('/comments/1'), [forbidden()])
  expect(await snapshot(api.db)).toEqual(before)
})

test.each(['999', 'x'])('the comment %s does not exist: 404, for guests too', async (id) => {
  expectErrorsExactly(await client.delete(`/comments/${id}`), [notFound])
})

test('of five who delete a comment at once, one succeeds', async () => {
  const call = client.as(users.editor).delete('/comments/20')
  const answers = await Promise.all(Array.from({ length: 5 }, () => call))
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404])
})
