import { ResourceRequest, Schema, string } from 'prismapi'
import { beforeAll, describe, expect, test } from 'vitest'
import { provider } from '../../support/database.ts'
import { openServer } from '../../support/open-server.ts'
import { theExample, useServers } from '../../support/servers.ts'
import { type SpanTree, useTelemetry } from '../../support/telemetry.ts'

const secret = 'a-secret-that-is-told-to-nobody'
const observed = useTelemetry()

class Tags extends Schema<'Tag'> {}

/** What happens to a write when it has been judged, and before it is committed; once. */
let meanwhile: () => unknown = () => {}
const once = async () => {
  const work = meanwhile
  meanwhile = () => {}
  await work()
}

class TagRequest extends ResourceRequest<'Tag'> {
  override rules() {
    return { name: string() }
  }

  override async withExisting() {
    await once()
    return null
  }
}

const fail = () => {
  throw new TypeError(`boom ${secret}`)
}

const fallback = (kind: string, model: string, reason: string) => ({
  unit: '{operation}',
  attributes: { 'prismapi.fallback.kind': kind, 'prismapi.model': model, 'prismapi.fallback.reason': reason },
  value: 1,
})

/** Servers that nothing goes well on. */
const faulty = [
  openServer(
    'odd',
    { Tag: Tags },
    { serving: (phase) => phase.scope('Tag', { name: { equals: api.db.tag.fields.name } }) },
  ),
  openServer('failing', { Tag: Tags }, { serving: (phase) => phase.reading('Tag', fail) }),
  openServer('met', { Tag: Tags }, { serving: (phase) => phase.created('Tag', once) }),
  openServer('overtaken', { Tag: Tags }, { requests: { Tag: { request: TagRequest } } }),
]

const api = useServers(async () => {
  const { policies, servers } = await theExample()
  // What is asked for again is read again.
  return { policies, servers: [...servers, ...faulty], telemetry: observed.telemetry, keptAnswers: false }
})

const tag = (name: string) => ({ data: { type: 'tags', attributes: { name } } })
const ask = (method: string, path: string, send = {}, user: number | null = 1) =>
  observed.treesOf(() => api.as(user)(method, path, send))

/** The names of a tree. */
type Names = readonly [string, ...Names[]]
const namesOf = ({ name, spans }: SpanTree): Names => [name, ...spans.map(namesOf)]

const find = (trees: readonly SpanTree[], name: string): SpanTree | undefined => {
  const found = trees.find((tree) => tree.name === name)
  return found ?? trees.map(({ spans }) => find(spans, name)).find((each) => each !== undefined)
}

// Prisma's writer on SQLite has a connection for statements once it has had its first query.
beforeAll(() => api.as(1)('POST', '/api/v1/tags', { body: tag('first') }))

