import { describe, expect, test } from 'vitest'
import {
  allowOf,
  badParameter,
  type ErrorOf,
  expectAnswer,
  expectErrors,
  expectNotAllowed,
  expectNothing,
  forbidden,
  invalid,
  missing,
  notFound,
} from '../../support/answers.ts'
import { type Answer, useApi, users } from '../../support/api.ts'
import { at, documentOf, sparse, tagResource } from '../../support/row-documents.ts'
import { addPost, addTag } from '../../support/rows.ts'

const api = useApi()
const everybodyElse = [
  ['a guest', null],
  ['a member', users.member3],
  ['an editor', users.editor],
] as const
const callerOf = (userId: number | null) => (userId === null ? api.guest : api.as(userId))
const newTag = (attributes: object) => ({ body: { data: { type: 'tags', attributes } } })
const change = (id: number, attributes: object) => ({ body: { data: { type: 'tags', id: String(id), attributes } } })
const tag = (id: number) => api.db.tag.findUniqueOrThrow({ where: { id } })

async function expectUnwritten(work: () => Promise<Answer>, ...errors: readonly ErrorOf[]) {
  const before = await api.db.tag.findMany()
  expectErrors(await work(), ...errors)
  expect(await api.db.tag.findMany()).toEqual(before)
}

describe('GET /tags', () => {
  test('all of them by name, without pages', async () => {
    const rows = await api.db.tag.findMany({ orderBy: { name: 'asc' } })
    expect(rows.length).toBeGreaterThanOrEqual(12)
    const document = documentOf(
      at('/tags'),
      rows.map((row) => tagResource(row)),
    )
    expectAnswer(await api.guest.get('/tags'), 200, document)
  })

  test('in another order, and fewer', async () => {
    const query = { sort: '-id', 'filter[id]': '2,3', 'fields[tags]': 'name' }
    const data = [sparse('tags', 3, { name: 'tag-3' }), sparse('tags', 2, { name: 'tag-2' })]
    const path = '/tags?sort=-id&filter[id]=2,3&fields[tags]=name'
    expectAnswer(await api.guest.get(path), 200, documentOf(at('/tags', query), data))
  })

  test('none is an empty list', async () => {
    const document = documentOf(at('/tags', { 'filter[name]': 'none' }), [])
    expectAnswer(await api.guest.get('/tags?filter[name]=none'), 200, document)
  })

  test.each(['page[number]', 'page[size]', 'page[limit]'])('%s is refused', async (key) => {
    expectErrors(await api.guest.get(`/tags?${key}=1`), badParameter('page'))
  })

  test('other verbs are 405', async () => {
    for (const method of ['PATCH', 'DELETE', 'PUT']) {
      expectNotAllowed(await api.as(users.admin).request(method, '/tags'), ['GET', 'HEAD', 'POST'])
    }
    expect(allowOf(await api.guest.request('OPTIONS', '/tags'))).toEqual(['GET', 'HEAD', 'POST'])
    expect((await api.guest.request('HEAD', '/tags')).status).toBe(200)
  })
})

describe('GET /tags/:id', () => {
  test('everybody may read one', async () => {
    const document = documentOf(at('/tags/1'), tagResource({ id: 1, name: 'staff-pick' }))
    expectAnswer(await api.guest.get('/tags/1'), 200, document)
  })

  test('its hidden posts are not included', async () => {
    const { id } = await addTag(api.db)
    const seen = await addPost(api.db, { tags: { connect: { id } } })
    await addPost(api.db, { publishedAt: null, tags: { connect: { id } } })
    await addPost(api.db, { deletedAt: new Date(), tags: { connect: { id } } })
    const { body } = await api.guest.get(`/tags/${id}?include=posts&fields[posts]=`)
    const posts = [{ type: 'posts', id: String(seen.id) }]
    const query = { include: 'posts', 'fields[posts]': '' }
    const data = tagResource(await tag(id), { posts })
    expect(body).toEqual(documentOf(at(`/tags/${id}`, query), data, { included: [sparse('posts', seen.id)] }))
  })

  test.each(['4711', 'x', '0', '-1'])('there is no tag %s: 404', async (id) => {
    expectErrors(await api.guest.get(`/tags/${id}`), notFound)
  })

  test('other verbs are 405', async () => {
    for (const method of ['POST', 'PUT']) {
      const answer = await api.as(users.admin).request(method, '/tags/1')
      expectNotAllowed(answer, ['DELETE', 'GET', 'HEAD', 'PATCH'])
    }
  })
})

