import { describe, expect, test } from 'vitest'
import { users } from '../../support/api.ts'
import {
  identifier,
  newPost,
  pointersOf,
  useConformance,
  type Version,
  v1,
  v2,
  versions,
} from '../../support/conformance.ts'
import { addTag, tagsOf } from '../../support/rows.ts'

const server = useConformance()
const create = (version: Version, path: string, data: unknown) => server.ask(version, 'POST', path, { body: { data } })
const refuse = async (version: Version, path: string, body: unknown) =>
  pointersOf(await server.refuse(version, 'POST', path, { body }))
const video = (more: object = {}) => ({ type: 'videos', attributes: { title: 'V', url: 'https://v.example' }, ...more })
const comment = (commentable: unknown) => ({
  type: 'comments',
  attributes: { content: 'C' },
  relationships: { commentable },
})

describe.each(versions)('creating on the server $name', (version) => {
  const tagged = (tags: unknown) => ({ data: { ...newPost(version), relationships: { tags } } })

  test('J1 (56): what was created is answered with 201, its id and what the server set', async () => {
    const post = newPost(version)
    const { status, body } = await create(version, '/posts', post)
    expect({ status, data: body.data }).toEqual({
      status: 201,
      data: expect.objectContaining({
        type: 'posts',
        id: expect.any(String),
        attributes: expect.objectContaining({
          ...post.attributes,
          createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        }),
      }),
    })
  })

  test('J2 J3 J4 (57): Location is links.self to the letter, and leads to the same resource', async () => {
    const { headers, body } = await create(version, '/posts', newPost(version))
    expect(headers.location).toBe(body.data.links.self)
    const found = await server.follow(version, headers.location ?? '')
    expect({ status: found.status, data: found.body.data }).toEqual({ status: 200, data: body.data })
  })

  test("J5 J22 (58): a type that is not the collection's is 409, with details", async () => {
    const { status, body } = await server.refuse(version, 'POST', '/tags', { body: { data: newPost(version) } })
    expect({ status, errors: body.errors }).toEqual({
      status: 409,
      errors: [
        {
          status: '409',
          title: 'Not Supported',
          detail: 'Resource type posts is not supported by this endpoint.',
          source: { pointer: '/data/type' },
        },
      ],
    })
  })

  test.each([
    ['no type', { data: { attributes: { name: 'T' } } }, '/data'],
    ['a type that is no string', { data: { type: 1 } }, '/data/type'],
    ['no data', {}, ''],
    ['data that is null', { data: null }, '/data'],
    ['data that is a list', { data: [{ type: 'videos' }] }, '/data'],
    ['data that is a string', { data: 'videos' }, '/data'],
    ['an id that is no string', { data: video({ id: 7 }) }, '/data/id'],
  ])('J6 J7 J18 (59): %s is 400', async (_, body, pointer) => {
    expect(await refuse(version, '/videos', body)).toEqual({ status: 400, pointers: [pointer] })
  })

  test('J8 (60): an id of the client is 403 where the type does not take any', async () => {
    const data = { type: 'tags', id: '4711', attributes: { name: 'mine' } }
    expect(await refuse(version, '/tags', { data })).toEqual({ status: 403, pointers: ['/data/id'] })
  })

  test('J8 J9 (60): where it does, the resource has that id; the second of that id is 409', async () => {
    const id = `11111111-1111-4111-8111-0000000000${version.name}`.replace('v', '0')
    const { status, body } = await create(version, '/videos', video({ id }))
    expect({ status, id: body.data.id }).toEqual({ status: 201, id })
    expect(await refuse(version, '/videos', { data: video({ id }) })).toEqual({ status: 409, pointers: ['/data/id'] })
  })

  test('J10 (61): a to-one related resource that does not exist is 404, and nothing is created', async () => {
    expect(await refuse(version, '/comments', { data: comment({ data: identifier('posts', 9999) }) })).toEqual({
      status: 404,
      pointers: ['/data/relationships/commentable'],
    })
  })

  test('J11 (61): one of a to-many that does not exist, too', async () => {
    const data = [identifier('tags', 2), identifier('tags', 9999)]
    expect(await refuse(version, '/posts', tagged({ data }))).toEqual({
      status: 404,
      pointers: ['/data/relationships/tags/data/1'],
    })
  })

  test.each([
    ['J12 (62): a relationship without data is 400', { meta: {} }, 400, ''],
    ['J13 (62): one identifier for a to-many is 400', { data: identifier('tags', 2) }, 400, ''],
    ['J13 (62): null for a to-many is 400', { data: null }, 400, '/data'],
    ['J13 (62): an element that is no object is 400', { data: ['2'] }, 400, '/data/0'],
    ['J13 (62): an identifier without id is 400', { data: [{ type: 'tags' }] }, 400, '/data/0'],
    ['J13 (62): an unknown type is 400', { data: [identifier('dragons', 2)] }, 400, '/data/0/type'],
    ['J13 (62): a wrong type is 422', { data: [identifier('users', 2)] }, 422, '/data/0'],
  ])('%s', async (_, tags, status, at) => {
    expect(await refuse(version, '/posts', tagged(tags))).toEqual({
      status,
      pointers: [`/data/relationships/tags${at}`],
    })
  })

  test('J13 (62): a list for a to-one is 400', async () => {
    const data = comment({ data: [identifier('posts', 1)] })
    expect(await refuse(version, '/comments', { data })).toEqual({
      status: 400,
      pointers: ['/data/relationships/commentable'],
    })
  })

  test('J14 (62): the relationships that were sent are stored', async () => {
    const { id: tag } = await addTag(server.db)
    const relationships = {
      tags: { data: [identifier('tags', tag), identifier('tags', 3)] },
      author: { data: identifier('users', users.member5) },
    }
    const { body } = await create(version, '/posts', { ...newPost(version), relationships })
    const { id } = body.data
    expect(await tagsOf(server.db, Number(id))).toEqual([3, tag])
    const author = await server.get(version, `/posts/${id}/relationships/author`)
    expect(author.body.data).toEqual(relationships.author.data)
  })

  test.each(['{"data": {"type": "tags"', 'nonsense', ''])(
    'J15 (63): JSON that is malformed is 400: %s',
    async (body) => {
      expect(pointersOf(await server.refuse(version, 'POST', '/tags', { body }))).toEqual({
        status: 400,
        pointers: [undefined],
      })
    },
  )

  test('J16 (63): members that are not defined, and members with @, are ignored', async () => {
    const post = newPost(version)
    const odd = { '@context': 'x', nothing: 1 }
    const attributes = { ...post.attributes, '@note': 'x' }
    const relationships = { '@note': 'x', tags: { ...odd, data: [{ ...identifier('tags', 2), ...odd }] } }
    const { status, body } = await server.ask(version, 'POST', '/posts?include=tags', {
      body: { ...odd, data: { ...post, ...odd, attributes, relationships } },
    })
    expect({ status, tags: body.data.relationships.tags.data }).toEqual({
      status: 201,
      tags: [identifier('tags', 2)],
    })
    expect(JSON.stringify(body)).not.toMatch(/@context|@note|nothing/)
  })

  test('J19 J20 (64): what breaks a rule is an error document that points at it', async () => {
    const post = newPost(version, { title: 'x'.repeat(201), slug: 'Not A Slug' })
    expect(await refuse(version, '/posts', { data: post })).toEqual({
      status: 422,
      pointers: ['/data/attributes/title', '/data/attributes/slug'],
    })
  })

  test.each(['PUT', 'PATCH', 'DELETE'])('J21 (64): %s of a collection is 405, with Allow', async (method) => {
    const { status, headers } = await server.refuse(version, method, '/tags', { body: { data: [] } })
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD, POST, QUERY' })
  })
})

test('J17 (63): the server v2 takes a lid, and answers with the id', async () => {
  const { status, body } = await create(v2, '/posts', { ...newPost(v2), lid: 'mine' })
  expect({ status, id: body.data.id, hasLid: 'lid' in body.data }).toEqual({
    status: 201,
    id: expect.stringMatching(/^\d+$/),
    hasLid: false,
  })
})

test('J17 (63): to the server v1, which declares 1.0, lid is a member like any that is not defined', async () => {
  expect((await create(v1, '/posts', { ...newPost(v1), lid: 7 })).status).toBe(201)
})

test('J18 (59): a lid that is no string is 400 on the server v2', async () => {
  expect(await refuse(v2, '/posts', { data: { ...newPost(v2), lid: 7 } })).toEqual({
    status: 400,
    pointers: ['/data/lid'],
  })
})
