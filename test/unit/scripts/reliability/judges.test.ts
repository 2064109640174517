import { describe, expect, test } from 'vitest'
import { curlOf } from '../../../../scripts/reliability/asked/curl.ts'
import {
  descriptionJudge,
  documentJudge,
  pageJudge,
  streamJudge,
} from '../../../../scripts/reliability/asked/judges.ts'
import { markup } from '../../../../scripts/reliability/asked/pages.ts'
import { servers } from '../../../support/example-servers.ts'

// What the random requests of `npm run reliability -- fuzz` would find.

const server = servers[1]
const sent = { method: 'GET', path: '/api/v2/tags', headers: { Accept: 'text/html' } }
const policy = { 'content-security-policy': "default-src 'none'" }

describe('a page', () => {
  const headers = { 'content-type': 'text/html; charset=utf-8', ...policy }
  const page = (content: string) => `<!doctype html>\n<html lang="en"><main>${content}</main></body></html>`
  const faultsOf = (status: number, text: string) => pageJudge(server, sent, { status, headers, text })

  test('is whole', () => {
    expect(faultsOf(200, page('Tags'))).toEqual([])
    expect(faultsOf(200, '<!doctype html>\n<html lang="en"><main>Ta')).toEqual([expect.stringContaining('cut off')])
  })

  test('repeats no markup of the client', () => {
    expect(faultsOf(200, page('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;'))).toEqual([])
    expect(faultsOf(200, page(markup))).toEqual(['the page has what a client sent, as it is'])
  })

  test('is no 5xx, and tells nothing of the inside', () => {
    expect(faultsOf(500, page('Oops'))).toEqual([expect.stringContaining('the answer is 500')])
    expect(faultsOf(400, page('PrismaClientKnownRequestError'))).toEqual([expect.stringContaining('of the inside')])
  })

  test('has a policy', () => {
    expect(pageJudge(server, sent, { status: 200, headers: { 'content-type': 'text/html' }, text: page('') })).toEqual([
      'the page has no policy',
    ])
  })

  test.each(['//example.org', 'https://example.org', '/api/v2evil', '', '/api/v1/posts'])(
    'leads nobody to "%s"',
    (to) => {
      const faults = pageJudge(server, sent, { status: 303, headers: { location: to }, text: '' })
      expect(faults).toEqual([`the reader is sent to ${to}`])
    },
  )

  test.each(['/api/v2', '/api/v2/posts?sort=id'])('leads to "%s"', (to) => {
    expect(pageJudge(server, sent, { status: 303, headers: { location: to }, text: '' })).toEqual([])
  })
})

describe('a stream', () => {
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }
  const faultsOf = (text: string) => streamJudge(server, sent, { status: 200, headers, text })
  const document = (data: unknown) =>
    JSON.stringify({ jsonapi: { version: '1.1' }, links: { self: '/api/v2/tags' }, data })
  const snapshot = (data: unknown) => `event: snapshot\nid: x\ndata: ${document(data)}\n\n`

  test('begins with a document, or with nothing', () => {
    expect(faultsOf(snapshot([]))).toEqual([])
    expect(faultsOf('')).toEqual([])
    expect(faultsOf(snapshot([{ type: 'nothing', id: '1' }]))).toEqual([expect.stringContaining('not served')])
  })

  test('has events that the documentation names, each with an id', () => {
    expect(faultsOf('event: surprise\nid: x\ndata: {}\n\n')).toHaveLength(1)
    expect(faultsOf('event: reset\ndata: {}\n\n')).toHaveLength(1)
    expect(faultsOf('event: remove\nid: x\ndata: {"data":{"type":"tags","id":"1"}}\n\n')).toEqual([])
  })

  test('goes on with a resource, whose document has no links', () => {
    const attributes = { name: 'x' }
    const links = { self: '/api/v2/tags/1' }
    const relationships = Object.fromEntries(
      ['posts', 'videos'].map((name) => {
        const related = `${links.self}/${name}`
        return [name, { links: { self: `${links.self}/relationships/${name}`, related } }]
      }),
    )
    const upsert = (data: unknown) =>
      `event: upsert\nid: x\ndata: ${JSON.stringify({ jsonapi: { version: '1.1' }, data })}\n\n`
    expect(faultsOf(upsert({ type: 'tags', id: '1', attributes, relationships, links }))).toEqual([])
    expect(faultsOf(upsert({ type: 'tags', id: '1', attributes: {}, relationships, links }))).toEqual([
      'data.attributes.name is missing',
    ])
  })

  test('is kept by no cache', () => {
    const kept = { status: 200, headers: { 'content-type': 'text/event-stream' }, text: '' }
    expect(streamJudge(server, sent, kept)).toEqual(['a stream that caches may keep'])
  })
})

test('503 says when to come back', () => {
  const errors = JSON.stringify({
    jsonapi: { version: '1.1' },
    errors: [{ status: '503', title: 'Service Unavailable' }],
  })
  const answer = { status: 503, text: errors, headers: { 'content-type': 'application/vnd.api+json', vary: 'Accept' } }
  expect(documentJudge(server, sent, { ...answer, headers: { ...answer.headers, 'retry-after': '1' } })).toEqual([])
  expect(documentJudge(server, sent, answer)).toEqual([expect.stringContaining('the answer is 503')])
})

test('an OpenAPI document says so', () => {
  const headers = { 'content-type': 'application/json' }
  expect(descriptionJudge(server, sent, { status: 200, headers, text: '{"openapi":"3.1.0"}' })).toEqual([])
  expect(descriptionJudge(server, sent, { status: 200, headers, text: '{}' })).toEqual(['this is no OpenAPI document'])
})

test('a command of curl has the very request, whatever is in it', () => {
  const request = {
    method: 'POST',
    path: "/api/v1/tags?filter[name]=it's",
    headers: { Accept: '', A: "'b'" },
    body: '{"a":1}',
  }
  expect(curlOf(request)).toBe(
    `curl -sig --path-as-is -m 10 -X POST -H 'Accept;' -H 'A: '\\''b'\\''' --data-binary '{"a":1}' 'http://127.0.0.1:3000/api/v1/tags?filter[name]=it'\\''s'`,
  )
})
