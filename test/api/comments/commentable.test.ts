import { describe, expect, test } from 'vitest'
import {
  badParameter,
  expectAnswer,
  expectErrors,
  expectNotAllowed,
  forbidden,
  notFound,
} from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { at, documentOf, identifier, relationshipDocument } from '../../support/row-documents.ts'
import { seededPost, seededUser, seededVideo, videoId } from '../../support/seeded.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()

const related = '/comments/1/commentable'
const relationship = '/comments/1/relationships/commentable'

describe('what a comment is about', () => {
  test.each([
    ['a post', 1, seededPost(2)],
    ['a video', 5, seededVideo(2)],
  ])('is %s', async (_, id, resource) => {
    const path = `/comments/${id}/commentable`
    expectAnswer(await api.guest.get(path), 200, documentOf(at(path), resource))
  })

  test('comes with what is asked for of it', async () => {
    const author = identifier('users', users.member5)
    const document = documentOf(at(related, { include: 'author' }), seededPost(2, { author }), {
      included: [seededUser(users.member5)],
    })
    expectAnswer(await api.guest.get(`${related}?include=author`), 200, document)
  })

  test('is null where it is hidden, and is there for those who may see it', async () => {
    const path = '/comments/3/commentable'
    expectAnswer(await api.guest.get(path), 200, documentOf(at(path), null))
    expectAnswer(await api.as(users.member3).get(path), 200, documentOf(at(path), null))
    expectAnswer(await api.as(8).get(path), 200, documentOf(at(path), seededPost(5)))
    expectAnswer(await api.as(users.editor).get(path), 200, documentOf(at(path), seededPost(5)))
  })

  test.each([
    ['sort=id', badParameter('sort')],
    ['filter[id]=2', badParameter('filter[id]')],
    ['page[limit]=2', badParameter('page')],
    ['include=commentable', badParameter('include', 'Include path commentable is not allowed.')],
  ])('takes no %s', async (query, error) => {
    expectErrors(await api.guest.get(`${related}?${query}`), error)
  })

  test('of a comment that does not exist is 404', async () => {
    expectErrors(await api.guest.get('/comments/999/commentable'), notFound)
  })

  test.each(['PATCH', 'POST', 'DELETE'])('is not to be reached by %s there: 405', async (method) => {
    expectNotAllowed(await api.as(users.admin).request(method, related, { body: { data: null } }), ['GET', 'HEAD'])
  })
})

describe('the relationship commentable', () => {
  test.each([
    [1, identifier('posts', 2)],
    [5, identifier('videos', videoId(2))],
    [3, null],
  ])('of comment %i, read by a guest', async (id, data) => {
    const answer = await api.guest.get(`/comments/${id}/relationships/commentable`)
    expectAnswer(answer, 200, relationshipDocument(`/comments/${id}`, 'commentable', data))
  })

  test('of a comment about a draft, read by the author of the draft', async () => {
    const answer = await api.as(8).get('/comments/3/relationships/commentable')
    expectAnswer(answer, 200, relationshipDocument('/comments/3', 'commentable', identifier('posts', 5)))
  })

  test('comes with the resource, by an include path that begins with its own name', async () => {
    const { links, ...document } = relationshipDocument('/comments/5', 'commentable', identifier('videos', videoId(2)))
    const self = at('/comments/5/relationships/commentable', { include: 'commentable' })
    const answer = await api.guest.get('/comments/5/relationships/commentable?include=commentable')
    expectAnswer(answer, 200, { ...document, links: { ...links, self }, included: [seededVideo(2)] })
  })

  test('comes without the resource where that is hidden', async () => {
    const { body } = await api.guest.get('/comments/3/relationships/commentable?include=commentable')
    expect({ data: body.data, included: body.included }).toEqual({ data: null, included: [] })
  })

  test('of a comment that does not exist is 404', async () => {
    expectErrors(await api.guest.get('/comments/999/relationships/commentable'), notFound)
  })

  test.each([
    ['a guest', () => api.guest],
    ['the author of the comment', () => api.as(users.member4)],
    ['an administrator', () => api.as(users.admin)],
  ])('is fixed: %s gets 403', async (_, caller) => {
    const before = await snapshot(api.db)
    const answer = await caller().patch(relationship, { body: { data: identifier('posts', 7) } })
    expectErrors(answer, forbidden())
    expect(await snapshot(api.db)).toEqual(before)
  })

  test.each(['POST', 'DELETE'])('is a to-one relation, which %s does not go with: 405', async (method) => {
    const answer = await api.as(users.admin).request(method, relationship, { body: { data: [] } })
    expectNotAllowed(answer, ['GET', 'HEAD', 'PATCH'])
  })
})
