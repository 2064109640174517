import { beforeEach, describe, expect, test } from 'vitest'
import {
  badParameter,
  expectAnswer,
  expectErrors,
  expectNothing,
  forbidden,
  notFound,
  relatedNotFound,
} from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { at, documentOf, identifier, relationshipDocument } from '../../support/row-documents.ts'
import { seededTag, videoId } from '../../support/seeded.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()

// Video 8 is of member 3, and has the tags 3, 7 and 10: by name, `tag-10` comes first.
const path = `/videos/${videoId(8)}`
const relationship = `${path}/relationships/tags`
const tags = (...ids: number[]) => ids.map((id) => identifier('tags', id))
const setTags = (...ids: number[]) =>
  api.db.video.update({ where: { id: videoId(8) }, data: { tags: { set: ids.map((id) => ({ id })) } } })
const tagIds = async () => {
  const video = await api.db.video.findUniqueOrThrow({
    where: { id: videoId(8) },
    select: { tags: { orderBy: { id: 'asc' } } },
  })
  return video.tags.map(({ id }) => id)
}

beforeEach(() => setTags(3, 7, 10))

describe('a guest reads', () => {
  test('the tags of a video, by name, all at once', async () => {
    const document = documentOf(at(`${path}/tags`), [seededTag(10), seededTag(3), seededTag(7)])
    expectAnswer(await api.guest.get(`${path}/tags`), 200, document)
  })

  test('the relationship', async () => {
    expectAnswer(await api.guest.get(relationship), 200, relationshipDocument(path, 'tags', tags(10, 3, 7)))
  })

  test('that there are none', async () => {
    await setTags()
    expectAnswer(await api.guest.get(`${path}/tags`), 200, documentOf(at(`${path}/tags`), []))
    expectAnswer(await api.guest.get(relationship), 200, relationshipDocument(path, 'tags', []))
  })

  test('no page of them: tags have none', async () => {
    expectErrors(await api.guest.get(`${path}/tags?page[size]=1`), badParameter('page'))
    expectErrors(await api.guest.get(`${relationship}?page[number]=1`), badParameter('page'))
  })

  test('nothing of a video that does not exist', async () => {
    expectErrors(await api.guest.get(`/videos/${videoId(99)}/tags`), notFound)
    expectErrors(await api.guest.get(`/videos/${videoId(99)}/relationships/tags`), notFound)
  })
})

describe.each([
  ['the owner', users.member3],
  ['an administrator', users.admin],
])('%s', (_, user) => {
  test('replaces them: 200 with the relationship as it is now', async () => {
    const answer = await api.as(user).patch(relationship, { body: { data: tags(4, 3, 4) } })
    expectAnswer(answer, 200, relationshipDocument(path, 'tags', tags(3, 4)))
    expect(await tagIds()).toEqual([3, 4])
  })

  test('takes all away', async () => {
    expectAnswer(
      await api.as(user).patch(relationship, { body: { data: [] } }),
      200,
      relationshipDocument(path, 'tags', []),
    )
    expect(await tagIds()).toEqual([])
  })

  test('adds some, one of which is there already: 204', async () => {
    expectNothing(await api.as(user).post(relationship, { body: { data: tags(3, 5) } }))
    expect(await tagIds()).toEqual([3, 5, 7, 10])
  })

  test('removes some, one of which is not there: 204', async () => {
    expectNothing(await api.as(user).delete(relationship, { body: { data: tags(3, 5) } }))
    expect(await tagIds()).toEqual([7, 10])
  })

  test.each(['POST', 'DELETE'])('sends none by %s: 204, and nothing changes', async (method) => {
    expectNothing(await api.as(user).request(method, relationship, { body: { data: [] } }))
    expect(await tagIds()).toEqual([3, 7, 10])
  })

  test.each(['PATCH', 'POST', 'DELETE'])('names tags that do not exist by %s: 404 for each', async (method) => {
    const before = await snapshot(api.db)
    const answer = await api.as(user).request(method, relationship, { body: { data: tags(99, 3, 98) } })
    expectErrors(answer, relatedNotFound('/data/0'), relatedNotFound('/data/2'))
    expect(await snapshot(api.db)).toEqual(before)
  })
})

describe.each(['PATCH', 'POST', 'DELETE'])('nobody else changes the tags of a video by %s', (method) => {
  test.each([
    ['a guest', () => api.guest],
    ['another member', () => api.as(users.member4)],
    ['an editor', () => api.as(users.editor)],
  ])('%s gets 403', async (_, caller) => {
    const before = await snapshot(api.db)
    expectErrors(await caller().request(method, relationship, { body: { data: tags(4) } }), forbidden())
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('a video that does not exist is 404', async () => {
    const answer = await api.guest.request(method, `/videos/${videoId(99)}/relationships/tags`, {
      body: { data: tags(4) },
    })
    expectErrors(answer, notFound)
  })
})

test('ten who add a tag each at once lose none', async () => {
  const ids = [1, 2, 3, 4, 5, 6, 8, 9, 11, 12]
  const answers = await Promise.all(
    ids.map((id) => api.as(users.admin).post(relationship, { body: { data: tags(id) } })),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(204))
  expect(await tagIds()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
})
