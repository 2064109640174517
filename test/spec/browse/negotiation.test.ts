import { describe, expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { mediaType, useApi, users } from '../../support/api.ts'
import { browserAccept, browserOf } from '../../support/pages.ts'
import { exampleWith, theExample, useServers } from '../../support/servers.ts'

const api = useApi()
const browser = browserOf(api)

describe('who gets a page', () => {
  test.each([browserAccept, 'text/html', 'text/html, */*;q=0.1', 'TEXT/HTML;charset=utf-8, application/*;q=0.5'])(
    '%s does',
    async (accept) => {
      const { status, headers, text } = await browser.send('/posts', { headers: { Accept: accept } })
      expect([status, headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(text).toMatch(/^<!doctype html>/)
    },
  )

  test.each([
    mediaType,
    '*/*',
    'application/*',
    '',
    `text/html, ${mediaType}`,
    `text/html, ${mediaType};q=0.1`,
    'text/html;q=0.5, */*',
    'text/html;q=0, */*;q=0.1',
  ])('"%s" gets JSON:API', async (accept) => {
    const { status, headers, text } = await browser.send('/posts', { headers: { Accept: accept } })
    expect([status, headers.get('Content-Type')]).toEqual([200, mediaType])
    expect(JSON.parse(text).data).toHaveLength(15)
  })

  test('who names JSON:API with a parameter that it does not have is refused in JSON:API', async () => {
    const { status, headers } = await browser.send('/posts', { headers: { Accept: `${mediaType};a=b, text/html` } })
    expect([status, headers.get('Content-Type')]).toEqual([406, mediaType])
  })

  test('nobody does for a write', async () => {
    const { status, headers } = await browser.send('/posts', { method: 'POST', body: new URLSearchParams({ a: 'b' }) })
    expect([status, headers.get('Content-Type')]).toEqual([415, mediaType])
  })

  test('a write that takes nothing but pages is refused in JSON:API', async () => {
    const headers = { Accept: 'text/html', Authorization: await api.authorization(users.admin) }
    const answer = await browser.send('/tags/1', { method: 'DELETE', headers })
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([406, mediaType])
    expect(await api.db.tag.count({ where: { id: 1 } })).toBe(1)
  })
})

describe('a page', () => {
  test('may do nothing but what comes from its own origin, and nobody keeps it', async () => {
    const { headers } = await browser.send('/posts')
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy':
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      vary: 'Accept, Accept-Encoding',
    })
    expect(headers.get('ETag')).toBeNull()
  })

  test.each([
    ['/posts/999999', 404],
    ['/nothing', 404],
    ['/posts?page[number]=0', 400],
    ['/posts?sort=nothing', 400],
  ])('of %s has the status %i of its document, and shows its errors', async (path, expected) => {
    const document = await api.guest.get(path)
    const { status, headers, text } = await browser.send(path)
    expect([document.status, status, headers.get('Content-Type')]).toEqual([
      expected,
      expected,
      'text/html; charset=utf-8',
    ])
    const told = expected === 404 ? '<p role="alert">There is nothing at this address' : document.body.errors[0].title
    expect(text).toContain(told)
  })

  test('asked for by HEAD is not sent', async () => {
    const { status, headers, text } = await browser.send('/posts', { method: 'HEAD' })
    expect([status, headers.get('Content-Type'), text]).toEqual([200, 'text/html; charset=utf-8', ''])
  })

  test('is no answer to what is known already: a document is a page anew each time', async () => {
    const { status } = await browser.send('/posts', { headers: { 'If-None-Match': '*' } })
    expect(status).toBe(200)
  })
})

describe('servers', () => {
  class Closed extends V1 {
    override readonly browsable = false
  }
  const closed = useServers(async () => ({ ...(await exampleWith(Closed)), production: false }))
  const inProduction = useServers(async () => ({ ...(await theExample()), production: true }))

  test.each([
    ['that are not browsable', () => closed],
    ['in production', () => inProduction],
  ])('%s have no pages', async (_, servers) => {
    const ask = servers().as(null)
    expect((await ask('GET', '/api/v1/posts', { headers: { Accept: 'text/html' } })).status).toBe(406)
    const answer = await ask('GET', '/api/v1/posts', { headers: { Accept: browserAccept } })
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, mediaType])
    for (const path of ['/-browse/assets/browse.js', '/-browse/sign-in'])
      expect((await ask('GET', `/api/v1${path}`)).status).toBe(404)
  })
})
