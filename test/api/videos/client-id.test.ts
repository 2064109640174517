import { expectCreatedExactly, expectErrorsExactly, expectFetchedOne } from '@prismapi/testing'
import { describe, expect, test } from 'vitest'
import { forbidden, invalid, missing, nonCompliant } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { at, documentOf, videoResource } from '../../support/row-documents.ts'
import { videoId } from '../../support/seeded.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()
const { client } = api

const attributes = { title: 'A film', url: 'https://videos.example.com/film' }
// A whole document, so that its id is sent as it stands.
const videoWith = (id: unknown) => ({ data: { type: 'videos', id, attributes } })
const taken = (id: string) => ({
  status: '409',
  title: 'Conflict',
  detail: `Resource ${id} already exists.`,
  source: { pointer: '/data/id' },
})

test('a client chooses the id of its video', async () => {
  const id = '5a2f1c9e-8a3b-4d52-9a43-0d1f6a7c8b9d'
  const answer = await client.as(users.member4).post('/videos', videoWith(id))
  const row = await api.db.video.findUniqueOrThrow({ where: { id } })
  expectCreatedExactly(answer, documentOf(at(`/videos/${id}`), videoResource(row)))
  expectFetchedOne(await client.get(`/videos/${id}`), videoResource(row))
})

test('of ten who create a video with one id at once, one succeeds and nine get 409', async () => {
  const id = '6b1e0d8f-7c2a-4e61-8b54-1e2f7b8d9cae'
  const callers = Array.from({ length: 10 }, (_, n) => client.as(1 + n))
  const answers = await Promise.all(callers.map((caller) => caller.post('/videos', videoWith(id))))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
  for (const answer of answers) if (answer.status === 409) expectErrorsExactly(answer, [taken(id)])
  const winner = answers.findIndex(({ status }) => status === 201)
  expect(await api.db.video.findMany({ where: { id }, select: { ownerId: true } })).toEqual([{ ownerId: 1 + winner }])
})

describe('nothing is written when', () => {
  test.each([
    ['the id is taken', videoId(1), [taken(videoId(1))]],
    ['the id is no UUID', 'film-1', [invalid('clientId', 'The id format is invalid.', '/data/id')]],
    ['the id is a UUID and more', `${videoId(50)} `, [invalid('clientId', 'The id format is invalid.', '/data/id')]],
    ['the id is empty', '', [nonCompliant('The member id cannot be empty.', '/data/id')]],
    ['the id is a number', 17, [nonCompliant('The member id must be a string.', '/data/id')]],
    ['the id is null', null, [nonCompliant('The member id must be a string.', '/data/id')]],
  ])('%s', async (_, id, errors) => {
    const before = await snapshot(api.db)
    expectErrorsExactly(await client.as(users.member4).post('/videos', videoWith(id)), errors)
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('the id breaks its pattern beside other failures: all of them are named', async () => {
    const answer = await client
      .as(users.member4)
      .post('/videos', { type: 'videos', id: 'film-1', attributes: { title: 'x' } })
    // In the order of the document; what is missing comes first, because it is said of all of it.
    const errors = [missing('url'), invalid('clientId', 'The id format is invalid.', '/data/id')]
    expect(expectErrorsExactly(answer, errors)).toEqual(errors)
  })

  test('a guest sends an id that is taken: 403, so that nothing is learnt of it', async () => {
    expectErrorsExactly(await client.post('/videos', videoWith(videoId(1))), [forbidden()])
  })
})

test('an id never changes: a PATCH that names another is 409', async () => {
  const before = await snapshot(api.db)
  const answer = await client.as(users.admin).patch(`/videos/${videoId(1)}`, videoWith(videoId(99)))
  const detail = `Resource id ${videoId(99)} is not supported by this endpoint.`
  expectErrorsExactly(answer, [{ status: 409, title: 'Not Supported', detail, source: { pointer: '/data/id' } }])
  expect(await snapshot(api.db)).toEqual(before)
})
