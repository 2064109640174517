import { describe, expect, test } from 'vitest'
import {
  expectAnswer,
  expectErrors,
  expectNotAllowed,
  forbidden,
  notFound,
  relatedNotFound,
} from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { at, documentOf, identifier, relationshipDocument } from '../../support/row-documents.ts'
import { seededUser, videoId } from '../../support/seeded.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()

// Video 8 is of member 3.
const path = `/videos/${videoId(8)}`
const relationship = `${path}/relationships/owner`
const ownerId = async () => (await api.db.video.findUniqueOrThrow({ where: { id: videoId(8) } })).ownerId

describe('a guest reads', () => {
  test('who owns a video', async () => {
    expectAnswer(await api.guest.get(`${path}/owner`), 200, documentOf(at(`${path}/owner`), seededUser(users.member3)))
  })

  test('the relationship', async () => {
    const document = relationshipDocument(path, 'owner', identifier('users', users.member3))
    expectAnswer(await api.guest.get(relationship), 200, document)
  })

  test('that a video has no owner', async () => {
    await api.db.video.update({ where: { id: videoId(1) }, data: { ownerId: null } })
    const ownerless = `/videos/${videoId(1)}`
    expectAnswer(await api.guest.get(`${ownerless}/owner`), 200, documentOf(at(`${ownerless}/owner`), null))
    const document = relationshipDocument(ownerless, 'owner', null)
    expectAnswer(await api.guest.get(`${ownerless}/relationships/owner`), 200, document)
  })

  test('nothing of a video that does not exist', async () => {
    expectErrors(await api.guest.get(`/videos/${videoId(99)}/owner`), notFound)
    expectErrors(await api.guest.get(`/videos/${videoId(99)}/relationships/owner`), notFound)
  })
})

describe('an administrator', () => {
  test.each([
    ['gives a video to another owner', users.member6],
    ['takes the owner away', null],
    ['takes the owner away again', null],
    ['gives it back', users.member3],
  ])('%s: 200 with the relationship as it is now', async (_, id) => {
    const data = id && identifier('users', id)
    expectAnswer(
      await api.as(users.admin).patch(relationship, { body: { data } }),
      200,
      relationshipDocument(path, 'owner', data),
    )
    expect(await ownerId()).toBe(id)
  })

  test('names somebody who does not exist: 404', async () => {
    const before = await snapshot(api.db)
    expectErrors(
      await api.as(users.admin).patch(relationship, { body: { data: identifier('users', 99) } }),
      relatedNotFound('/data'),
    )
    expect(await snapshot(api.db)).toEqual(before)
  })
})

describe('nobody else hands a video over', () => {
  test.each([
    ['a guest', () => api.guest],
    ['another member', () => api.as(users.member4)],
    ['an editor', () => api.as(users.editor)],
    ['its owner', () => api.as(users.member3)],
  ])('%s gets 403', async (_, caller) => {
    const before = await snapshot(api.db)
    expectErrors(
      await caller().patch(relationship, { body: { data: identifier('users', users.member4) } }),
      forbidden(),
    )
    expect(await snapshot(api.db)).toEqual(before)
  })

  test.each(['POST', 'DELETE'])('%s does not go with a to-one relation: 405', async (method) => {
    expectNotAllowed(await api.as(users.admin).request(method, relationship, { body: { data: [] } }), [
      'GET',
      'HEAD',
      'PATCH',
    ])
  })
})
