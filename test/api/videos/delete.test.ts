import { expectErrorsExactly, expectNoContent } from '@prismapi/testing'
import { expect, test } from 'vitest'
import { constrained, forbidden, notFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { videoId } from '../../support/seeded.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()
const { client } = api

const addVideo = (ownerId: number | null) => api.make.video.create({ ownerId, tags: [{ id: 2 }, { id: 3 }] })

test.each([
  ['its owner', users.member4],
  ['an administrator', users.admin],
])('%s deletes a video without comments: 204, and its tags stay', async (_, user) => {
  const before = await snapshot(api.db)
  const { id } = await addVideo(users.member4)
  expectNoContent(await client.as(user).delete(`/videos/${id}`))
  expect(await snapshot(api.db)).toEqual(before)
  expectErrorsExactly(await client.as(user).delete(`/videos/${id}`), [notFound])
})

test('a video with comments stays: 409', async () => {
  const before = await snapshot(api.db)
  expectErrorsExactly(await client.as(users.admin).delete(`/videos/${videoId(1)}`), [constrained])
  expect(await snapshot(api.db)).toEqual(before)
})

test.each([
  ['a guest', null],
  ['another member', users.member5],
  ['an editor', users.editor],
])('%s deletes none: 403', async (_, user) => {
  const { id } = await addVideo(users.member4)
  const before = await snapshot(api.db)
  expectErrorsExactly(await client.as(user).delete(`/videos/${id}`), [forbidden()])
  expect(await snapshot(api.db)).toEqual(before)
})

test('a video that does not exist is 404, for guests too', async () => {
  expectErrorsExactly(await client.delete(`/videos/${videoId(99)}`), [notFound])
})