describe('POST /tags', () => {
  test('an administrator adds one', async () => {
    const answer = await api.as(users.admin).post('/tags', newTag({ name: 'new' }))
    const row = await api.db.tag.findUniqueOrThrow({ where: { name: 'new' } })
    expectAnswer(answer, 201, documentOf(at(`/tags/${row.id}`), tagResource(row)))
    expect(answer.headers.get('Location')).toBe(at(`/tags/${row.id}`))
  })

  test.each(everybodyElse)('%s may not', async (_, userId) => {
    await expectUnwritten(() => callerOf(userId).post('/tags', newTag({ name: 'theirs' })), forbidden())
  })

  test('a name is required', async () => {
    await expectUnwritten(() => api.as(users.admin).post('/tags', newTag({})), missing('name'))
  })

  test.each([
    [null, 'required', 'The name field is required.'],
    ['', 'required', 'The name field is required.'],
    [5, 'string', 'The name field must be a string.'],
    ['tag-2', 'unique', 'The name has already been taken.'],
  ])('a name cannot be %j', async (name, code, detail) => {
    const error = invalid(code, detail, '/data/attributes/name')
    await expectUnwritten(() => api.as(users.admin).post('/tags', newTag({ name })), error)
  })

  test('ids are the server’s to give', async () => {
    const body = { data: { type: 'tags', id: '99', attributes: { name: 'mine' } } }
    await expectUnwritten(() => api.as(users.admin).post('/tags', { body }), {
      status: '403',
      title: 'Not Supported',
      detail: 'Resource type tags does not support client-generated IDs.',
      source: { pointer: '/data/id' },
    })
  })
})

describe('PATCH /tags/:id', () => {
  test('an administrator renames one', async () => {
    const { id } = await addTag(api.db)
    const answer = await api.as(users.admin).patch(`/tags/${id}`, change(id, { name: 'renamed' }))
    expectAnswer(answer, 200, documentOf(at(`/tags/${id}`), tagResource({ id, name: 'renamed' })))
    expect(await tag(id)).toEqual({ id, name: 'renamed' })
  })

  test.each(everybodyElse)('%s may not', async (_, userId) => {
    await expectUnwritten(() => callerOf(userId).patch('/tags/2', change(2, { name: 'theirs' })), forbidden())
  })

  test.each([
    ['', 'required', 'The name field is required.'],
    ['tag-3', 'unique', 'The name has already been taken.'],
  ])('not to %j', async (name, code, detail) => {
    const error = invalid(code, detail, '/data/attributes/name')
    await expectUnwritten(() => api.as(users.admin).patch('/tags/2', change(2, { name })), error)
  })

  test('an unknown one is 404', async () => {
    expectErrors(await api.as(users.admin).patch('/tags/4711', change(4711, { name: 'x' })), notFound)
  })
})

describe('DELETE /tags/:id', () => {
  test('an administrator removes one; its posts stay', async () => {
    const { id } = await addTag(api.db)
    const post = await addPost(api.db, { tags: { connect: { id } } })
    expectNothing(await api.as(users.admin).delete(`/tags/${id}`))
    expect(await api.db.tag.count({ where: { id } })).toBe(0)
    expect(await api.db.post.count({ where: { id: post.id } })).toBe(1)
    expectErrors(await api.as(users.admin).delete(`/tags/${id}`), notFound)
  })

  test.each(everybodyElse)('%s may not', async (_, userId) => {
    await expectUnwritten(() => callerOf(userId).delete('/tags/2'), forbidden())
  })
})