describe('spans', () => {
  test('of a read: its stages, and in them the queries', async () => {
    const trees = await ask('GET', '/api/v1/posts/1?include=author')
    expect(trees.map(namesOf)).toEqual([
      [
        'GET /api/v1/posts/{id}',
        ['authenticate'],
        ['read Post', ['SELECT Post']],
        ['authorize'],
        ['query'],
        ['read User', ['SELECT User']],
        ['serialize'],
      ],
    ])
    expect(trees[0]).toMatchObject({
      kind: 'SERVER',
      failed: false,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/v1/posts/{id}',
        'http.response.status_code': 200,
        'network.protocol.version': '1.1',
        'server.address': 'api.example.org',
        'url.path': '/api/v1/posts/REDACTED',
        'url.scheme': 'https',
      },
    })
  })

  test('of a query have the statement, with placeholders', async () => {
    const trees = await ask('GET', '/api/v1/tags/1')
    expect(find(trees, 'read Tag')).toMatchObject({
      kind: 'INTERNAL',
      attributes: { 'prismapi.stage': 'read', 'prismapi.model': 'Tag' },
    })
    const query = find(trees, 'SELECT Tag')
    expect(query?.kind).toBe('CLIENT')
    expect(query?.attributes).toEqual({
      'db.system.name': provider,
      'db.operation.name': 'SELECT',
      'db.collection.name': 'Tag',
      'db.query.text': expect.stringMatching(/^select .* from .*"Tag" as "t0" where "t0"."id" = (\?|\$1)/),
    })
  })

  test('of a write: validation, and one statement', async () => {
    const trees = await ask('POST', '/api/v1/tags', { body: tag('of a write') })
    expect(trees.map(namesOf)).toEqual([
      [
        'POST /api/v1/tags',
        ['authenticate'],
        ['authorize'],
        ['query'],
        ['validate'],
        ['write Tag', ['INSERT Tag']],
        ['serialize'],
      ],
    ])
  })

  test('of a write that the database refuses: the rule says why', async () => {
    await ask('POST', '/api/v1/tags', { body: tag('taken') })
    const trees = await ask('POST', '/api/v1/tags', { body: tag('taken') })
    expect(trees.map(namesOf)).toEqual([
      [
        'POST /api/v1/tags',
        ['authenticate'],
        ['authorize'],
        ['query'],
        ['validate'],
        ['write Tag', ['INSERT Tag']],
        ['validate', ['read Tag', ['SELECT Tag']]],
      ],
    ])
  })

  test('of a transaction hold its statements', async () => {
    const trees = await ask('PATCH', '/api/v1/posts/3/relationships/tags', {
      body: { data: [{ type: 'tags', id: '2' }] },
    })
    const write = find(trees, 'write')
    for (const [operation, table] of [
      ['SELECT', 'Post'],
      ['INSERT', '_PostToTag'],
    ])
      expect(find(write?.spans ?? [], `${operation} ${table}`)).toMatchObject({
        kind: 'CLIENT',
        attributes: { 'db.system.name': provider, 'db.operation.name': operation, 'db.collection.name': table },
      })
  })

  test('of a refusal say which one; it is no failure', async () => {
    const trees = await ask('GET', '/api/v1/users', {}, null)
    expect(trees).toMatchObject([{ failed: false, attributes: { 'http.response.status_code': 403 } }])
    expect(find(trees, 'authorize')).toMatchObject({ failed: false, attributes: { 'error.type': '403' } })
  })

  test('of a failure are marked', async () => {
    const trees = await ask('GET', '/api/failing/tags')
    expect(trees).toMatchObject([
      { failed: true, attributes: { 'http.response.status_code': 500, 'error.type': '500' } },
    ])
  })

  test('of what is not served have no route', async () => {
    const trees = await ask('GET', '/api/v1/nothing/at-all')
    expect(trees.map(namesOf)).toEqual([['GET']])
    expect(trees[0]?.attributes).toMatchObject({ 'url.path': '/api/v1/REDACTED', 'http.response.status_code': 404 })
    expect(trees[0]?.attributes).not.toHaveProperty('http.route')
  })

  test.each([
    ['/api/v1/posts/1/author', '/api/v1/posts/{id}/author'],
    ['/api/v1/posts/1/relationships/tags', '/api/v1/posts/{id}/relationships/tags'],
    ['/api/v1/openapi.json', '/api/v1/openapi.json'],
    ['/api/v1', '/api/v1'],
  ])('%s is %s', async (path, route) => {
    expect((await ask('GET', path))[0]?.name).toBe(`GET ${route}`)
  })

  test('are part of the trace that the client names', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    await ask('GET', '/api/v1/tags/1', { headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } })
    expect(new Set(observed.spans().map((span) => span.spanContext().traceId))).toEqual(new Set([traceId]))
  })

  test('of requests at the same time do not mix', async () => {
    const trees = await observed.treesOf(() =>
      Promise.all(Array.from({ length: 20 }, (_, i) => api.as(1)('GET', `/api/v1/${i % 2 ? 'tags' : 'users'}/1`))),
    )
    const models = trees.map(({ name, spans }) => [
      name,
      spans.filter((each) => /^read/.test(each.name)).map((each) => each.name),
    ])
    for (const [name, read] of models)
      expect(read).toEqual([name === 'GET /api/v1/tags/{id}' ? 'read Tag' : 'read User'])
    expect(models).toHaveLength(20)
  })
})

