import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Answer, type Api, type ApiOptions, api, openTarget, send, type TestFilter } from '@prismapi/testing'
import { afterAll, describe, expect, test } from 'vitest'

// The client, against a server that says what it was asked.

const echo: RequestListener = (request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => {
    body += chunk
  })
  request.on('end', () => {
    const { method, url, headers } = request
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ meta: { method, url, headers, body } }))
  })
}

const opened: Api<never>[] = []
afterAll(() => Promise.all(opened.map((each) => each.close())))
function open<U>(options?: ApiOptions<U>): Api<U> {
  const client = api(echo, options)
  opened.push(client as Api<never>)
  return client
}

const urlOf = ({ document }: Answer) => decodeURIComponent(String(document?.meta?.url))
const bodyOf = ({ document }: Answer) => JSON.parse(String(document?.meta?.body))
const mediaType = 'application/vnd.api+json'

/** The headers that say something. */
function headersOf({ document }: Answer) {
  const echoed = document?.meta as { readonly headers: Record<string, string> }
  const { host, connection, ...headers } = echoed.headers
  return headers
}

describe('a call', () => {
  test('has the verb, the path below the base, and the media type', async () => {
    const answer = await open({ base: '/api/v1' }).get('/posts')
    expect({ ...answer.document?.meta, headers: headersOf(answer) }).toEqual({
      method: 'GET',
      url: '/api/v1/posts',
      headers: { accept: mediaType },
      body: '',
    })
    expect(answer).toMatchObject({ status: 200, request: { method: 'GET', path: '/api/v1/posts' } })
  })

  test('has a value for each parameter of the base, and another one for another client', async () => {
    const client = open({ base: '/api/:organization/v1/:year', params: { organization: 'a/b é', year: '2026' } })
    const pathOf = async (asked: PromiseLike<Answer>) => (await asked).request.path
    const ofB = client.params({ organization: 'b', year: '1' }).header('X-One', '1')
    expect([
      await pathOf(client.get('/posts')),
      await pathOf(ofB.get('/posts')),
      await pathOf(ofB.operations([])),
      await pathOf(client.get('http://a.example/api/c/v1/2/posts')),
    ]).toEqual([
      '/api/a%2Fb%20%C3%A9/v1/2026/posts',
      '/api/b/v1/1/posts',
      '/api/b/v1/1/operations',
      '/api/c/v1/2/posts',
    ])
  })

  test.each([{}, { year: '' }, { other: '1' }])('has no parameter of the base without a value: %j', (params) => {
    const client = open({ base: '/api/:year/v1', params })
    expect(() => client.get('/posts')).toThrow(
      'base is /api/:year/v1, and year has no value. Pass it: api(app, { params: { year: … } }).',
    )
  })

  test('asks for everything that a query can say', async () => {
    const answer = await open()
      .get('/posts')
      .include('author', 'tags')
      .include('comments.author')
      .fields({ posts: ['title', 'author'], users: [] })
      .sort('-createdAt')
      .sort('id')
      .page({ number: 2, size: 5 })
      .withCount('comments')
      .query({ 'includePage[comments]': 3, since: new Date(0) })
    expect(urlOf(answer)).toBe(
      '/posts?include=author,tags,comments.author&fields[posts]=title,author&fields[users]=&sort=-createdAt,id' +
        '&page[number]=2&page[size]=5&withCount=comments&includePage[comments]=3&since=1970-01-01T00:00:00.000Z',
    )
  })

  test.each<[string, TestFilter]>([
    ['filter[title]=One\\, two', { title: 'One, two' }],
    ['filter[title][contains]=One, two', { title: { contains: 'One, two' } }],
    ['filter[title][in]=One\\, two', { title: { in: 'One, two' } }],
    ['filter[title][notIn]=One\\, two,Three', { title: { notIn: ['One, two', 'Three'] } }],
    ['filter[or][0][title]=One\\, two', { or: [{ title: 'One, two' }] }],
    ['filter[title]=back\\&filter[title]=One, two', { title: ['back\\', 'One, two'] }],
    ['filter[title]=One\\, two,back\\', { title: ['One, two', 'back\\'] }],
    ['filter[title]=One\\, two,Three', { title: ['One, two', 'Three'] }],
    ['filter[id]=1,2', { id: [1, 2n] }],
    [
      'filter[createdAt][gte]=1970-01-01T00:00:00.000Z&filter[createdAt][lt]=x',
      { createdAt: { gte: new Date(0), lt: 'x' } },
    ],
    ['filter[author.name][contains]=Ann', { 'author.name': { contains: 'Ann' } }],
    ['filter[or][0][title]=One&filter[or][1][author]=7,8', { or: [{ title: 'One' }, { author: [7, 8] }] }],
    ['filter[not][0][or][0][featured]=true', { not: [{ or: [{ featured: true }] }] }],
  ])('filters by %s', async (query, filter) => {
    expect(urlOf(await open().get('/posts').filter(filter))).toBe(`/posts?${query}`)
  })

  test.each<[string, (client: Api) => unknown]>([
    [
      'filter[x]: null is no value of a parameter. Leave it out, or say { isNull: true }.',
      (client) => client.get('/').filter({ x: null as never }),
    ],
    [
      'filter[or][0][x]: undefined is no value of a parameter. Leave it out.',
      (client) => client.get('/').filter({ or: [{ x: undefined as never }] }),
    ],
    [
      'filter[x]: undefined is no value of a parameter. Leave it out.',
      (client) => client.get('/').filter({ x: ['a', undefined as never] }),
    ],
    [
      'page[size]: undefined is no value of a parameter. Leave it out.',
      (client) => client.get('/').page({ size: undefined as never }),
    ],
    [
      'since: undefined is no value of a parameter. Leave it out.',
      (client) => client.get('/').query({ since: undefined as never }),
    ],
  ])('refuses what no URL can say: %s', (message, ask) => {
    expect(() => ask(open())).toThrow(new Error(message))
  })

  test('never changes: what is asked of it is asked of another one', async () => {
    const posts = open().get('/posts').filter({ title: 'One' })
    const first = posts.filter({ slug: 'one' }).page({ size: 1 })
    expect(urlOf(await posts)).toBe('/posts?filter[title]=One')
    expect(urlOf(await first)).toBe('/posts?filter[title]=One&filter[slug]=one&page[size]=1')
    expect(urlOf(await first.filter({ title: 'Two' }))).toBe('/posts?filter[title]=Two&filter[slug]=one&page[size]=1')
  })

  test('is sent each time it is awaited', async () => {
    const call = open().get('/posts')
    expect(await Promise.all([call, call])).toHaveLength(2)
    expect((await call).status).toBe(200)
  })

  test('adds its query to that of the path, which may have what a URL may not', async () => {
    expect(urlOf(await open({ base: '/api' }).get('/posts/a b?sort=id').include('tags'))).toBe(
      '/api/posts/a b?sort=id&include=tags',
    )
  })

  test('follows a link by its path, wherever it leads', async () => {
    const client = open({ base: '/api' })
    expect(urlOf(await client.get('https://api.example.org/api/posts/1?include=tags'))).toBe(
      '/api/posts/1?include=tags',
    )
  })

  test.each(['/api/v1', 'api/v1', '/api/v1/', 'api/v1//'])('has the base %s before its path', async (base) => {
    expect(urlOf(await open({ base }).get('/posts'))).toBe('/api/v1/posts')
  })

  test.each(['', '/'])('may have no base: "%s"', async (base) => {
    expect(urlOf(await open({ base }).get('/posts'))).toBe('/posts')
  })

  test('wants a path', () => {
    expect(() => open().get('posts')).toThrow('posts: no path. Begin it with "/", or give a whole URL.')
  })
})

