import { expectErrorsExactly, expectFetchedOne, expectFetchedOneExactly, expectIncluded } from '@prismapi/testing'
import { expect, test } from 'vitest'
import { badParameter, notFound } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { at, documentOf, identifier } from '../../support/row-documents.ts'
import { seededComment, seededTag, seededUser, seededVideo, videoId } from '../../support/seeded.ts'

const { client } = useApi()

const path = `/videos/${videoId(1)}`

test('a guest reads a video', async () => {
  expectFetchedOneExactly(await client.get(path), documentOf(at(path), seededVideo(1)))
})

test('a guest reads it with its owner, its tags and its comments', async () => {
  const [owner, tags] = [identifier('users', 4), [identifier('tags', 3), identifier('tags', 7)]]
  const ids = [50, 100, 150, 200]
  const answer = await client.get(path).include('owner', 'tags', 'comments')
  const comments = expect.arrayContaining(ids.map((id) => identifier('comments', id)))
  expectFetchedOne(answer, seededVideo(1, { owner, tags, comments }))
  expectIncluded(answer, [seededUser(4), seededTag(3), seededTag(7), ...ids.map((id) => seededComment(id))])
})

test.each([videoId(99), 'x', '1', videoId(1).slice(1), `${videoId(1)}0`])('the video %s does not exist', async (id) => {
  expectErrorsExactly(await client.get(`/videos/${id}`), [notFound])
})

test.each([
  ['page[number]=1', badParameter('page')],
  ['sort=title', badParameter('sort')],
  ['filter[title]=x', badParameter('filter[title]')],
  ['include=owner.passwordHash', badParameter('include', 'Include path owner.passwordHash is not allowed.')],
  ['fields[users]=passwordHash', badParameter('fields[users]', 'Sparse field set users.passwordHash is not allowed.')],
])('a single video takes no %s', async (query, error) => {
  expectErrorsExactly(await client.get(`${path}?${query}`), [error])
})
