import { describe, expect, test } from 'vitest'
import { nonCompliant } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { expectRefusal, notSupported } from '../../support/refusal.ts'
import { videoId } from '../../support/seeded.ts'

const api = useApi()
const admin = () => api.as(users.admin)

const required = nonCompliant('The member data is required.', '')
const noObject = nonCompliant('The member data must be an object.', '/data')

// An endpoint that creates, and one that updates.
describe.each([
  ['POST', '/videos', { type: 'videos' }],
  ['PATCH', `/videos/${videoId(1)}`, { type: 'videos', id: videoId(1) }],
])('%s %s refuses', (method, path, resource) => {
  const send = (body: unknown) => () => admin().request(method, path, { body })

  test.each([
    ['a document without data', {}, required],
    ['a document of meta alone', { meta: { data: {} } }, required],
    ['data that is null', { data: null }, nonCompliant('The member data is required.', '/data')],
    ['data that is a list', { data: [resource] }, noObject],
    ['data that is a string', { data: 'videos' }, noObject],
    ['data that is a number', { data: 1 }, noObject],
    ['data that is false', { data: false }, noObject],
  ])('%s', async (_, body, error) => {
    await expectRefusal(api.db, send(body), { status: 400, errors: [error] })
  })

  test.each([
    ['missing', undefined, nonCompliant('The member type is required.', '/data')],
    ['null', null, nonCompliant('The member type must be a string.', '/data/type')],
    ['a number', 1, nonCompliant('The member type must be a string.', '/data/type')],
    ['a list', ['videos'], nonCompliant('The member type must be a string.', '/data/type')],
    ['empty', '', nonCompliant('The member type cannot be empty.', '/data/type')],
  ])('a type that is %s', async (_, type, error) => {
    await expectRefusal(api.db, send({ data: { ...resource, type } }), { status: 400, errors: [error] })
  })

  test.each(['posts', 'postings', 'Videos', 'constructor'])(
    'the type %s, which is not the endpoint’s',
    async (type) => {
      const error = notSupported('409', `Resource type ${type} is not supported by this endpoint.`, '/data/type')
      await expectRefusal(api.db, send({ data: { ...resource, type } }), { status: 409, errors: [error] })
    },
  )

  test.each(['attributes', 'relationships'])('%s that are no object', async (container) => {
    const error = nonCompliant(`The member ${container} must be an object.`, `/data/${container}`)
    for (const value of [null, [], [{}], 'title', 1, true]) {
      await expectRefusal(api.db, send({ data: { ...resource, [container]: value } }), { status: 400, errors: [error] })
    }
  })

  test.each(['attributes', 'relationships'])('%s that have a type and an id', async (container) => {
    const data = { ...resource, [container]: { type: 'videos', id: videoId(1) } }
    const errors = [
      nonCompliant(`The member ${container} cannot have a type field.`, `/data/${container}`),
      nonCompliant(`The member ${container} cannot have an id field.`, `/data/${container}`),
    ]
    await expectRefusal(api.db, send({ data }), { status: 400, errors })
  })

  test.each([
    ...['bogus', 'ownerId', 'owner', 'constructor', 'toString', ''].map((name) => [name, '']),
    ...['Title', ' title', 'titel', 'tile'].map((name) => [name, ' Did you mean title?']),
  ])('the attribute "%s"', async (name, meant) => {
    const error = nonCompliant(`The field ${name} is not a supported attribute.${meant}`, `/data/attributes/${name}`)
    await expectRefusal(api.db, send({ data: { ...resource, attributes: { [name]: 'x' } } }), {
      status: 400,
      errors: [error],
    })
  })

  test.each([
    ...['bogus', 'title', 'constructor', 'o'.repeat(61)].map((name) => [name, '']),
    ...['ownerId', 'Owner', 'ower'].map((name) => [name, ' Did you mean owner?']),
  ])('the relationship "%s"', async (name, meant) => {
    const error = nonCompliant(
      `The field ${name} is not a supported relationship.${meant}`,
      `/data/relationships/${name}`,
    )
    const data = { ...resource, relationships: { [name]: { data: null } } }
    await expectRefusal(api.db, send({ data }), { status: 400, errors: [error] })
  })

  test('a name that is an attribute and a relationship at once', async () => {
    const data = { ...resource, attributes: { owner: 'x' }, relationships: { owner: { data: null } } }
    const errors = [
      nonCompliant('The owner field cannot exist as an attribute and a relationship.', '/data'),
      nonCompliant('The field owner is not a supported attribute.', '/data/attributes/owner'),
    ]
    await expectRefusal(api.db, send({ data }), { status: 400, errors })
  })

  test('everything at once: each fault is named', async () => {
    const data = {
      ...resource,
      attributes: { bogus: 1, type: 'x' },
      relationships: { owner: null, tags: {}, other: {} },
    }
    const errors = [
      nonCompliant('The member attributes cannot have a type field.', '/data/attributes'),
      nonCompliant('The field bogus is not a supported attribute.', '/data/attributes/bogus'),
      nonCompliant('The member owner must be an object.', '/data/relationships/owner'),
      nonCompliant('The member data is required.', '/data/relationships/tags'),
      nonCompliant('The field other is not a supported relationship. Did you mean owner?', '/data/relationships/other'),
    ]
    await expectRefusal(api.db, send({ data }), { status: 400, errors })
  })
})

