import { describe, expect, test } from 'vitest'
import { badParameter, expectAnswer, expectErrors, forbidden, notFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { at, documentOf, identifier, relationshipDocument } from '../../support/row-documents.ts'
import { seededComment, videoId } from '../../support/seeded.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()

// The comments on video 2 are 5, 55, 105 and 155.
const path = `/videos/${videoId(2)}`
const relationship = `${path}/relationships/comments`
const meta = { page: { from: '155', to: '5', hasMore: false, perPage: 20 } }

describe('a guest reads', () => {
  test('the comments on a video, newest first, in the pages of comments', async () => {
    const { links, ...document } = documentOf(
      at(`${path}/comments`),
      [155, 105, 55, 5].map((id) => seededComment(id)),
      { meta },
    )
    const first = at(`${path}/comments`, { 'page[limit]': 20 })
    expectAnswer(await api.guest.get(`${path}/comments`), 200, { ...document, links: { ...links, first } })
  })

  test('a page beside one of them', async () => {
    const { status, body } = await api.guest.get(`${path}/comments?page[limit]=1&page[after]=155`)
    expect({ status, links: body.links, data: body.data, meta: body.meta }).toEqual({
      status: 200,
      links: {
        self: at(`${path}/comments`, { 'page[limit]': 1, 'page[after]': 155 }),
        first: at(`${path}/comments`, { 'page[limit]': 1 }),
        prev: at(`${path}/comments`, { 'page[before]': 105, 'page[limit]': 1 }),
        next: at(`${path}/comments`, { 'page[after]': 105, 'page[limit]': 1 }),
      },
      data: [seededComment(105)],
      meta: { page: { from: '105', to: '105', hasMore: true, perPage: 1 } },
    })
  })

  test('the relationship, in the same pages', async () => {
    const data = [155, 105, 55, 5].map((id) => identifier('comments', id))
    const { links, ...document } = relationshipDocument(path, 'comments', data, { meta })
    const first = at(relationship, { 'page[limit]': 20 })
    expectAnswer(await api.guest.get(relationship), 200, { ...document, links: { ...links, first } })
  })

  test('no page beside a comment on something else', async () => {
    expectErrors(await api.guest.get(`${path}/comments?page[after]=150`), badParameter('page[after]'))
    expectErrors(await api.guest.get(`${relationship}?page[before]=4`), badParameter('page[before]'))
  })

  test('nothing of a video that does not exist', async () => {
    expectErrors(await api.guest.get(`/videos/${videoId(99)}/comments`), notFound)
    expectErrors(await api.guest.get(`/videos/${videoId(99)}/relationships/comments`), notFound)
  })
})

describe.each(['PATCH', 'POST', 'DELETE'])('nobody moves comments by %s', (method) => {
  test.each([
    ['a guest', () => api.guest],
    ['the owner of the video', () => api.as(users.member5)],
    ['an administrator', () => api.as(users.admin)],
  ])('%s gets 403: what a comment is about never changes', async (_, caller) => {
    const before = await snapshot(api.db)
    const answer = await caller().request(method, relationship, { body: { data: [identifier('comments', 5)] } })
    expectErrors(answer, forbidden())
    expect(await snapshot(api.db)).toEqual(before)
  })
})
