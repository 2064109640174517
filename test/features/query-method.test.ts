import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { mediaType, useApi, users } from '../support/api.ts'

// QUERY (RFC 10008): a GET whose query string stands in the body.

const form = 'application/x-www-form-urlencoded'
const api = useApi()

type Headers = Readonly<Record<string, string>>

async function ask(
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Headers; body?: string | Buffer } = {},
) {
  const authorization = await api.authorization(users.admin)
  const response = await fetch(api.url(path), {
    method,
    headers: { accept: mediaType, authorization, ...headers },
    ...(body !== undefined && { body }),
  })
  const told = [...response.headers].filter(([name]) => name !== 'date')
  return { status: response.status, headers: Object.fromEntries(told), text: await response.text() }
}

const query = (path: string, body: string | Buffer, headers: Headers = {}) =>
  ask('QUERY', path, { body, headers: { 'content-type': form, ...headers } })
const get = (path: string, headers: Headers = {}) => ask('GET', path, { headers })

const errorOf = ({ status, text }: { status: number; text: string }) => {
  const [{ detail, source }] = JSON.parse(text).errors
  return { status, detail, ...(source && { source }) }
}

const long = (n: number) => `filter[title][in]=${Array.from({ length: n }, (_, i) => `Some title ${i}`).join()}`
const encoded = (text: string) => encodeURI(text)

