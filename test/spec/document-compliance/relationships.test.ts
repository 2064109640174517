import { describe, expect, test } from 'vitest'
import { invalid, nonCompliant, relatedNotFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { expectRefusal, notSupported, wrongType } from '../../support/refusal.ts'
import { identifier } from '../../support/row-documents.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()

interface Endpoint {
  readonly title: string
  readonly method: string
  readonly path: string
  /** The document that says this of the relation. */
  body(data: unknown): object
  /** Where the relation stands in it, and where its `data`. */
  readonly relation: string
  readonly data: string
}

const post = { title: 'A post', slug: 'a-post', content: 'Text.' }

/** The three ways to write a to-one relation, and a to-many relation. */
const endpointsOf = (name: string, ways: readonly string[]): readonly Endpoint[] => [
  ...['POST', 'PATCH'].map((method) => ({
    title: `a resource, by ${method}`,
    method,
    path: method === 'POST' ? '/posts' : '/posts/1',
    body: (data: unknown) => ({
      data: {
        type: 'posts',
        ...(method === 'PATCH' && { id: '1' }),
        attributes: method === 'PATCH' ? { title: 'Another title' } : post,
        relationships: { [name]: { data } },
      },
    }),
    relation: `/data/relationships/${name}`,
    data: `/data/relationships/${name}/data`,
  })),
  ...ways.map((method) => ({
    title: `its own endpoint, by ${method}`,
    method,
    path: `/posts/1/relationships/${name}`,
    body: (data: unknown) => ({ data }),
    relation: '/data',
    data: '/data',
  })),
]

const refused = (endpoint: Endpoint, data: unknown, status: number, errors: readonly object[]) =>
  expectRefusal(
    api.db,
    () => api.as(users.admin).request(endpoint.method, endpoint.path, { body: endpoint.body(data) }),
    { status, errors },
  )

describe.each(endpointsOf('author', ['PATCH']))('a to-one relation in $title, refuses', (endpoint) => {
  const { relation, data: at } = endpoint

  test.each([
    ['a list', [identifier('users', 3)], nonCompliant('The field author must be a to-one relation.', relation)],
    ['an empty list', [], nonCompliant('The field author must be a to-one relation.', relation)],
    ['a string', '3', nonCompliant('The member data must be an object.', at)],
    ['a number', 3, nonCompliant('The member data must be an object.', at)],
    ['an identifier without a type', { id: '3' }, nonCompliant('The member type is required.', at)],
    ['a type that is no string', { type: 3, id: '3' }, nonCompliant('The member type must be a string.', `${at}/type`)],
    ['an empty type', { type: '', id: '3' }, nonCompliant('The member type cannot be empty.', `${at}/type`)],
    ['an identifier without an id', { type: 'users' }, nonCompliant('The member id is required.', at)],
    ['an id that is no string', { type: 'users', id: 3 }, nonCompliant('The member id must be a string.', `${at}/id`)],
    ['an id that is null', { type: 'users', id: null }, nonCompliant('The member id must be a string.', `${at}/id`)],
    ['an empty id', { type: 'users', id: '' }, nonCompliant('The member id cannot be empty.', `${at}/id`)],
    [
      'an identifier with attributes',
      { type: 'users', id: '3', attributes: {} },
      nonCompliant('The member data must be a resource identifier.', at),
    ],
    [
      'an identifier with relationships',
      { type: 'users', id: '3', relationships: {} },
      nonCompliant('The member data must be a resource identifier.', at),
    ],
    [
      'a type that the server does not have',
      { type: 'authors', id: '3' },
      notSupported('400', 'Resource type authors is not recognised.', `${at}/type`),
    ],
  ])('%s', async (_, data, error) => {
    await refused(endpoint, data, 400, [error])
  })

  test('an identifier with nothing that it needs: each fault is named', async () => {
    const errors = [nonCompliant('The member type is required.', at), nonCompliant('The member id is required.', at)]
    await refused(endpoint, {}, 400, errors)
  })

  test('a resource of another type', async () => {
    const detail = 'The author field must be a to-one relationship containing users resources.'
    await refused(endpoint, identifier('tags', 3), 422, [wrongType(detail, relation)])
  })

  test.each(['99', 'x', '3.0', '-1', '99999999999999999999'])('the resource %s, which does not exist', async (id) => {
    await refused(endpoint, identifier('users', id), 404, [relatedNotFound(relation)])
  })

  test('null, where the relation is required', async () => {
    await refused(endpoint, null, 422, [invalid('required', 'The author field is required.', at)])
  })
})

describe.each(endpointsOf('tags', ['PATCH', 'POST', 'DELETE']))('a to-many relation in $title, refuses', (endpoint) => {
  const { relation, data: at } = endpoint
  const tag = identifier('tags', 2)

  test.each([
    ['an identifier', tag, nonCompliant('The field tags must be a to-many relation.', relation)],
    ['null', null, nonCompliant('The member data must be an array.', at)],
    ['a string', '2', nonCompliant('The member data must be an array.', at)],
    ['an object that is no identifier', { tags: [] }, nonCompliant('The member data must be an array.', at)],
    ['an item that is null', [null], nonCompliant('The member 0 must be an object.', `${at}/0`)],
    ['an item that is a string', [tag, '2'], nonCompliant('The member 1 must be an object.', `${at}/1`)],
    ['an item that is a list', [[tag]], nonCompliant('The member 0 must be an object.', `${at}/0`)],
    ['an item without a type', [tag, { id: '2' }], nonCompliant('The member type is required.', `${at}/1`)],
    [
      'a type that is no string',
      [{ type: 1, id: '2' }],
      nonCompliant('The member type must be a string.', `${at}/0/type`),
    ],
    ['an empty type', [{ type: '', id: '2' }], nonCompliant('The member type cannot be empty.', `${at}/0/type`)],
    ['an item without an id', [{ type: 'tags' }], nonCompliant('The member id is required.', `${at}/0`)],
    [
      'an id that is no string',
      [{ type: 'tags', id: 2 }],
      nonCompliant('The member id must be a string.', `${at}/0/id`),
    ],
    ['an empty id', [{ type: 'tags', id: '' }], nonCompliant('The member id cannot be empty.', `${at}/0/id`)],
    [
      'an item with attributes',
      [tag, { ...tag, attributes: { name: 'x' } }],
      nonCompliant('The member 1 must be a resource identifier.', `${at}/1`),
    ],
    [
      'an item with relationships',
      [{ ...tag, relationships: {} }],
      nonCompliant('The member 0 must be a resource identifier.', `${at}/0`),
    ],
    [
      'a type that the server does not have',
      [tag, { type: 'labels', id: '2' }],
      notSupported('400', 'Resource type labels is not recognised.', `${at}/1/type`),
    ],
  ])('%s', async (_, data, error) => {
    await refused(endpoint, data, 400, [error])
  })

  test('resources of another type: each is named', async () => {
    const detail = 'The tags field must be a to-many relationship containing tags resources.'
    const data = [identifier('users', 3), tag, identifier('posts', 1)]
    await refused(endpoint, data, 422, [wrongType(detail, `${at}/0`), wrongType(detail, `${at}/2`)])
  })

  test('resources that do not exist: each is named', async () => {
    const data = [identifier('tags', 99), tag, identifier('tags', 'x')]
    await refused(endpoint, data, 404, [relatedNotFound(`${at}/0`), relatedNotFound(`${at}/2`)])
  })

  test('faults of two statuses: 400 with both', async () => {
    const detail = 'The tags field must be a to-many relationship containing tags resources.'
    const data = [identifier('users', 3), { type: 'tags' }]
    const errors = [wrongType(detail, `${at}/0`), nonCompliant('The member id is required.', `${at}/1`)]
    await refused(endpoint, data, 400, errors)
  })
})

describe('a relationship in a resource', () => {
  test.each([null, [], [identifier('tags', 2)], 'tags', 2])('that is no object is refused: %j', async (tags) => {
    const send = () =>
      api.as(users.admin).patch('/posts/1', { body: { data: { type: 'posts', id: '1', relationships: { tags } } } })
    const error = nonCompliant('The member tags must be an object.', '/data/relationships/tags')
    await expectRefusal(api.db, send, { status: 400, errors: [error] })
  })

  test.each([{}, { links: { self: '/' } }, { meta: {} }])('without data is refused: %j', async (author) => {
    const send = () =>
      api.as(users.admin).patch('/posts/1', { body: { data: { type: 'posts', id: '1', relationships: { author } } } })
    const error = nonCompliant('The member data is required.', '/data/relationships/author')
    await expectRefusal(api.db, send, { status: 400, errors: [error] })
  })
})

describe.each([
  ['PATCH', '/posts/1/relationships/author'],
  ['PATCH', '/posts/1/relationships/tags'],
  ['POST', '/posts/1/relationships/tags'],
  ['DELETE', '/posts/1/relationships/tags'],
])('%s %s', (method, path) => {
  test.each([{}, { meta: {} }, { errors: [] }])('refuses a document without data: %j', async (body) => {
    const error = nonCompliant('The member data is required.', '')
    await expectRefusal(api.db, () => api.as(users.admin).request(method, path, { body }), {
      status: 400,
      errors: [error],
    })
  })
})

describe('identifiers that a scope hides do not exist', () => {
  test.each([['a post in the bin, to an administrator', '/data/0']])('%s', async (_, pointer) => {
    await api.db.post.update({ where: { id: 60 }, data: { deletedAt: new Date() } })
    const send = () =>
      api.as(users.admin).post('/tags/2/relationships/posts', { body: { data: [identifier('posts', 60)] } })
    await expectRefusal(api.db, send, { status: 404, errors: [relatedNotFound(pointer)] })
  })

  test('a draft of another, to a member', async () => {
    const relationships = { commentable: { data: identifier('posts', 5) } }
    const body = { data: { type: 'comments', attributes: { content: 'x' }, relationships } }
    const send = () => api.as(users.member3).post('/comments', { body })
    await expectRefusal(api.db, send, { status: 404, errors: [relatedNotFound('/data/relationships/commentable')] })
  })
})

test('meta of an identifier is no fault', async () => {
  const before = await snapshot(api.db)
  const data = [{ ...identifier('tags', 2), meta: { since: 2024 } }]
  expect((await api.as(users.admin).post('/posts/1/relationships/tags', { body: { data } })).status).toBe(204)
  await api.as(users.admin).delete('/posts/1/relationships/tags', { body: { data } })
  const tags = before.posts[0]?.tags.filter((tag) => tag.id !== 2)
  expect((await snapshot(api.db)).posts[0]?.tags).toEqual(tags)
})
