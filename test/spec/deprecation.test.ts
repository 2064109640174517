import type { SchemaClass } from '@prismapi/jsonapi/schema/schema'
import { Validator } from '@seriousme/openapi-schema-validator'
import { type ModelName, meta, type RowOf, Schema, Server, type WhereOf } from 'prismapi'
import type { ServerParts } from 'prismapi/types'
import { describe, expect, test, vi } from 'vitest'
import type { Send } from '../support/api.ts'
import { inPlace } from '../support/openapi-in-place.ts'
import { addPost, addUser } from '../support/rows.ts'
import { plain, type TextAnswer, useServers } from '../support/servers.ts'

// RFC 9745 (Deprecation) and RFC 8594 (Sunset).

const soon = { since: '2026-01-01', sunset: '2027-01-01', link: 'https://example.org/soon' }
const later = { since: '2026-06-01T12:00:00.5Z' }

class Posts extends Schema<'Post'> {
  override fields() {
    return [
      this.attribute('synopsis').deprecated(soon),
      this.attribute('content').named('body').deprecated(later),
      this.relation('tags').deprecated(later),
    ]
  }

  override filters() {
    return [this.filter('short', { kind: 'boolean', deprecated: soon, where: (): WhereOf<'Post'> | null => null })]
  }

  override sorts() {
    return [{ ...this.sort('popularity', 'comments.count'), deprecated: soon }, this.sort('short', 'title')]
  }

  override actions() {
    return [
      this.action('ping', { deprecated: soon, handle: () => meta({ is: 'there' }) }),
      this.action('pong', { handle: ({ row }: { row: RowOf<'Post'> }) => row }),
    ]
  }
}

class Videos extends Schema<'Video'> {
  override deprecated = soon
}

const models = ['User', 'Post', 'Tag', 'Video', 'Comment'] as const satisfies readonly ModelName[]

class Comments extends Schema<'Comment'> {
  override fields() {
    return [this.morphTo('commentable', ['video', 'post'])]
  }
}

class Now extends Server {
  override readonly name: string = 'now'
  override readonly version = '1.1'
  override readonly models: readonly ModelName[] = models
  override authorizable() {
    return false
  }
}

class Old extends Now {
  override readonly name = 'old'
  override readonly deprecated = { since: '2025-01-01', sunset: '2026-12-31', link: 'https://example.org/a b' }
}

class Fading extends Now {
  override readonly name = 'fading'
  override readonly deprecated = { since: '2025-01-01', link: 'https://example.org/fading' }
}

class Plain extends Now {
  override readonly name = 'plain'
}

const schemas = new Map<string, SchemaClass>([
  ['Post', Posts],
  ['Video', Videos],
  ['Comment', Comments],
])
const servers: readonly ServerParts[] = [
  plain(Now, { schemas }),
  plain(Old, { schemas }),
  plain(Fading, { schemas }),
  plain(Plain),
]
const api = useServers(() => ({
  servers,
  policies: new Map(),
  before: () => async (ctx, next) => {
    ctx.set('Link', '<https://example.org/terms>; rel="terms-of-service"')
    await next()
  },
}))

const terms = '<https://example.org/terms>; rel="terms-of-service"'
const saidBy = ({ headers }: TextAnswer) => ({
  deprecation: headers.get('Deprecation'),
  sunset: headers.get('Sunset'),
  link: headers.get('Link'),
})

const nothing = { deprecation: null, sunset: null, link: terms }
const isSoon = {
  deprecation: '@1767225600',
  sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
  link: `${terms}, <https://example.org/soon>; rel="deprecation", <https://example.org/soon>; rel="sunset"`,
}
const isLater = { deprecation: '@1780315200', sunset: null, link: terms }

const ask = async (method: string, path: string, send: Send = {}) => {
  const answer = await api.as(null)(method, path, send)
  return { status: answer.status, ...saidBy(answer) }
}

const get = (path: string) => ask('GET', `/api/now${path}`)

