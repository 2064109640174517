import { describe, expect, test } from 'vitest'
import { expectErrors, invalid } from '../support/answers.ts'
import { changed, comment, post, profile, tag, useOpenWorld, user, video, videoId } from '../support/open-world.ts'
import { snapshot } from '../support/snapshot.ts'

// What a scope hides cannot be changed by a write. Nobody is asked for permission here, and the rules are the inferred
// ones: the scopes alone stand in the way.

const world = useOpenWorld()

const jsonapi = { version: '1.0' }
const notFound = { jsonapi, errors: [{ status: '404', title: 'Not Found' }] }

describe('a full replacement leaves hidden members where they are', () => {
  const tagsOf = async (id: number) =>
    (await world.db.tag.findMany({ where: { posts: { some: { id } } }, orderBy: { id: 'asc' } })).map((each) => each.id)

  test('of many-to-many, by the relationship: what is shown afterwards is what was sent', async () => {
    const { status, body } = await world.ask('PATCH', '/posts/11/relationships/tags', { body: { data: [tag(2)] } })
    expect({ status, data: body.data }).toEqual({ status: 200, data: [tag(2)] })
    expect(await tagsOf(11)).toEqual([2, 9303])
  })

  test('of many-to-many, by its resource', async () => {
    const { status } = await world.ask('PATCH', '/posts/12', { body: changed(post(12), { tags: { data: [] } }) })
    expect(status).toBe(200)
    expect(await tagsOf(12)).toEqual([9304])
  })

  test('of a has-many', async () => {
    const { status, body } = await world.ask('PATCH', '/users/3/relationships/videos', { body: { data: [video(23)] } })
    expect({ status, data: body.data }).toEqual({ status: 200, data: [video(23)] })
    const owned = await world.db.video.findMany({ where: { ownerId: 3 }, orderBy: { id: 'asc' } })
    expect(owned.map(({ id }) => id)).toEqual([videoId(23), videoId(9451)])
  })

  test('of a has-one: what is hidden is not released', async () => {
    const { status, body } = await world.ask('PATCH', '/users/4/relationships/profile', { body: { data: null } })
    expect({ status, data: body.data }).toEqual({ status: 200, data: null })
    expect(await world.db.profile.findFirst({ where: { userId: 4 } })).toMatchObject({ id: 9103 })
  })
})

test('the place of a hidden row at the other end of a one-to-one relation is not free: 422', async () => {
  const { status, body } = await world.ask('PATCH', '/users/4/relationships/profile', { body: { data: profile(1) } })
  expect({ status, body }).toEqual({
    status: 422,
    body: {
      jsonapi,
      errors: [
        {
          status: '422',
          code: 'unique',
          title: 'Unprocessable Entity',
          detail: 'The profile has already been taken.',
          source: { pointer: '/data' },
        },
      ],
    },
  })
  const holders = await world.db.profile.findMany({ where: { id: { in: [1, 9103] } }, orderBy: { id: 'asc' } })
  expect(holders.map(({ id, userId }) => [id, userId])).toEqual([
    [1, 3],
    [9103, 4],
  ])
})

describe('a hidden resource', () => {
  test.each([user(9005), profile(9103), tag(9303), post(9240), video(9451), comment(9550)])(
    'is 404 to update, to delete and to relate, like one that never was: $type',
    async (identifier) => {
      const before = await snapshot(world.db)
      const { type, id } = identifier
      const missing = { type, id: type === 'videos' ? videoId(8000) : '8000' }
      for (const [method, body] of [
        ['PATCH', (of: object) => ({ data: { ...of, attributes: {} } })],
        ['DELETE', () => undefined],
      ] as const) {
        const hidden = await world.ask(method, `/${type}/${id}`, { body: body(identifier) })
        const other = await world.ask(method, `/${type}/${missing.id}`, { body: body(missing) })
        expect({ status: hidden.status, body: hidden.body }).toEqual({ status: 404, body: notFound })
        expect(other.text).toBe(hidden.text)
      }
      expect(await snapshot(world.db)).toEqual(before)
    },
  )

  test.each([
    ['/posts/9240/relationships/tags', { data: [tag(1)] }],
    ['/posts/9240/relationships/author', { data: user(3) }],
    ['/users/9005/relationships/videos', { data: [] }],
    [`/videos/${videoId(9451)}/relationships/owner`, { data: null }],
  ])('has no relationship to write: %s', async (path, body) => {
    const before = await snapshot(world.db)
    const { status, body: answer } = await world.ask('PATCH', path, { body })
    expect({ status, answer }).toEqual({ status: 404, answer: notFound })
    expect(await snapshot(world.db)).toEqual(before)
  })
})

describe('what a scope cannot hide, because the database has one table for all', () => {
  test('a unique value of a hidden row is taken: 422 at its field', async () => {
    const attributes = { name: 'hidden tag 9303' }
    const answer = await world.ask('POST', '/tags', { body: { data: { type: 'tags', attributes } } })
    expectErrors(answer, invalid('unique', 'The name has already been taken.', '/data/attributes/name'))
  })
})

describe('what its writer may not see any more', () => {
  const hiding = { data: { ...tag(2), attributes: { name: 'hidden from now on' } } }

  test('is answered with 204 when an update hid it', async () => {
    const { status, text } = await world.ask('PATCH', '/tags/2', { body: hiding })
    expect({ status, text }).toEqual({ status: 204, text: '' })
  })

  test('is answered with 204 when the change of a relationship hid it', async () => {
    const path = `/videos/${videoId(21)}/relationships/owner`
    const { status, text } = await world.ask('PATCH', path, { body: { data: user(2) } })
    expect({ status, text }).toEqual({ status: 204, text: '' })
    expect(await world.db.video.findFirst({ where: { id: videoId(21) } })).toMatchObject({ ownerId: 2 })
  })

  test('is shown to who created it, and to nobody afterwards', async () => {
    const body = { data: { type: 'tags', attributes: { name: 'hidden and new' } } }
    const created = await world.ask('POST', '/tags', { body })
    expect({ status: created.status, attributes: created.body.data.attributes }).toEqual({
      status: 201,
      attributes: { name: 'hidden and new' },
    })
    const again = await world.ask('GET', `/tags/${created.body.data.id}`)
    expect({ status: again.status, body: again.body }).toEqual({ status: 404, body: notFound })
  })
})