describe('an update refuses', () => {
  const path = `/videos/${videoId(1)}`
  const send = (id: unknown) => () =>
    admin().patch(path, { body: { data: { type: 'videos', id, attributes: { title: 'x' } } } })

  test.each([
    ['missing', undefined, nonCompliant('The member id is required.', '/data')],
    ['null', null, nonCompliant('The member id must be a string.', '/data/id')],
    ['a number', 1, nonCompliant('The member id must be a string.', '/data/id')],
    ['empty', '', nonCompliant('The member id cannot be empty.', '/data/id')],
  ])('an id that is %s', async (_, id, error) => {
    await expectRefusal(api.db, send(id), { status: 400, errors: [error] })
  })

  test.each([videoId(2), 'x'])('the id %s, which is not the URL’s', async (id) => {
    const error = notSupported('409', `Resource id ${id} is not supported by this endpoint.`, '/data/id')
    await expectRefusal(api.db, send(id), { status: 409, errors: [error] })
  })
})

describe('a creation refuses', () => {
  const attributes = { title: 'A film', url: 'https://videos.example.com/film' }

  test.each([
    ['is a number', 1, nonCompliant('The member id must be a string.', '/data/id')],
    ['is null', null, nonCompliant('The member id must be a string.', '/data/id')],
    ['is empty', '', nonCompliant('The member id cannot be empty.', '/data/id')],
  ])('an id that %s, where the type accepts one', async (_, id, error) => {
    const send = () => admin().post('/videos', { body: { data: { type: 'videos', id, attributes } } })
    await expectRefusal(api.db, send, { status: 400, errors: [error] })
  })

  test.each(['posts', 'comments', 'tags', 'users'])('an id of %s: the server gives them', async (type) => {
    const error = notSupported('403', `Resource type ${type} does not support client-generated IDs.`, '/data/id')
    for (const id of ['1', '900', 900, null]) {
      const send = () => admin().post(`/${type}`, { body: { data: { type, id } } })
      await expectRefusal(api.db, send, { status: 403, errors: [error] })
    }
  })

  test('an id and an unknown attribute: two statuses become 400', async () => {
    const send = () => admin().post('/tags', { body: { data: { type: 'tags', id: '9', attributes: { label: 'x' } } } })
    const errors = [
      notSupported('403', 'Resource type tags does not support client-generated IDs.', '/data/id'),
      nonCompliant('The field label is not a supported attribute.', '/data/attributes/label'),
    ]
    await expectRefusal(api.db, send, { status: 400, errors })
  })
})

describe('what is hidden is unknown', () => {
  test.each([
    ['posts', '1', 'deletedAt'],
    ['posts', '1', 'authorId'],
    ['users', '3', 'passwordHash'],
    ['profiles', '3', 'userId'],
    ['comments', '1', 'postId'],
  ])('an update of %s/%s refuses the attribute %s', async (type, id, name) => {
    const owners: Record<string, number> = { comments: users.member4, profiles: users.member3 }
    const send = () =>
      api
        .as(owners[type] ?? users.admin)
        .patch(`/${type}/${id}`, { body: { data: { type, id, attributes: { [name]: 'x' } } } })
    const error = nonCompliant(`The field ${name} is not a supported attribute.`, `/data/attributes/${name}`)
    await expectRefusal(api.db, send, { status: 400, errors: [error] })
  })
})

test('members that JSON:API does not define are ignored', async () => {
  const body = { data: { type: 'tags', id: '2', attributes: { name: 'tag-two' }, extra: { a: 1 } }, more: [1] }
  const answer = await admin().patch('/tags/2', { body })
  expect({ status: answer.status, name: answer.body.data.attributes.name }).toEqual({ status: 200, name: 'tag-two' })
})
