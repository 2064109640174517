import { describe, expect, test } from 'vitest'
import { expectAnswer, expectErrors, forbidden, invalid, missing, relatedNotFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { at, documentOf, identifier, videoResource } from '../../support/row-documents.ts'
import { seededTag } from '../../support/seeded.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()

const required = { title: 'A film', url: 'https://videos.example.com/film' }
const video = (attributes: object = required, relationships: object = {}) => ({
  body: { data: { type: 'videos', attributes, relationships } },
})
const rowOf = (id: string) =>
  api.db.video.findUniqueOrThrow({ where: { id }, include: { tags: { select: { id: true }, orderBy: { id: 'asc' } } } })
const owner = (id: number | null) => ({ owner: { data: id === null ? null : identifier('users', id) } })

describe('a member creates a video', () => {
  test('with what is required: 201, an id of the server’s, the defaults, and it is theirs', async () => {
    const answer = await api.as(users.member4).post('/videos', video())
    const { id } = answer.body.data
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const { tags, ...row } = await rowOf(id)
    const defaults = { featured: false, durationSeconds: null, rating: null, ownerId: users.member4 }
    expect({ ...row, tags }).toEqual({ id, ...required, ...defaults, createdAt: expect.any(Date), tags: [] })
    expectAnswer(answer, 201, documentOf(at(`/videos/${id}`), videoResource(row)))
    expect(answer.headers.get('Location')).toBe(at(`/videos/${id}`))
  })

  test('with everything there is', async () => {
    const attributes = { ...required, featured: true, durationSeconds: 0, rating: 4.5 }
    const tags = [identifier('tags', 3), identifier('tags', 2)]
    const answer = await api.as(users.member4).post('/videos?include=tags', video(attributes, { tags: { data: tags } }))
    const { id } = answer.body.data
    const row = await rowOf(id)
    expect(row).toMatchObject({ ...attributes, tags: [{ id: 2 }, { id: 3 }] })
    const resource = videoResource(row, { tags: [identifier('tags', 2), identifier('tags', 3)] })
    const document = documentOf(at(`/videos/${id}`, { include: 'tags' }), resource, {
      included: [seededTag(2), seededTag(3)],
    })
    expectAnswer(answer, 201, document)
  })

  test.each([
    ['another member', users.member6],
    ['nobody', null],
  ])('in the name of %s: that is ignored', async (_, id) => {
    const { status, body } = await api.as(users.member4).post('/videos', video(required, owner(id)))
    expect({ status, ownerId: (await rowOf(body.data.id)).ownerId }).toEqual({ status: 201, ownerId: users.member4 })
  })
})

describe('an administrator creates a video', () => {
  test.each([
    ['in their own name', {}, users.admin],
    ['in the name of another', owner(users.member6), users.member6],
    ['in nobody’s name', owner(null), null],
  ])('%s', async (_, relationships, ownerId) => {
    const { status, body } = await api.as(users.admin).post('/videos', video(required, relationships))
    expect({ status, ownerId: (await rowOf(body.data.id)).ownerId }).toEqual({ status: 201, ownerId })
  })

  test('in the name of somebody who does not exist: 404', async () => {
    const answer = await api.as(users.admin).post('/videos', video(required, owner(999)))
    expectErrors(answer, relatedNotFound('/data/relationships/owner'))
  })
})

describe('nothing is written when', () => {
  const attribute = (name: string, code: string, detail: string) => invalid(code, detail, `/data/attributes/${name}`)

  test.each([
    ['required fields are missing', {}, [missing('title'), missing('url')]],
    [
      'required fields are empty',
      { url: null, title: '' },
      [
        attribute('url', 'required', 'The url field is required.'),
        attribute('title', 'required', 'The title field is required.'),
      ],
    ],
    [
      'every field is of another JSON type',
      { title: 1, url: true, featured: 0, durationSeconds: '60', rating: '4' },
      [
        attribute('title', 'string', 'The title field must be a string.'),
        attribute('url', 'string', 'The url field must be a string.'),
        attribute('featured', 'boolean', 'The featured field must be a boolean.'),
        attribute('durationSeconds', 'integer', 'The duration seconds field must be an integer.'),
        attribute('rating', 'number', 'The rating field must be a number.'),
      ],
    ],
    [
      'the duration is negative',
      { ...required, durationSeconds: -1 },
      [attribute('durationSeconds', 'min', 'The duration seconds field must be at least 0.')],
    ],
    [
      'the duration is no whole number',
      { ...required, durationSeconds: 1.5 },
      [attribute('durationSeconds', 'integer', 'The duration seconds field must be an integer.')],
    ],
    [
      'the rating is above 5',
      { ...required, rating: 5.1 },
      [attribute('rating', 'max', 'The rating field must not be greater than 5.')],
    ],
    [
      'the rating is below 0',
      { ...required, rating: -0.1 },
      [attribute('rating', 'min', 'The rating field must be at least 0.')],
    ],
    [
      'featured is null',
      { ...required, featured: null },
      [attribute('featured', 'nullable', 'The featured field must not be null.')],
    ],
    [
      'the url is one of ftp',
      { ...required, url: 'ftp://example.com/x' },
      [attribute('url', 'url', 'The url field must be a valid URL.')],
    ],
    [
      'the url is a script',
      { ...required, url: 'javascript:alert(1)' },
      [attribute('url', 'url', 'The url field must be a valid URL.')],
    ],
    [
      'the url is only a host',
      { ...required, url: 'example.com' },
      [attribute('url', 'url', 'The url field must be a valid URL.')],
    ],
  ])('%s', async (_, attributes, errors) => {
    const before = await snapshot(api.db)
    expectErrors(await api.as(users.member4).post('/videos', video(attributes)), ...errors)
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('the duration does not fit its column: 422', async () => {
    const before = await snapshot(api.db)
    expectErrors(
      await api.as(users.member4).post('/videos', video({ ...required, durationSeconds: 2 ** 31 })),
      invalid(
        'max',
        'The duration seconds field must not be greater than 2147483647.',
        '/data/attributes/durationSeconds',
      ),
    )
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('some tags do not exist: 404 for each', async () => {
    const before = await snapshot(api.db)
    const data = [identifier('tags', 77), identifier('tags', 2), identifier('tags', 'x')]
    const answer = await api.as(users.member4).post('/videos', video(required, { tags: { data } }))
    expectErrors(
      answer,
      relatedNotFound('/data/relationships/tags/data/0'),
      relatedNotFound('/data/relationships/tags/data/2'),
    )
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('a guest creates one: 403', async () => {
    const before = await snapshot(api.db)
    expectErrors(await api.guest.post('/videos', video()), forbidden())
    expect(await snapshot(api.db)).toEqual(before)
  })
})