describe('a type that is deprecated', () => {
  test('says so at each of its URLs, refused requests among them', async () => {
    const { id } = await api.db.video.create({ data: { title: 'V', url: 'https://a.example/v' } })
    for (const path of ['/videos', `/videos/${id}`, `/videos/${id}/tags`, `/videos/${id}/relationships/owner`])
      expect(await get(path)).toEqual({ status: 200, ...isSoon })
    expect(await get('/videos/nobody')).toEqual({ status: 404, ...isSoon })
    expect(await get('/videos?filter[nothing]=1')).toEqual({ status: 400, ...isSoon })
    expect(await ask('POST', '/api/now/videos', { body: 1 })).toEqual({ status: 400, ...isSoon })
    expect(await ask('DELETE', `/api/now/videos/${id}`)).toEqual({ status: 204, ...isSoon })
  })

  test('says so whatever the method', async () => {
    expect(await ask('OPTIONS', '/api/now/videos')).toEqual({ status: 204, ...isSoon })
    expect(await ask('PUT', '/api/now/videos')).toEqual({ status: 405, ...isSoon })
    expect(await ask('POST', '/api/now/videos/1/tags')).toEqual({ status: 405, ...isSoon })
    expect(await ask('OPTIONS', '/api/now/users')).toEqual({ status: 204, ...nothing })
    expect(await ask('PUT', '/api/now/users')).toEqual({ status: 405, ...nothing })
  })

  test('ends every relation that leads to nothing else', async () => {
    const { id } = await addUser(api.db)
    expect(await get(`/users/${id}/videos`)).toEqual({ status: 200, ...isSoon })
    expect(await get(`/users/${id}?include=videos`)).toEqual({ status: 200, ...isSoon })
    expect(await get(`/users/${id}?include=posts`)).toEqual({ status: 200, ...nothing })
    expect(await get('/comments?include=commentable')).toEqual({ status: 200, ...nothing })
  })

  test('says nothing at the URLs of others', async () => {
    expect(await get('/users')).toEqual({ status: 200, ...nothing })
    expect(await get('/posts')).toEqual({ status: 200, ...nothing })
  })
})

describe('a field that is deprecated', () => {
  test.each([
    ['fields', '/posts?fields[posts]=title,synopsis', isSoon],
    ['fields of an included type', '/users?include=posts&fields[posts]=synopsis', isSoon],
    ['a filter', '/posts?filter[synopsis]=x', isSoon],
    ['a filter with an operator', '/posts?filter[synopsis][contains]=x', isSoon],
    ['a filter in a group', '/posts?filter[or][0][title]=x&filter[or][1][synopsis][isNull]=true', isSoon],
    ['a filter behind relations', '/users?filter[posts.synopsis]=x', isSoon],
    ['a filter of what is included', '/users?include=posts&includeFilter[posts][synopsis]=x', isSoon],
    ['an order', '/posts?sort=title,-synopsis', isSoon],
    ['an order of what is included', '/users?include=posts&includeSort[posts]=-synopsis', isSoon],
    ['an include', '/posts?include=tags', isLater],
    ['an include further away', '/users?include=posts.tags', isLater],
    ['its name, where it is served by another', '/posts?fields[posts]=body', isLater],
    ['a filter of its own', '/posts?filter[short]=true', isSoon],
    ['a sort of its own', '/posts?sort=-popularity', isSoon],
    ['a sort that is called like a filter', '/posts?sort=short', nothing],
    ['an include of linkage', '/users/1/relationships/posts?include=posts.tags', isLater],
    ['another field', '/posts?fields[posts]=title&filter[title]=synopsis&sort=title&include=author', nothing],
    ['nothing', '/posts', nothing],
  ])('is told of to who asks for %s', async (_name, path, said) => {
    expect(await get(path)).toEqual({ status: 200, ...said })
  })

  test('is told of to who writes it', async () => {
    const author = await addUser(api.db)
    const post = (slug: string, attributes: object, relationships: object = {}) => ({
      body: {
        data: {
          type: 'posts',
          attributes: { title: 'T', slug, body: 'B', ...attributes },
          relationships: { author: { data: { type: 'users', id: String(author.id) } }, ...relationships },
        },
      },
    })
    expect(await ask('POST', '/api/now/posts', post('with', { synopsis: 'S' }))).toEqual({ status: 201, ...isSoon })
    expect(await ask('POST', '/api/plain/posts', { body: post('x', {}).body })).toMatchObject(nothing)
    const { id } = await addPost(api.db)
    const patch = (attributes: object, relationships = {}) => ({
      body: { data: { type: 'posts', id: String(id), attributes, relationships } },
    })
    const tags = patch({}, { tags: { data: [] } })
    expect(await ask('PATCH', `/api/now/posts/${id}`, tags)).toEqual({ status: 200, ...isLater })
    expect(await ask('PATCH', `/api/now/posts/${id}`, patch({ title: 'U' }))).toEqual({ status: 200, ...nothing })
    expect(await ask('PATCH', `/api/now/posts/${id}`, patch({ body: 'U' }))).toEqual({ status: 200, ...isLater })
    expect(await ask('PATCH', `/api/now/posts/${id}/relationships/tags`, { body: { data: [] } })).toMatchObject(isLater)
  })

  test('is told of at the URLs of a relation, whatever the method', async () => {
    for (const path of ['/posts/1/tags', '/posts/1/relationships/tags']) {
      expect(await ask('PUT', `/api/now${path}`)).toEqual({ status: 405, ...isLater })
      expect(await ask('OPTIONS', `/api/now${path}`)).toEqual({ status: 204, ...isLater })
    }
  })

  test('is told of to who writes it by an operation', async () => {
    const { id } = await addPost(api.db)
    const type = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
    const operations = (attributes: object) =>
      ask('POST', '/api/now/operations', {
        headers: { 'Content-Type': type, Accept: type },
        body: { 'atomic:operations': [{ op: 'update', data: { type: 'posts', id: String(id), attributes } }] },
      })
    expect(await operations({ title: 'V' })).toEqual({ status: 200, ...nothing })
    expect(await operations({ synopsis: 'V' })).toEqual({ status: 200, ...isSoon })
  })

  test('ends as soon as the first of several', async () => {
    const both = await get('/posts?fields[posts]=synopsis,body')
    expect(both).toEqual({ status: 200, ...isSoon })
  })
})

