import { describe, expect, test } from 'vitest'
import { expectAnswer, expectErrors, forbidden, invalid, notFound, relatedNotFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { at, documentOf, identifier, videoResource } from '../../support/row-documents.ts'
import { seededTag, videoId } from '../../support/seeded.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()

// Video 8 is of member 3.
const id = videoId(8)
const path = `/videos/${id}`
const change = (fields: object, of = id) => ({ body: { data: { type: 'videos', id: of, ...fields } } })
const row = () => api.db.video.findUniqueOrThrow({ where: { id } })
const tagIds = async () => {
  const { tags } = await api.db.video.findUniqueOrThrow({ where: { id }, select: { tags: { orderBy: { id: 'asc' } } } })
  return tags.map((tag) => tag.id)
}

describe('the owner of a video', () => {
  test('changes one attribute: the others stay', async () => {
    const expected = { ...(await row()), title: 'A better title' }
    const answer = await api.as(users.member3).patch(path, change({ attributes: { title: 'A better title' } }))
    expectAnswer(answer, 200, documentOf(at(path), videoResource(expected)))
    expect(await row()).toEqual(expected)
  })

  test('empties what may be empty', async () => {
    const expected = { ...(await row()), durationSeconds: null, rating: null }
    const answer = await api
      .as(users.member3)
      .patch(path, change({ attributes: { durationSeconds: null, rating: null } }))
    expectAnswer(answer, 200, documentOf(at(path), videoResource(expected)))
    expect(await row()).toEqual(expected)
  })

  test('replaces its tags, named twice or not', async () => {
    const data = [identifier('tags', 4), identifier('tags', 3), identifier('tags', 4)]
    const answer = await api
      .as(users.member3)
      .patch(`${path}?include=tags`, change({ relationships: { tags: { data } } }))
    const resource = videoResource(await row(), { tags: [identifier('tags', 3), identifier('tags', 4)] })
    const included = [seededTag(3), seededTag(4)]
    expectAnswer(answer, 200, documentOf(at(path, { include: 'tags' }), resource, { included }))
    expect(await tagIds()).toEqual([3, 4])
  })

  test('takes all tags away', async () => {
    const answer = await api.as(users.member3).patch(path, change({ relationships: { tags: { data: [] } } }))
    expectAnswer(answer, 200, documentOf(at(path), videoResource(await row())))
    expect(await tagIds()).toEqual([])
  })

  test.each([
    ['another owner', { relationships: { owner: { data: identifier('users', users.member4) } } }],
    ['no owner', { relationships: { owner: { data: null } } }],
    ['another time of creation', { attributes: { createdAt: '2001-01-01T00:00:00Z' } }],
    ['the comments of others', { relationships: { comments: { data: [identifier('comments', 1)] } } }],
  ])('gives it %s: that is ignored', async (_, fields) => {
    const before = await snapshot(api.db)
    expectAnswer(
      await api.as(users.member3).patch(path, change(fields)),
      200,
      documentOf(at(path), videoResource(await row())),
    )
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('sends wrong values: all are named, and the right ones beside them are not written', async () => {
    const before = await snapshot(api.db)
    const attributes = { title: 'Fine', url: '', rating: 6, featured: 'yes' }
    expectErrors(
      await api.as(users.member3).patch(path, change({ attributes })),
      invalid('required', 'The url field is required.', '/data/attributes/url'),
      invalid('max', 'The rating field must not be greater than 5.', '/data/attributes/rating'),
      invalid('boolean', 'The featured field must be a boolean.', '/data/attributes/featured'),
    )
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('names a tag that does not exist: 404, and nothing is written', async () => {
    const before = await snapshot(api.db)
    const fields = {
      attributes: { title: 'Fine' },
      relationships: { tags: { data: [identifier('tags', 2), identifier('tags', 99)] } },
    }
    expectErrors(
      await api.as(users.member3).patch(path, change(fields)),
      relatedNotFound('/data/relationships/tags/data/1'),
    )
    expect(await snapshot(api.db)).toEqual(before)
  })
})

describe('an administrator', () => {
  test.each([
    ['gives a video to another owner', users.member6],
    ['takes the owner away', null],
  ])('%s', async (_, ownerId) => {
    const data = ownerId && identifier('users', ownerId)
    const answer = await api.as(users.admin).patch(path, change({ relationships: { owner: { data } } }))
    expectAnswer(answer, 200, documentOf(at(path), videoResource(await row())))
    expect((await row()).ownerId).toBe(ownerId)
    await api.db.video.update({ where: { id }, data: { ownerId: users.member3 } })
  })
})

describe('nobody else changes a video', () => {
  test.each([
    ['a guest', () => api.guest],
    ['another member', () => api.as(users.member3)],
    ['an editor', () => api.as(users.editor)],
  ])('%s gets 403', async (_, caller) => {
    const before = await snapshot(api.db)
    expectErrors(
      await caller().patch(`/videos/${videoId(1)}`, change({ attributes: { title: 'x' } }, videoId(1))),
      forbidden(),
    )
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('a video without an owner is nobody’s but the administrator’s', async () => {
    await api.db.video.update({ where: { id: videoId(2) }, data: { ownerId: null } })
    const sent = change({ attributes: { title: 'x' } }, videoId(2))
    expectErrors(await api.guest.patch(`/videos/${videoId(2)}`, sent), forbidden())
    expectErrors(await api.as(users.member5).patch(`/videos/${videoId(2)}`, sent), forbidden())
    expect((await api.as(users.admin).patch(`/videos/${videoId(2)}`, sent)).status).toBe(200)
  })

  test('a video that does not exist is 404 for everybody', async () => {
    expectErrors(await api.guest.patch(`/videos/${videoId(99)}`, change({}, videoId(99))), notFound)
  })
})