describe('metrics', () => {
  test('how long requests take, by route and status', async () => {
    await ask('GET', '/api/v2/tags/1')
    const points = await observed.pointsOf('http.server.request.duration')
    expect(points).toContainEqual({
      unit: 's',
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/v2/tags/{id}',
        'http.response.status_code': 200,
        'network.protocol.version': '1.1',
        'url.scheme': 'https',
      },
      value: expect.objectContaining({ count: 1 }),
    })
  })

  test('how many requests there are: none when all are answered', async () => {
    const points = await observed.pointsOf('http.server.active_requests')
    expect(points.length).toBeGreaterThan(2)
    expect(points.filter(({ value }) => value !== 0)).toEqual([])
  })

  test('how long queries take, by operation and table', async () => {
    const points = await observed.pointsOf('db.client.operation.duration')
    expect(points).toContainEqual({
      unit: 's',
      attributes: { 'db.system.name': provider, 'db.operation.name': 'INSERT', 'db.collection.name': 'Tag' },
      value: expect.anything(),
    })
  })

  test('what goes the slow way, and why', async () => {
    const counted = () => observed.pointsOf('prismapi.fallbacks')
    const before = (await counted()).length
    expect((await api.as(1)('GET', '/api/odd/tags/1')).status).toBe(200)
    const body = { data: { type: 'posts', id: '1', relationships: { tags: { data: [] } } } }
    expect((await api.as(1)('PATCH', '/api/v1/posts/1', { body })).status).toBe(200)
    expect((await counted()).slice(before)).toEqual([
      fallback('read', 'Tag', 'a value that is no String'),
      fallback('write', 'Post', 'the relation tags'),
    ])
  })

  test('how many writes began anew, and why', async () => {
    meanwhile = () => {
      throw Object.assign(new Error('Another transaction was met'), { code: 'P2034' })
    }
    expect((await api.as(1)('POST', '/api/met/tags', { body: tag('met') })).status).toBe(201)
    meanwhile = () => api.db.tag.update({ where: { id: 3 }, data: { name: 'theirs' } })
    const body = { data: { type: 'tags', id: '3', attributes: { name: 'ours' } } }
    expect((await api.as(1)('PATCH', '/api/overtaken/tags/3', { body })).status).toBe(200)
    expect(await observed.pointsOf('prismapi.transactions.repeated')).toEqual([
      { unit: '{transaction}', attributes: { 'prismapi.repeat.reason': 'serializationFailure' }, value: 1 },
      { unit: '{transaction}', attributes: { 'prismapi.repeat.reason': 'staleRow' }, value: 1 },
    ])
  })
})

test('nothing of headers, queries, bodies, ids and rows is told', async () => {
  const trees = [
    await ask('GET', `/api/v1/tags?filter[name]=${secret}&${secret}=1`, {
      headers: { Authorization: `Bearer ${secret}` },
    }),
    await ask('GET', `/api/v1/tags?filter[name]=${secret}`, { headers: { Cookie: secret, 'X-Api-Key': secret } }),
    await ask('GET', `/api/v1/tags/${secret}`),
    await ask('GET', `/api/v1/${secret}`),
    await ask('GET', `/api/failing/tags`),
    await ask('POST', '/api/v1/tags', { body: tag(secret) }),
    await ask('POST', '/api/v1/tags', { body: tag(secret) }),
    await ask('GET', '/api/v1/tags?page[size]=100'),
  ]
  expect(trees.every((each) => each.length === 1)).toBe(true)
  const metrics = ['http.server.request.duration', 'db.client.operation.duration', 'http.server.active_requests']
  const points = await Promise.all(metrics.map((name) => observed.pointsOf(name)))
  expect(JSON.stringify([trees, points])).not.toContain(secret)
})