test('an action that is deprecated says so, and others do not', async () => {
  const { id } = await addPost(api.db)
  expect(await ask('POST', `/api/now/posts/${id}/-actions/ping`)).toEqual({ status: 200, ...isSoon })
  expect(await ask('GET', `/api/now/posts/${id}/-actions/ping`)).toEqual({ status: 405, ...isSoon })
  expect(await ask('OPTIONS', `/api/now/posts/${id}/-actions/ping`)).toEqual({ status: 204, ...isSoon })
  expect(await ask('POST', `/api/now/posts/${id}/-actions/pong`)).toEqual({ status: 200, ...nothing })
})

describe('a server that is deprecated', () => {
  const isOld = {
    deprecation: '@1735689600',
    sunset: 'Thu, 31 Dec 2026 00:00:00 GMT',
    link: `${terms}, <https://example.org/a%20b>; rel="deprecation", <https://example.org/a%20b>; rel="sunset"`,
  }

  test.each([
    ['/api/old', 200],
    ['/api/old/openapi.json', 200],
    ['/api/old/posts', 200],
    ['/api/old/nothing', 404],
    ['/api/old/operations', 405],
  ])('says so at %s', async (path, status) => {
    expect(await ask('GET', path)).toEqual({ status, ...isOld })
  })

  test('leads to the pages of everything that is used', async () => {
    expect(await ask('GET', '/api/old/videos')).toEqual({
      status: 200,
      ...isOld,
      link: `${isOld.link}, <https://example.org/soon>; rel="deprecation", <https://example.org/soon>; rel="sunset"`,
    })
  })

  test('gets its sunset from the document that names the first one, with links to every page', async () => {
    const page = '<https://example.org/fading>'
    const link = `${terms}, ${page}; rel="deprecation"`
    const isFading = { deprecation: '@1735689600', sunset: null, link }
    const added = `${page}; rel="sunset", <https://example.org/soon>; rel="deprecation", <https://example.org/soon>; rel="sunset"`
    const ends = { ...isFading, sunset: isSoon.sunset, link: `${link}, ${added}` }
    const { id } = await addPost(api.db)
    const update = (attributes: object) =>
      ask('PATCH', `/api/fading/posts/${id}`, { body: { data: { type: 'posts', id: String(id), attributes } } })
    expect(await update({ title: 'V' })).toEqual({ status: 200, ...isFading })
    expect(await update({ synopsis: 'V' })).toEqual({ status: 200, ...ends })
  })

  test('leaves its neighbours alone', async () => {
    expect(await ask('GET', '/api/plain/videos')).toEqual({ status: 200, ...nothing })
  })
})