describe('headers', () => {
  test('of the API and of the call are sent, the last one counts, and null takes one away', async () => {
    const client = open({ headers: { 'X-One': '1', 'X-Two': '2', 'Accept-Language': 'de' } })
    const answer = await client
      .header('x-two', 'two')
      .get('/posts')
      .header('X-Three', '3')
      .header('accept-language', null)
      .header('Accept', null)
    expect(headersOf(answer)).toEqual({ 'x-one': '1', 'x-two': 'two', 'x-three': '3' })
  })

  test('say who asks, as soon as somebody does', async () => {
    const client = open({ signIn: async (id: number) => ({ Authorization: `Bearer ${id}` }) })
    expect(headersOf(await client.get('/posts'))).toEqual({ accept: mediaType })
    const ann = client.as(7)
    expect(headersOf(await ann.get('/posts'))).toEqual({ accept: mediaType, authorization: 'Bearer 7' })
    expect(headersOf(await ann.as(null).get('/posts'))).toEqual({ accept: mediaType })
  })

  test('cannot say it where nobody told how', () => {
    expect(() => open().as(7 as never)).toThrow(
      'signIn is missing, so that as() cannot make credentials. Give api() a signIn.',
    )
  })
})

describe('a body', () => {
  const post = {
    type: 'posts',
    id: 7,
    attributes: { title: 'One', publishedAt: new Date(0), views: 12n, checksum: new Uint8Array([171, 205]) },
    relationships: {
      author: { type: 'users', id: 3 },
      tags: [{ type: 'tags', id: 1 }],
      video: null,
      site: { data: null },
    },
  }
  const data = {
    type: 'posts',
    id: '7',
    attributes: { title: 'One', publishedAt: '1970-01-01T00:00:00.000Z', views: '12', checksum: 'q80=' },
    relationships: {
      author: { data: { type: 'users', id: '3' } },
      tags: { data: [{ type: 'tags', id: '1' }] },
      video: { data: null },
      site: { data: null },
    },
  }

  test('may be a resource in short', async () => {
    const answer = await open().post('/posts', post)
    expect(bodyOf(answer)).toEqual({ data })
    expect(headersOf(answer)).toMatchObject({ accept: mediaType, 'content-type': mediaType })
    expect(bodyOf(await open().patch('/posts/7', post))).toEqual({ data })
  })

  test.each([
    [null, { data: null }],
    [{ type: 'users', id: 3 }, { data: { type: 'users', id: '3' } }],
    [[{ type: 'tags', id: 1 }], { data: [{ type: 'tags', id: '1' }] }],
    [[], { data: [] }],
    [{ data: { type: 'tags', id: 1 } }, { data: { type: 'tags', id: 1 } }],
    [{ meta: { at: new Date(0) } }, { meta: { at: '1970-01-01T00:00:00.000Z' } }],
    ['{"as":"it is"}', { as: 'it is' }],
  ])('%j is sent as %j', async (body, sent) => {
    expect(bodyOf(await open().delete('/posts/1/relationships/tags', body))).toEqual(sent)
  })

  test('of operations has their extension in both headers', async () => {
    const answer = await open({ base: '/api/v2' }).operations([
      { op: 'add', data: post },
      { op: 'update', ref: { type: 'posts', id: 7, relationship: 'tags' }, data: [{ type: 'tags', id: 1 }] },
      { op: 'remove', ref: { type: 'posts', id: 7 } },
    ])
    expect(bodyOf(answer)).toEqual({
      'atomic:operations': [
        { op: 'add', data },
        { op: 'update', ref: { type: 'posts', id: '7', relationship: 'tags' }, data: [{ type: 'tags', id: '1' }] },
        { op: 'remove', ref: { type: 'posts', id: '7' } },
      ],
    })
    const atomic = `${mediaType};ext="https://jsonapi.org/ext/atomic"`
    expect(answer.document?.meta).toMatchObject({ method: 'POST', url: '/api/v2/operations' })
    expect(headersOf(answer)).toMatchObject({ accept: atomic, 'content-type': atomic })
  })
})

