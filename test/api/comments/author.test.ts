import { expect, test } from 'vitest'
import { expectAnswer, expectErrors, forbidden, notFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { at, documentOf, identifier, relationshipDocument } from '../../support/row-documents.ts'
import { seededUser } from '../../support/seeded.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()

test('everybody reads who wrote a comment', async () => {
  const document = documentOf(at('/comments/1/author'), seededUser(users.member4))
  expectAnswer(await api.guest.get('/comments/1/author'), 200, document)
})

test('everybody reads the relationship', async () => {
  const document = relationshipDocument('/comments/1', 'author', identifier('users', users.member4))
  expectAnswer(await api.guest.get('/comments/1/relationships/author'), 200, document)
})

test.each(['/comments/999/author', '/comments/999/relationships/author'])('%s is 404', async (path) => {
  expectErrors(await api.guest.get(path), notFound)
})

test.each(['/comments/1/post', '/comments/1/relationships/video', '/comments/1/relationships/postId'])(
  'there is no %s: post and video are no relations of their own',
  async (path) => {
    const { status, body } = await api.guest.get(path)
    expect({ status, errors: body.errors.length }).toEqual({ status: 404, errors: 1 })
  },
)

test.each([
  ['a guest', () => api.guest],
  ['the author', () => api.as(users.member4)],
  ['an administrator', () => api.as(users.admin)],
])('%s cannot hand a comment to another author: 403', async (_, caller) => {
  const before = await snapshot(api.db)
  const answer = await caller().patch('/comments/1/relationships/author', { body: { data: identifier('users', 6) } })
  expectErrors(answer, forbidden())
  expect(await snapshot(api.db)).toEqual(before)
})