describe('the OpenAPI document', () => {
  const document = async (server: string) => (await api.as(null)('GET', `/api/${server}/openapi.json`)).body
  const ends = { deprecated: true, 'x-deprecated-since': '2026-01-01', 'x-sunset': '2027-01-01' }

  test('marks what is deprecated, and nothing else', async () => {
    const { paths, components, info } = await document('now')
    const marked = new Set<string>()
    const look = (value: unknown, at: string): void => {
      if (typeof value !== 'object' || value === null) return
      if ('deprecated' in value) marked.add(at)
      for (const [key, each] of Object.entries(value)) look(each, at === '' ? key : `${at} ${key}`)
    }
    look(paths, '')
    look(components, '')
    const urls = [...marked].filter((at) => at.startsWith('/'))
    expect(urls.filter((at) => !at.startsWith('/api/now/videos'))).toEqual([
      '/api/now/users/{id}/videos get',
      '/api/now/users/{id}/relationships/videos get',
      '/api/now/users/{id}/relationships/videos patch',
      '/api/now/users/{id}/relationships/videos post',
      '/api/now/users/{id}/relationships/videos delete',
      '/api/now/posts/{id}/tags get',
      '/api/now/posts/{id}/relationships/tags get',
      '/api/now/posts/{id}/relationships/tags patch',
      '/api/now/posts/{id}/relationships/tags post',
      '/api/now/posts/{id}/relationships/tags delete',
      '/api/now/posts/{id}/-actions/ping post',
      '/api/now/tags/{id}/videos get',
      '/api/now/tags/{id}/relationships/videos get',
      '/api/now/tags/{id}/relationships/videos patch',
      '/api/now/tags/{id}/relationships/videos post',
      '/api/now/tags/{id}/relationships/videos delete',
    ])
    const page = { url: 'https://example.org/soon' }
    expect(paths['/api/now/videos'].get).toMatchObject({ ...ends, externalDocs: page })
    const filters = inPlace({ paths, components }, 'parameters').paths['/api/now/posts'].get.parameters
    const filterBy = (name: string) => filters.find((each: { name?: string }) => each.name === `filter[${name}]`)
    const markedFilters = [...marked].flatMap((at) => /^parameters filters\.(\w+)-\w+$/.exec(at)?.[1] ?? [])
    expect(markedFilters).toEqual(['videos', 'body', 'synopsis', 'tags', 'short'])
    expect(filterBy('synopsis')).toMatchObject(ends)
    expect(filterBy('short')).toEqual({
      name: 'filter[short]',
      in: 'query',
      description: "`short` is this API's own filter, and takes one value.",
      ...ends,
      schema: { type: 'boolean' },
    })
    expect(components.schemas['posts.resource'].properties.attributes.properties.synopsis).toMatchObject(ends)
    expect(components.schemas['posts.create'].properties.data.properties.attributes.properties.synopsis).toMatchObject(
      ends,
    )
    expect(components.schemas['posts.resource'].properties.attributes.properties.title).not.toHaveProperty('deprecated')
    expect(components.schemas['videos.resource']).toMatchObject(ends)
    expect(info).not.toHaveProperty('x-sunset')
  })

  test('is one of OpenAPI', async () => {
    expect(await new Validator().validate(await document('old'))).toEqual({ valid: true })
  })

  test('says which headers tell of it', async () => {
    const { paths, components } = await document('now')
    const { headers } = inPlace({ paths, components }, 'responses').paths['/api/now/videos'].get.responses[200]
    expect(headers).toMatchObject({
      Deprecation: { $ref: '#/components/headers/Deprecation' },
      Sunset: { $ref: '#/components/headers/Sunset' },
      Link: { $ref: '#/components/headers/Link' },
    })
    expect(Object.keys(components.headers)).toEqual(['ETag', 'Deprecation', 'Sunset', 'Link'])
  })

  test('marks everything of a server that is deprecated', async () => {
    const { info, paths } = await document('old')
    expect(info).toMatchObject({ 'x-deprecated-since': '2025-01-01', 'x-sunset': '2026-12-31' })
    expect(paths['/api/old/users'].get).toMatchObject({ deprecated: true, 'x-sunset': '2026-12-31' })
    expect(paths['/api/old'].get).toMatchObject({ deprecated: true })
  })

  test('of a server without any has no word of it', async () => {
    expect(JSON.stringify(await document('plain'))).not.toMatch(/deprecat|sunset/i)
  })
})

test('what the headers are told by and what the query means is read from one reading of its parameters', async () => {
  const url = '/api/old/posts?filter[title]=once&sort=-title'
  await api.as(null)('GET', url.replace('once', 'before'))
  const decode = vi.spyOn(globalThis, 'decodeURIComponent')
  const { status } = await api.as(null)('GET', url)
  const decoded = decode.mock.calls.map(([text]) => text)
  decode.mockRestore()
  expect(status).toBe(200)
  expect(decoded.filter((text) => text === 'filter[title]' || text === 'once')).toEqual(['filter[title]', 'once'])
})