describe('what is asked', () => {
  test('is made with the first request, and once', async () => {
    let made = 0
    await using client = api(async () => {
      made++
      return { callback: () => echo }
    })
    expect(made).toBe(0)
    await Promise.all([client.get('/a'), client.get('/b')])
    expect(made).toBe(1)
  })

  test('may run already, at a URL', async () => {
    const server = createServer(echo)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const answer = await api(`http://127.0.0.1:${port}/api/`).get('/posts')
    expect(answer.document?.meta).toMatchObject({ url: '/api/posts', headers: { host: `127.0.0.1:${port}` } })
    const other = await api(`http://127.0.0.1:${port}/api`, { base: '/other' }).get('/posts')
    expect(other.document?.meta).toMatchObject({ url: '/other/posts' })
    server.closeAllConnections()
    server.close()
  })

  test('that cannot be made fails the request', async () => {
    const client = api(async () => Promise.reject(new Error('No database.')))
    await expect(client.get('/posts')).rejects.toThrow('No database.')
  })

  test('may be a listener that passes on all it is given', async () => {
    await using client = api((...args: Parameters<RequestListener>) => echo(...args))
    expect((await client.get('/posts')).document?.meta).toMatchObject({ url: '/posts' })
  })

  test('has to be made by the function that should make it', async () => {
    const client = api((() => undefined) as never)
    await expect(client.get('/posts')).rejects.toThrow(
      'app: the function gave no application. Return a Koa app or a listener from it; a listener itself takes (request, response).',
    )
  })

  test('that could not be made is tried again, and has nothing to close', async () => {
    let isReady = false
    const client = api(async () => {
      if (!isReady) throw new Error('No database.')
      return echo
    })
    await expect(client.get('/posts')).rejects.toThrow('No database.')
    await client.close()
    await expect(client.get('/posts')).rejects.toThrow('No database.')
    isReady = true
    expect((await client.get('/posts')).status).toBe(200)
    await client.close()
  })

  test('that cannot be made is all that a block fails with', async () => {
    const block = async () => {
      await using client = api(async () => Promise.reject(new Error('No database.')))
      await client.get('/posts')
    }
    await expect(block()).rejects.toThrow(new Error('No database.'))
  })

  test('answers nobody once it is closed', async () => {
    const target = openTarget(echo)
    const origin = await target.origin()
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    await target.close()
    await expect(fetch(origin)).rejects.toThrow('fetch failed')
  })
})

