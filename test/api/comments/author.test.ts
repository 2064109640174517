import { expectErrors, expectErrorsExactly, expectFetchedOneExactly, expectIdentifier } from '@prismapi/testing'
import { expect, test } from 'vitest'
import { forbidden, notFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { at, documentOf, identifier } from '../../support/row-documents.ts'
import { seededUser } from '../../support/seeded.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()
const { client } = api

test('everybody reads who wrote a comment', async () => {
  const document = documentOf(at('/comments/1/author'), seededUser(users.member4))
  expectFetchedOneExactly(await client.get('/comments/1/author'), document)
})

test('everybody reads the relationship', async () => {
  expectIdentifier(await client.get('/comments/1/relationships/author'), identifier('users', users.member4))
})

test.each(['/comments/999/author', '/comments/999/relationships/author'])('%s is 404', async (path) => {
  expectErrorsExactly(await client.get(path), [notFound])
})

test.each(['/comments/1/post', '/comments/1/relationships/video', '/comments/1/relationships/postId'])(
  'there is no %s: post and video are no relations of their own',
  async (path) => {
    expectErrors(await client.get(path), [{ status: 404 }])
  },
)

test.each([
  ['a guest', null],
  ['the author', users.member4],
  ['an administrator', users.admin],
])('%s cannot hand a comment to another author: 403', async (_, caller) => {
  const before = await snapshot(api.db)
  const answer = await client.as(caller).patch('/comments/1/relationships/author', identifier('users', 6))
  expectErrorsExactly(answer, [forbidden()])
  expect(await snapshot(api.db)).toEqual(before)
})