describe('QUERY', () => {
  test.each([
    ['/api/v1/posts', 'include=author,tags&page[size]=3&sort=-createdAt'],
    ['/api/v1/posts', ''],
    ['/api/v1/posts/1', 'fields[posts]=title'],
    ['/api/v1/posts/1/comments', 'page[size]=2'],
    ['/api/v1/posts/1/relationships/tags', 'sort=name'],
    ['/api/v2/posts', 'page[limit]=2'],
    ['/api/v1/posts', 'filter[nothing]=1'],
    ['/api/v1/posts/0', ''],
    ['/api/v1/openapi.json', 'types=tags'],
    ['/api/v1', ''],
  ])('of %s with %s has the response of GET', async (path, body) => {
    const answer = await query(path, body)
    expect(answer).toEqual(await get(body === '' ? path : `${path}?${body}`))
    expect(answer.headers).not.toHaveProperty('allow')
  })

  test('is 304 where the client has the response already', async () => {
    const { headers } = await query('/api/v1/posts', 'page[size]=1')
    const again = await query('/api/v1/posts', 'page[size]=1', { 'if-none-match': headers.etag ?? '' })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test('takes a body that is compressed', async () => {
    const body = gzipSync('page[size]=1')
    expect(await query('/api/v1/posts', body, { 'content-encoding': 'gzip' })).toEqual(
      await get('/api/v1/posts?page[size]=1'),
    )
  })

  test('is refused where it is no query', async () => {
    const path = '/api/v1/posts'
    expect(errorOf(await query(path, '{}', { 'content-type': 'application/json' }))).toEqual({
      status: 415,
      detail: `The Content-Type of a QUERY request must be ${form}.`,
    })
    expect(errorOf(await query(`${path}?sort=id`, 'page[size]=1'))).toEqual({
      status: 400,
      detail: 'A QUERY request has its parameters in its body, and none in its URL.',
    })
    for (const body of ['sort=id#1', 'sort=id\n', 'filter[title]=é', 'sort=a b'])
      expect(errorOf(await query(path, body))).toEqual({
        status: 400,
        detail: 'The body of a QUERY request has a character that must be percent-encoded.',
      })
    expect(errorOf(await query(path, `sort=${'a'.repeat(65_536)}`))).toEqual({
      status: 413,
      detail: 'The request body must not be larger than 65536 bytes.',
    })
  })

  test('is no method of what cannot be read, and Allow names it where it is one', async () => {
    const answers = [
      await query('/api/v1/nowhere', ''),
      await query('/api/v2/operations', ''),
      await ask('OPTIONS', '/api/v1/posts'),
      await ask('DELETE', '/api/v1/posts'),
    ]
    expect(answers.map(({ status, headers: { allow, 'accept-query': accept } }) => [status, allow, accept])).toEqual([
      [404, undefined, undefined],
      [405, 'POST', undefined],
      [204, 'GET, HEAD, POST, QUERY', `"${form}"`],
      [405, 'GET, HEAD, POST, QUERY', `"${form}"`],
    ])
  })

  test('every URL that can be read says that it takes it', async () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      for (const path of ['/api/v1', '/api/v1/posts', '/api/v1/posts/1', '/api/v1/openapi.json'])
        expect((await ask(method, path)).headers['accept-query'], `${method} ${path}`).toBe(`"${form}"`)
  })
})

describe('where a URL would be longer than 4,000 characters', () => {
  const linksOf = ({ text }: { text: string }) => JSON.parse(text).links

  test('links hold the question, sealed, which GET takes', async () => {
    const body = encoded(`${long(250)}&page[size]=1`)
    const answer = await query('/api/v1/posts', body)
    const { self, first } = linksOf(answer)
    for (const link of [self, first]) {
      expect(link).toMatch(/^[^?]+\/api\/v1\/posts\?query=[\w-]+$/)
      expect(link.length).toBeLessThan(8000)
    }
    const path = new URL(self).pathname + new URL(self).search
    expect(await get(path)).toEqual(answer)
    expect((await ask('HEAD', path)).headers.etag).toEqual(answer.headers.etag)
    // Nothing else differs from what GET answers to the same query.
    const { links, ...rest } = JSON.parse((await get(`/api/v1/posts?${body}`)).text)
    const { links: _, ...sealed } = JSON.parse(answer.text)
    expect(sealed).toEqual(rest)
    expect(new URL(links.self).search.length).toBeGreaterThan(4000)
  })

  test('a seal belongs to its URL, and stands alone', async () => {
    const { self } = linksOf(await query('/api/v1/posts', encoded(long(250))))
    const { search } = new URL(self)
    const wrong = {
      status: 400,
      detail: 'Query parameter query must be one that a link to this URL has.',
      source: { parameter: 'query' },
    }
    for (const path of [`/api/v1/posts/1/comments${search}`, `/api/v2/posts${search}`, `/api/v1/posts${search}a`])
      expect(errorOf(await get(path))).toEqual(wrong)
    expect(errorOf(await get('/api/v1/posts?query='))).toEqual(wrong)
    expect(errorOf(await get(`/api/v1/posts${search}&sort=id`))).toEqual({
      status: 400,
      detail: 'Query parameter query holds all parameters, and stands alone.',
      source: { parameter: 'query' },
    })
  })

  test('what does not fit 8,000 characters either is a link to QUERY', async () => {
    let seed = 7
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647
      return (seed / 2_147_483_647).toString(36).slice(2)
    }
    const body = `filter[title][in]=${Array.from({ length: 490 }, () => random() + random()).join()}`
    const { self, first } = linksOf(await query('/api/v1/posts', body))
    expect(self.href).toMatch(/\/api\/v1\/posts$/)
    expect(self.meta.method).toBe('QUERY')
    expect(first.meta.body.length).toBeGreaterThan(8000)
    const again = await query('/api/v1/posts', self.meta.body)
    expect(linksOf(again).self).toEqual(self)
  })
})

test('a stream of QUERY begins as that of GET, and goes on', async () => {
  const headers = { accept: 'text/event-stream', authorization: await api.authorization(users.admin) }
  const opened = await Promise.all([
    fetch(api.url('/api/v2/tags?sort=-name'), { headers }),
    fetch(api.url('/api/v2/tags'), {
      ...{ method: 'QUERY', body: 'sort=-name' },
      headers: { ...headers, 'content-type': form },
    }),
  ])
  const streams = opened.map(({ body }) => body?.pipeThrough(new TextDecoderStream()).getReader())
  const texts = await Promise.all(streams.map(async (stream) => (await stream?.read())?.value))
  expect(texts[1]).toContain('event:snapshot')
  expect(texts[1]?.replace(/^id:.*$/gm, '')).toBe(texts[0]?.replace(/^id:.*$/gm, ''))
  for (const stream of streams) await stream?.cancel()
})
