import { describe, expect, test } from 'vitest'
import { users } from '../../support/api.ts'
import { type ConformanceSend, newPost, pointersOf, useConformance, v2, versions } from '../../support/conformance.ts'

const server = useConformance()

// What each error may consist of, and that its pointer leads to something that was sent, is judged as the answer comes in.
describe.each(versions)('errors of the server $name', (version) => {
  const refuse = (method: string, path: string, sent?: ConformanceSend) => server.refuse(version, method, path, sent)
  const faulty = { data: newPost(version, { title: null, slug: 7 }) }

  test.each<[number, string, string, ConformanceSend]>([
    [400, 'GET', '/posts?sort=nothing', {}],
    [400, 'POST', '/posts', { body: '{' }],
    [401, 'GET', '/posts', { headers: { Authorization: 'Bearer nonsense' } }],
    [403, 'GET', '/users', { as: users.member3 }],
    [404, 'GET', '/nothing', {}],
    [405, 'PUT', '/posts/1', {}],
    [406, 'GET', '/posts', { headers: { Accept: 'text/plain' } }],
    [409, 'POST', '/tags', { body: { data: { type: 'posts' } } }],
    [413, 'POST', '/posts', { body: JSON.stringify('x'.repeat(2 ** 21)) }],
    [415, 'POST', '/posts', { body: faulty, headers: { 'Content-Type': 'text/plain' } }],
    [422, 'POST', '/posts', { body: faulty }],
  ])('O1 O2 O3 O4 O5 O6 O7 (75, 77): a %i says so itself, with a title, in an error document', async (...expected) => {
    const [status, method, path, sent] = expected
    const answer = await refuse(method, path, sent)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({
      jsonapi: { version: version.version },
      errors: Array(answer.body.errors.length).fill(
        expect.objectContaining({ status: String(status), title: expect.stringMatching(/\w/) }),
      ),
    })
  })

  test('O8 (76): what is missing is pointed at where it should stand, never beyond what was sent', async () => {
    const { attributes: _, ...bare } = newPost(version)
    const deep = { data: { ...newPost(version), relationships: { tags: {} } } }
    const at = async (body: unknown) => pointersOf(await refuse('POST', '/posts', { body }))
    expect([await at({ data: bare }), await at({ data: {} }), await at({}), await at(deep)]).toEqual([
      { status: 422, pointers: ['/data', '/data', '/data'] },
      { status: 400, pointers: ['/data'] },
      { status: 400, pointers: [''] },
      { status: 400, pointers: ['/data/relationships/tags'] },
    ])
  })

  test('O8 (76): a value that is wrong is pointed at itself, whatever its name', async () => {
    const body = { data: { ...newPost(version), relationships: { tags: { data: [{ type: 'tags', id: 5 }] } } } }
    expect(pointersOf(await refuse('POST', '/posts', { body: faulty })).pointers).toEqual([
      '/data/attributes/title',
      '/data/attributes/slug',
    ])
    expect(pointersOf(await refuse('POST', '/posts', { body })).pointers).toEqual([
      '/data/relationships/tags/data/0/id',
    ])
  })

  test('O8 (76): JSON that is malformed has no pointer', async () => {
    expect(pointersOf(await refuse('POST', '/posts', { body: '{"data":' })).pointers).toEqual([undefined])
  })

  test('O7 (77): several problems of different kinds have the general status of them all', async () => {
    const relationships = {
      author: { data: { type: 'users', id: '9999' } },
      tags: { data: [{ type: 'users', id: '1' }, 5] },
    }
    const { status, body } = await refuse('POST', '/posts', { body: { data: { ...newPost(version), relationships } } })
    expect({ status, own: body.errors.map((error: { status: string }) => error.status).sort() }).toEqual({
      status: 400,
      own: ['400', '422'],
    })
  })

  test('O9 (77): the title of a kind of problem stays, and the detail tells one from the other', async () => {
    const errors = [
      ...(await refuse('GET', '/posts?sort=nothing,neither')).body.errors,
      ...(await refuse('GET', '/tags?include=dragons')).body.errors,
    ]
    const distinct = (member: string) => new Set(errors.map((error) => error[member])).size
    expect({ titles: distinct('title'), details: distinct('detail') }).toEqual({ titles: 1, details: errors.length })
  })
})

test('(77): links.type of an error, on the server v2, is a URL of what a person can read', async () => {
  const { body } = await server.get(v2, '/posts?page[size]=101')
  expect(body.errors[0].links).toEqual({
    type: 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/max-size-exceeded',
  })
})
