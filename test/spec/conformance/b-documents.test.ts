import { documentFaults } from '@prismapi/testing/internal/kit/judges/document-faults'
import type { Expected } from '@prismapi/testing/internal/kit/judges/judged'
import { describe, expect, test } from 'vitest'
import { users } from '../../support/api.ts'
import { useConformance, versions } from '../../support/conformance.ts'

const server = useConformance()

// Each answer is judged as it comes in; here is asked for answers of every kind.
describe.each(versions)('every document of the server $name is one of JSON:API (B1–B28)', (version) => {
  test.each([
    '',
    '/posts',
    '/posts?page[size]=5&sort=-title',
    '/posts?filter[slug]=post-1',
    '/posts?filter[slug]=nothing',
    '/posts?include=author,tags,comments.author',
    '/posts?include=',
    '/posts/1?include=tags.videos.owner',
    '/posts/1/tags?include=posts',
    '/posts/1/author?include=profile',
    '/posts/1/relationships/tags?include=tags.posts',
    '/posts/1/relationships/author',
    '/comments?include=commentable,author',
    '/comments/1/commentable',
    '/videos?fields[videos]=title,tags&include=tags',
    '/videos/00000000-0000-4000-8000-000000000001/owner',
    '/users/1/relationships/posts',
    '/profiles/1/user',
    '/tags?fields[tags]=',
  ])('%s', async (path) => expect((await server.get(version, path)).status).toBe(200))

  test.each([
    [400, 'GET', '/posts?sort=nothing,neither&page[size]=0'],
    [400, 'POST', '/tags', '{'],
    [400, 'POST', '/tags', '[]'],
    [404, 'GET', '/posts/999'],
    [405, 'PATCH', '/tags', '{}'],
    [409, 'POST', '/tags', '{"data":{"type":"posts"}}'],
    [422, 'POST', '/posts', '{"data":{"type":"posts","attributes":{"title":null,"slug":7}}}'],
    [403, 'POST', '/profiles', '{"data":{"type":"profiles"}}'],
  ])('an error of %i', async (status, method, path, body?: string) => {
    expect((await server.ask(version, method, path, { ...(body && { body }) })).status).toBe(status)
  })

  test('a 401, a 403 and a 404 of somebody else', async () => {
    const headers = { Authorization: 'Bearer nonsense' }
    const statuses = [
      (await server.get(version, '/posts', { headers })).status,
      (await server.get(version, '/users', { as: users.member3 })).status,
      (await server.get(version, '/posts/5', { as: null })).status,
    ]
    expect(statuses).toEqual([401, 403, 404])
  })

  test('what writes answer', async () => {
    const tag = (attributes: object, id?: string) => ({ data: { type: 'tags', ...(id && { id }), attributes } })
    const created = await server.ask(version, 'POST', '/tags', { body: tag({ name: `made on ${version.name}` }) })
    const { id } = created.body.data
    const linkage = { data: [{ type: 'tags', id }] }
    const answers = [
      created,
      await server.ask(version, 'PATCH', `/tags/${id}`, { body: tag({ name: `changed on ${version.name}` }, id) }),
      await server.ask(version, 'POST', '/posts/1/relationships/tags', { body: linkage }),
      await server.ask(version, 'PATCH', '/posts/1/relationships/tags', { body: linkage }),
      await server.ask(version, 'DELETE', '/posts/1/relationships/tags', { body: linkage }),
      await server.ask(version, 'DELETE', `/tags/${id}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 204, 200, 204, 204])
  })
})

describe.each(versions)('on the server $name', (version) => {
  test.each([
    '/Posts',
    '/posts?include=Tags',
    '/posts?sort=Title',
    '/posts?filter[Title]=x',
    '/posts?fields[Posts]=title',
    '/posts?Include=tags',
  ])('the case of a name matters: %s is another one', async (path) =>
    expect([400, 404]).toContain((await server.get(version, path)).status),
  )

  test('the case of a member matters as well', async () => {
    const body = { data: { type: 'tags', attributes: { Name: 'x' } } }
    expect((await server.ask(version, 'POST', '/tags', { body })).status).toBe(400)
  })
})

describe('the judge of these tests finds', () => {
  const expected: Expected = { version: '1.1', primary: 'resources', foreignKeys: ['authorId'] }
  const profile = 'https://example.com/p'
  const good = {
    jsonapi: { version: '1.1', profile: [profile] },
    links: { self: '/posts', prev: null },
    data: [
      {
        type: 'posts',
        id: '1',
        attributes: { title: 'T' },
        relationships: { author: { links: { self: '/a' }, data: { type: 'users', id: '1' } }, tags: { data: [] } },
      },
    ],
    included: [{ type: 'users', id: '1' }],
  }
  const type = `application/vnd.api+json;profile="${profile}"`

  function faultsOf(document: unknown, headers: Record<string, string | null> = {}, more: object = {}) {
    const all: Record<string, string | null> = { 'content-type': type, vary: 'Accept', ...headers }
    const text = typeof document === 'string' ? document : JSON.stringify(document)
    const answer = {
      method: 'GET',
      url: '/posts',
      status: 200,
      header: (name: string) => all[name] ?? null,
      text,
      ...more,
    }
    return documentFaults(answer, expected)
  }

  /** The good document with something else at one place; undefined for nothing. */
  function spoilt(place: string, value: unknown) {
    const document = structuredClone(good)
    const names = place.split('/')
    const last = names.pop() as string
    const at = names.reduce<unknown>((inner, name) => Reflect.get(inner as object, name), document)
    Reflect.set(at as object, last, value)
    return faultsOf(document)
  }

  test('nothing in a good one', () => expect(faultsOf(good)).toEqual([]))

  test.each<[string, RegExp, string, unknown]>([
    ['a member that is not defined', /^the root has a member extra/, 'extra', 1],
    ['data and errors', /^data and errors together/, 'errors', [{ status: '200' }]],
    ['another version', /^jsonapi.version is 1.0/, 'jsonapi/version', '1.0'],
    ['a profile that the Content-Type lacks', /^jsonapi.profile is/, 'jsonapi/profile/1', 'https://x.example'],
    ['a link that is none', /^links.self is no link/, 'links/self', '/posts?page[size]=1'],
    ['a list of links', /^links.prev is no link/, 'links/prev', ['/x']],
    ['a link of another kind', /^links has a member other/, 'links/other', '/x'],
    ['an object where a list is due', /^data is no list/, 'data', { type: 'posts', id: '1' }],
    ['an id that is a number', /^data.0.id is no string/, 'data/0/id', 1],
    ['a foreign key', /^data.0: authorId is a foreign key/, 'data/0/attributes/authorId', 1],
    ['two fields of one name', /two fields are called tags/, 'data/0/attributes/tags', 1],
    ['a name that cannot be one', /a\+b is no name of a field/, 'data/0/attributes/a+b', 1],
    ['an empty relationship', /^data.0.tags says nothing/, 'data/0/relationships/tags', {}],
    ['linkage of nothing', /tags.data.0.id is no string/, 'data/0/relationships/tags/data/0', { type: 'tags' }],
    ['linkage with more', /author.data.0 has a member x/, 'data/0/relationships/author/data/x', 1],
    ['a resource twice', /^a resource is there twice/, 'included/1', { type: 'posts', id: '1' }],
    ['one that nothing links to', /^users:2 is included, and nothing/, 'included/1', { type: 'users', id: '2' }],
    ['included without data', /^included without data/, 'data', undefined],
  ])('%s', (_, fault, place, value) => {
    expect(spoilt(place, value)).toContainEqual(expect.stringMatching(fault))
  })

  test.each<[string, RegExp, object]>([
    ['an error of another status', /^errors.0.status is 404 in a 422/, { status: '404' }],
    ['a status that is a number', /^errors.0.status is no string/, { status: 422 }],
    ['an error with more', /^errors.0 has a member message/, { message: 'No.' }],
    ['a source that is none', /^errors.0.source is no object/, { source: '/data' }],
    ['a source with more', /^errors.0.source has a member line/, { source: { line: '1' } }],
    ['a pointer without a slash', /pointer is no JSON Pointer/, { source: { pointer: 'data' } }],
    ['a pointer beyond what was sent', /leads to nothing that was sent/, { source: { pointer: '/data/attributes' } }],
    ['a link of another kind', /^errors.0.links has a member self/, { links: { self: '/x' } }],
  ])('%s', (_, fault, error) => {
    const document = (errors: object[]) => ({ jsonapi: good.jsonapi, errors })
    const sent = '{"data":{"type":"posts"}}'
    const fine = { status: '422', links: { type: '/x' }, source: { pointer: '/data/type' } }
    expect(faultsOf(document([fine]), {}, { status: 422, sent })).toEqual([])
    const spoilt = document([{ ...fine, ...error }])
    expect(faultsOf(spoilt, {}, { status: 422, sent })).toContainEqual(expect.stringMatching(fault))
  })

  test('a status that is not what several errors have in common', () => {
    const answered = (status: number, ...own: readonly string[]) => {
      const errors = own.map((each) => ({ status: each }))
      return faultsOf({ jsonapi: good.jsonapi, errors }, {}, { status })
    }
    expect([answered(400, '404', '422'), answered(422, '422', '422'), answered(500, '422', '503')]).toEqual([
      [],
      [],
      [],
    ])
    for (const faulty of [answered(422, '404', '422'), answered(400, '422', '422'), answered(400, '422', '503')])
      expect(faulty).toEqual([expect.stringMatching(/is not what its errors have in common$/)])
  })

  test('what is wrong with an answer around its document', () => {
    expect(faultsOf(good, { vary: null })).toEqual(['Vary does not name Accept'])
    expect(faultsOf(good, { 'content-type': `${type};charset=utf-8` })).toHaveLength(1)
    expect(faultsOf(good, {}, { status: 204 })).toHaveLength(2)
    expect(faultsOf('{')).toEqual(['the body is no JSON'])
    expect(faultsOf([])).toEqual(['the root is no object'])
    expect(faultsOf({ errors: [] }, {}, { status: 400 })).toContain('errors is no list with something in it')
    const errors = [{ status: '404', extra: 1 }]
    expect(faultsOf({ jsonapi: good.jsonapi, errors }, {}, { status: 400 })).toEqual([
      'errors.0 has a member extra',
      'errors.0.status is 404 in a 400',
    ])
  })
})
