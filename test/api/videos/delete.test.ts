import { expect, test } from 'vitest'
import { conflict, expectErrors, expectNothing, forbidden, notFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { videoId } from '../../support/seeded.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()

const addVideo = (ownerId: number | null) =>
  api.db.video.create({
    data: {
      title: 'A film',
      url: 'https://videos.example.com/film',
      ownerId,
      tags: { connect: [{ id: 2 }, { id: 3 }] },
    },
  })

test.each([
  ['its owner', users.member4],
  ['an administrator', users.admin],
])('%s deletes a video without comments: 204, and its tags stay', async (_, user) => {
  const before = await snapshot(api.db)
  const { id } = await addVideo(users.member4)
  expectNothing(await api.as(user).delete(`/videos/${id}`))
  expect(await snapshot(api.db)).toEqual(before)
  expectErrors(await api.as(user).delete(`/videos/${id}`), notFound)
})

test('a video with comments stays: 409', async () => {
  const before = await snapshot(api.db)
  expectErrors(await api.as(users.admin).delete(`/videos/${videoId(1)}`), conflict)
  expect(await snapshot(api.db)).toEqual(before)
})

test.each([
  ['a guest', () => api.guest],
  ['another member', () => api.as(users.member5)],
  ['an editor', () => api.as(users.editor)],
])('%s deletes none: 403', async (_, caller) => {
  const { id } = await addVideo(users.member4)
  const before = await snapshot(api.db)
  expectErrors(await caller().delete(`/videos/${id}`), forbidden())
  expect(await snapshot(api.db)).toEqual(before)
})

test('a video that does not exist is 404, for guests too', async () => {
  expectErrors(await api.guest.delete(`/videos/${videoId(99)}`), notFound)
})
