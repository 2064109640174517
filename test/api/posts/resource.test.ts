import { describe, expect, test } from 'vitest'
import { allowOf, badParameter, expectAnswer, expectErrors, expectNotAllowed, notFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { at, documentOf, identifier, postResource, sparse } from '../../support/row-documents.ts'
import { addPost } from '../../support/rows.ts'

const api = useApi()
const post = (id: number) => api.db.post.findUniqueOrThrow({ where: { id } })

describe('GET /posts/:id', () => {
  test('a guest reads a published post', async () => {
    expectAnswer(await api.guest.get('/posts/1'), 200, documentOf(at('/posts/1'), postResource(await post(1))))
  })

  test.each([
    ['a draft of somebody else', '5'],
    ['an id that nobody has', '4711'],
    ['an id that is no number', 'one'],
    ['an id that no integer holds', '99999999999999999999'],
    ['an id that is written otherwise', '01'],
    ['an id with a sign', '+1'],
    ['an id with a fraction', '1.0'],
  ])('%s is 404', async (_, id) => {
    expectErrors(await api.guest.get(`/posts/${id}`), notFound)
  })

  test('a draft is for its author, editors and administrators', async () => {
    const document = documentOf(at('/posts/40'), postResource(await post(40)))
    for (const userId of [users.member3, users.editor, users.admin]) {
      expectAnswer(await api.as(userId).get('/posts/40'), 200, document)
    }
    expectErrors(await api.as(users.member4).get('/posts/40'), notFound)
  })

  test('a post that is to be published tomorrow is a draft today', async () => {
    const { id } = await addPost(api.db, { publishedAt: new Date(Date.now() + 86_400_000) })
    expectErrors(await api.guest.get(`/posts/${id}`), notFound)
    expectAnswer(
      await api.as(users.member3).get(`/posts/${id}`),
      200,
      documentOf(at(`/posts/${id}`), postResource(await post(id))),
    )
  })

  test('a deleted post is 404 for everybody', async () => {
    const { id } = await addPost(api.db, { deletedAt: new Date() })
    for (const caller of [api.guest, api.as(users.member3), api.as(users.editor), api.as(users.admin)]) {
      expectErrors(await caller.get(`/posts/${id}`), notFound)
    }
  })

  test('include and fields narrow the document', async () => {
    const query = { include: 'author', 'fields[posts]': 'title,author', 'fields[users]': 'name' }
    const { title, authorId } = await post(2)
    const { relationships } = postResource(await post(2), { author: identifier('users', authorId) })
    const data = { ...sparse('posts', 2, { title }), relationships: { author: relationships.author } }
    const included = [sparse('users', authorId, { name: 'Member 5' })]
    expectAnswer(
      await api.guest.get('/posts/2?include=author&fields[posts]=title,author&fields[users]=name'),
      200,
      documentOf(at('/posts/2', query), data, { included }),
    )
  })

  test.each([
    ['sort', 'title'],
    ['filter[title]', 'x'],
    ['page[size]', '1'],
  ])('%s means nothing here: 400', async (key, value) => {
    const parameter = key.startsWith('page') ? 'page' : key
    expectErrors(await api.guest.get(`/posts/1?${key}=${value}`), badParameter(parameter))
  })
})

describe('other verbs on /posts/:id', () => {
  const allow = ['DELETE', 'GET', 'HEAD', 'PATCH']

  test('HEAD has the headers of GET and no body', async () => {
    const [get, head] = [await api.guest.get('/posts/1'), await api.guest.request('HEAD', '/posts/1')]
    expect({ status: head.status, body: head.body }).toEqual({ status: 200, body: undefined })
    expect(head.headers.get('Content-Length')).toBe(get.headers.get('Content-Length'))
    expect((await api.guest.request('HEAD', '/posts/5')).status).toBe(404)
  })

  test('OPTIONS says what there is', async () => {
    const answer = await api.guest.request('OPTIONS', '/posts/1')
    expectAnswer(answer, 204)
    expect(allowOf(answer)).toEqual(allow)
  })

  test.each(['POST', 'PUT'])('%s is 405', async (method) => {
    expectNotAllowed(await api.as(users.admin).request(method, '/posts/1'), allow)
  })

  test.each(['/posts', '/posts/1', '/posts/1/tags', '/posts/1/relationships/tags', ''])(
    '%s/ answers as it does without the slash',
    async (path) => {
      const plain = await api.guest.get(path || '/api/v1')
      const slashed = await api.guest.get(path ? `${path}/` : '/api/v1/')
      expect([slashed.status, slashed.body]).toEqual([plain.status, plain.body])
    },
  )

  test.each(['/posts//', '/posts/1//', '/posts/1/nothing', '/posts/1/relationships', '/posts/1/authorId', '/Posts'])(
    'there is no %s',
    async (path) => {
      const detail = `The route /api/v1${path} could not be found.`
      expectErrors(await api.guest.get(path), { ...notFound, detail })
    },
  )
})