test('send sends what it is given, and no more', async () => {
  await using target = openTarget(echo)
  const answer = await send(target, { method: 'PUT', path: '/x?a=%20', headers: { 'X-One': '1' }, body: 'ä' })
  expect(answer.document?.meta).toMatchObject({ method: 'PUT', url: '/x?a=%20', body: 'ä' })
  expect(headersOf(answer)).toEqual({ 'x-one': '1', 'content-length': '2' })
})

test('a body that is no JSON is a text without a document', async () => {
  await using client = api((_request, response) => void response.writeHead(502).end('Bad gateway'))
  expect(await client.get('/')).toMatchObject({ status: 502, text: 'Bad gateway', document: undefined })
})

describe('a body that is no document', () => {
  const client = open()
  const sentAs = (answer: Answer) => {
    const { 'content-type': type, 'content-length': length } = headersOf(answer)
    return [type, Number(length), String(answer.document?.meta?.body)]
  }

  test('is sent byte for byte, as bytes or as what a Blob says', async () => {
    const bytes = Uint8Array.of(195, 164)
    const text = 'ä'
    expect(sentAs(await client.post('/files', bytes))).toEqual(['application/octet-stream', 2, text])
    expect(sentAs(await client.post('/files', new Blob([bytes], { type: 'image/png' })))).toEqual([
      'image/png',
      2,
      text,
    ])
    expect(sentAs(await client.post('/files', bytes).header('Content-Type', 'image/gif'))).toEqual([
      'image/gif',
      2,
      text,
    ])
  })

  test('is a form, with its boundary, each time that the call is awaited', async () => {
    const form = new FormData()
    form.set('title', 'One')
    form.set('poster', new Blob(['x'], { type: 'image/png' }), 'a.png')
    const call = client.post('/files', form)
    for (const answer of [await call, await call]) {
      const [type, length, body] = sentAs(answer) as [string, number, string]
      const [, boundary] = /^multipart\/form-data; boundary=(.+)$/.exec(type) ?? []
      expect([length, body]).toEqual([
        body.length,
        [
          `--${boundary}`,
          'Content-Disposition: form-data; name="title"',
          '',
          'One',
          `--${boundary}`,
          'Content-Disposition: form-data; name="poster"; filename="a.png"',
          'Content-Type: image/png',
          '',
          'x',
          `--${boundary}--`,
          '',
        ].join('\r\n'),
      ])
    }
  })

  test('is what a form of a page sends', async () => {
    const answer = await client.post('/-browse/sign-in', new URLSearchParams({ token: 'a b' }))
    expect(sentAs(answer)).toEqual(['application/x-www-form-urlencoded;charset=UTF-8', 9, 'token=a+b'])
  })
})
