import {
  expectErrorsExactly,
  expectFetchedNull,
  expectFetchedOneExactly,
  expectIdentifier,
  expectLinksExactly,
} from '@prismapi/testing'
import { describe, expect, test } from 'vitest'
import { expectNotAllowed, forbidden, notFound, relatedNotFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { at, documentOf, identifier } from '../../support/row-documents.ts'
import { seededUser, videoId } from '../../support/seeded.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()
const { client } = api

// Video 8 is of member 3.
const path = `/videos/${videoId(8)}`
const relationship = `${path}/relationships/owner`
const links = { self: at(relationship), related: at(`${path}/owner`) }
const ownerId = async () => (await api.db.video.findUniqueOrThrow({ where: { id: videoId(8) } })).ownerId

describe('a guest reads', () => {
  test('who owns a video', async () => {
    const document = documentOf(at(`${path}/owner`), seededUser(users.member3))
    expectFetchedOneExactly(await client.get(`${path}/owner`), document)
  })

  test('the relationship', async () => {
    const answer = await client.get(relationship)
    expectIdentifier(answer, identifier('users', users.member3))
    expectLinksExactly(answer, links)
  })

  test('that a video has no owner', async () => {
    await api.db.video.update({ where: { id: videoId(1) }, data: { ownerId: null } })
    const ownerless = `/videos/${videoId(1)}`
    expectFetchedNull(await client.get(`${ownerless}/owner`))
    expectIdentifier(await client.get(`${ownerless}/relationships/owner`), null)
  })

  test('nothing of a video that does not exist', async () => {
    expectErrorsExactly(await client.get(`/videos/${videoId(99)}/owner`), [notFound])
    expectErrorsExactly(await client.get(`/videos/${videoId(99)}/relationships/owner`), [notFound])
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
    const answer = await client.as(users.admin).patch(relationship, data)
    expectIdentifier(answer, data)
    expectLinksExactly(answer, links)
    expect(await ownerId()).toBe(id)
  })

  test('names somebody who does not exist: 404', async () => {
    const before = await snapshot(api.db)
    const answer = await client.as(users.admin).patch(relationship, identifier('users', 99))
    expectErrorsExactly(answer, [relatedNotFound('/data')])
    expect(await snapshot(api.db)).toEqual(before)
  })
})

describe('nobody else hands a video over', () => {
  test.each([
    ['a guest', null],
    ['another member', users.member4],
    ['an editor', users.editor],
    ['its owner', users.member3],
  ])('%s gets 403', async (_, user) => {
    const before = await snapshot(api.db)
    const answer = await client.as(user).patch(relationship, identifier('users', users.member4))
    expectErrorsExactly(answer, [forbidden()])
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
