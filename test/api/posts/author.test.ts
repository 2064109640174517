import { describe, expect, test } from 'vitest'
import {
  allowOf,
  badParameter,
  expectAnswer,
  expectErrors,
  expectNotAllowed,
  forbidden,
  invalid,
  notFound,
  relatedNotFound,
} from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import {
  at,
  documentOf,
  identifier,
  relationshipDocument,
  sparse,
  userResource,
  userToGuests,
} from '../../support/row-documents.ts'
import { addPost } from '../../support/rows.ts'

const api = useApi()
const user = (id: number) => api.db.user.findUniqueOrThrow({ where: { id } })
const authorOf = async (id: number) => (await api.db.post.findUniqueOrThrow({ where: { id } })).authorId
const hiddenAndUnknown = [
  ['a hidden post', '5'],
  ['an unknown post', '4711'],
] as const

describe('GET /posts/:id/author', () => {
  test('everybody may know who wrote what they may read', async () => {
    const document = documentOf(at('/posts/1/author'), userToGuests(await user(users.member4)))
    expectAnswer(await api.guest.get('/posts/1/author'), 200, document)
  })

  test('include begins at the author', async () => {
    const query = { include: 'profile', 'fields[users]': 'name', 'fields[profiles]': '' }
    const document = documentOf(at('/posts/1/author', query), sparse('users', 4, { name: 'Member 4' }), {
      included: [sparse('profiles', 4)],
    })
    const path = '/posts/1/author?include=profile&fields[users]=name&fields[profiles]='
    expectAnswer(await api.guest.get(path), 200, document)
    expectErrors(await api.guest.get('/posts/1/author?include=author'), badParameter('include'))
  })

  test.each(['sort=name', 'filter[name]=x'])('%s means nothing here', async (query) => {
    expectErrors(await api.guest.get(`/posts/1/author?${query}`), badParameter(query.split('=')[0] as string))
  })

  test.each(hiddenAndUnknown)('of %s is 404', async (_, id) => {
    expectErrors(await api.guest.get(`/posts/${id}/author`), notFound)
    expectErrors(await api.guest.get(`/posts/${id}/relationships/author`), notFound)
  })

  test.each(['POST', 'PATCH', 'DELETE'])('%s is 405', async (method) => {
    expectNotAllowed(await api.as(users.admin).request(method, '/posts/1/author'), ['GET', 'HEAD'])
  })
})

describe('GET /posts/:id/relationships/author', () => {
  const path = '/posts/1/relationships/author'

  test('is the identifier, with both links', async () => {
    const document = relationshipDocument('/posts/1', 'author', identifier('users', 4))
    expectAnswer(await api.guest.get(path), 200, document)
  })

  test('an include path begins with the name of the relation', async () => {
    const { links, ...document } = relationshipDocument('/posts/1', 'author', identifier('users', 4))
    const self = at(path, { include: 'author' })
    const included = [userToGuests(await user(4))]
    expectAnswer(await api.guest.get(`${path}?include=author`), 200, {
      ...document,
      links: { ...links, self },
      included,
    })
    expectErrors(await api.guest.get(`${path}?include=profile`), badParameter('include'))
  })

  test('POST and DELETE are for to-many relations: 405', async () => {
    for (const method of ['POST', 'DELETE', 'PUT']) {
      expectNotAllowed(await api.as(users.admin).request(method, path), ['GET', 'HEAD', 'PATCH'])
    }
    expect(allowOf(await api.guest.request('OPTIONS', path))).toEqual(['GET', 'HEAD', 'PATCH'])
  })
})

describe('PATCH /posts/:id/relationships/author', () => {
  const send = (caller: typeof api.guest, id: number | string, data: object | null) =>
    caller.patch(`/posts/${id}/relationships/author`, { body: { data } })
  const only = forbidden('Only an administrator may hand a post to another author.')

  test('an administrator hands a post to another author', async () => {
    const { id } = await addPost(api.db)
    const answer = await send(api.as(users.admin), id, identifier('users', 5))
    expectAnswer(answer, 200, relationshipDocument(`/posts/${id}`, 'author', identifier('users', 5)))
    expect(await authorOf(id)).toBe(5)
  })

  test('include works on the answer', async () => {
    const { id } = await addPost(api.db)
    const path = `/posts/${id}/relationships/author`
    const answer = await api.as(users.admin).patch(`${path}?include=author`, { body: { data: identifier('users', 6) } })
    const { links, ...document } = relationshipDocument(`/posts/${id}`, 'author', identifier('users', 6))
    const included = [userResource(await user(6))]
    expectAnswer(answer, 200, { ...document, links: { ...links, self: at(path, { include: 'author' }) }, included })
  })

  test.each([
    ['a guest', null],
    ['the author', users.member3],
    ['a stranger', users.member4],
    ['an editor', users.editor],
  ])('%s is told who may', async (_, userId) => {
    const { id } = await addPost(api.db)
    const caller = userId === null ? api.guest : api.as(userId)
    expectErrors(await send(caller, id, identifier('users', 5)), only)
    expectErrors(await send(caller, id, identifier('users', 4711)), only)
    expect(await authorOf(id)).toBe(users.member3)
  })

  test('a post always has an author', async () => {
    const { id } = await addPost(api.db)
    const error = invalid('required', 'The author field is required.', '/data')
    expectErrors(await send(api.as(users.admin), id, null), error)
    expect(await authorOf(id)).toBe(users.member3)
  })

  test.each([
    ['somebody who does not exist', { type: 'users', id: '4711' }, relatedNotFound('/data')],
    [
      'a tag',
      { type: 'tags', id: '1' },
      {
        status: '422',
        title: 'Unprocessable Entity',
        detail: 'The author field must be a to-one relationship containing users resources.',
        source: { pointer: '/data' },
      },
    ],
  ])('%s cannot be the author', async (_, data, error) => {
    const { id } = await addPost(api.db)
    expectErrors(await send(api.as(users.admin), id, data), error)
    expect(await authorOf(id)).toBe(users.member3)
  })

  test('the author of a deleted, hidden or unknown post is 404', async () => {
    const deleted = await addPost(api.db, { deletedAt: new Date() })
    for (const id of [deleted.id, 4711])
      expectErrors(await send(api.as(users.admin), id, identifier('users', 5)), notFound)
    expectErrors(await send(api.as(users.member4), 5, identifier('users', 4)), notFound)
  })
})
