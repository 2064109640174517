import { connect } from 'node:net'
import { Schema } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { mediaType, useApi, users } from '../../support/api.ts'
import { openServer } from '../../support/open-server.ts'
import { browserAccept, browserOf, tagOf } from '../../support/pages.ts'
import { useServers } from '../../support/servers.ts'

const api = useApi()
const browser = browserOf(api)
const sealIn = (text: string) => /<body data-seal="([^"]+)"/.exec(text)?.[1] as string

describe('signing in', () => {
  test('keeps the token in a cookie that no script reads and no other site sends', async () => {
    const { answer, whole } = await browser.signIn(users.member3)
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/api/v1/posts'])
    expect(whole).toMatch(/^prismapi-browse=[\w-]+; Path=\/api\/v1; HttpOnly; SameSite=Strict; Secure$/)
  })

  test('says who is asking, on every page', async () => {
    const { cookie } = await browser.signIn(users.member3)
    for (const path of ['/api/v1', '/posts', '/posts/999999'])
      expect((await browser.send(path, { headers: { Cookie: cookie } })).text).toContain('You are Member 3 (MEMBER).')
  })

  test.each([
    ['nobody', 'Unauthenticated.'],
    ['', 'This is not a token.'],
    ['a\u0007b', 'This is not a token.'],
  ])('with %j is refused at the field', async (token, expected) => {
    const { status, headers, text } = await browser.submit('/api/v1/-browse/sign-in', { token, back: '/api/v1' })
    expect([status, headers.get('Set-Cookie')]).toEqual([401, null])
    expect(text).toContain(`<p class="error" id="token-error">${expected}</p>`)
  })

  test.each([
    '//evil.example',
    'https://evil.example/api/v1',
    '/api/v1\\@evil',
    '/elsewhere',
    '/api/v1evil',
    '/api/v1/\r\nX: y',
    '/api/v1/../../evil',
    '/api/v1/%2e%2e/%2E%2e/evil',
    '/api/v1/..//evil.example',
    '/api/v1/..',
  ])('leads to a page of the server, not to %s', async (back) => {
    const token = (await api.authorization(users.member3)).slice(7)
    const { headers } = await browser.submit('/api/v1/-browse/sign-in', { token, back })
    expect(headers.get('Location')).toBe('/api/v1')
  })

  test('leads to where a path with dots leads, as long as that is a page of the server', async () => {
    const token = (await api.authorization(users.member3)).slice(7)
    const back = '/api/v1/posts/../tags?sort=name'
    const { headers } = await browser.submit('/api/v1/-browse/sign-in', { token, back })
    expect(headers.get('Location')).toBe('/api/v1/tags?sort=name')
  })

  test('by a client that goes away halfway is no failure of the server', async () => {
    const before = api.logs.length
    const { hostname, port, pathname } = new URL(api.url('/api/v1/-browse/sign-in'))
    const socket = connect(Number(port), hostname)
    socket.write(`POST ${pathname} HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/x-www-form-urlencoded\r\n`)
    socket.write('Content-Length: 100\r\n\r\ntoken=half', () => setTimeout(() => socket.destroy(), 50))
    const logged = () =>
      api.logs.slice(before).filter(({ message }) => ['Request refused', 'Unforeseen error'].includes(message))
    await expect
      .poll(logged)
      .toEqual([{ level: 'debug', message: 'Request refused', fields: expect.objectContaining({ status: 400 }) }])
  })

  test('with more than a form can hold is 413, which the client gets to read', async () => {
    const token = 'a'.repeat(200_000)
    const { status, text } = await browser.submit('/api/v1/-browse/sign-in', { token })
    expect([status, JSON.parse(text)]).toEqual([
      413,
      {
        jsonapi: { version: '1.0' },
        errors: [
          {
            status: '413',
            title: 'Payload Too Large',
            detail: 'The request body must not be larger than 16384 bytes.',
          },
        ],
      },
    ])
  })

  test('is of the page itself: other sites are refused', async () => {
    const token = (await api.authorization(users.member3)).slice(7)
    const from = (headers: Record<string, string>) =>
      browser.send('/api/v1/-browse/sign-in', { method: 'POST', headers, body: new URLSearchParams({ token }) })
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'null' },
      { Origin: 'https://evil.example' },
    ])
      expect((await from(headers as Record<string, string>)).status).toBe(403)
  })

  test('ends', async () => {
    const { status, headers } = await browser.submit('/api/v1/-browse/sign-out', { back: '/api/v1/tags' })
    expect([status, headers.get('Location'), headers.get('Set-Cookie')]).toEqual([
      303,
      '/api/v1/tags',
      'prismapi-browse=; Max-Age=0; Path=/api/v1; HttpOnly; SameSite=Strict; Secure',
    ])
  })

  test.each([
    '/posts?-new=',
    '/comments?-new=commentable:posts:1&-back=/api/v1/posts/1',
    '/posts/1?-delete=',
    '/posts?page[size]=5&-field=title',
  ])('on the page of a form leads back to it: %s', async (path) => {
    const { text } = await browser.send(`/api/v1${path}`)
    const back =
      /<form class="sheet" method="post" action="\/api\/v1\/-browse\/sign-in"><input type="hidden" name="back" value="([^"]*)">/.exec(
        text,
      )?.[1]
    const token = (await api.authorization(users.member3)).slice(7)
    const { headers } = await browser.submit('/api/v1/-browse/sign-in', {
      token,
      back: (back ?? '').replaceAll('&amp;', '&'),
    })
    expect(decodeURIComponent(headers.get('Location') ?? '')).toBe(`/api/v1${path}`)
  })

  test('with a token that lapses leads to a page with the error and the way out', async () => {
    const cookie = `prismapi-browse=${Buffer.from('Bearer lapsed').toString('base64url')}`
    const { status, text } = await browser.send('/posts', { headers: { Cookie: cookie } })
    expect(status).toBe(401)
    expect(tagOf(text, 'form class="sign"')).toContain('/-browse/sign-out')
  })
})

describe('a long token', () => {
  const servers = useServers(() => ({
    policies: new Map(),
    production: false,
    servers: [openServer('signed', { Tag: Schema<'Tag'> })],
    authenticate: (ctx) =>
      ctx.get('Authorization') ? { id: 1, name: 'Long', email: 'x', role: 'ADMIN' as const } : null,
  }))
  const submit = async (path: string, fields: Readonly<Record<string, string>>) => {
    const response = await fetch(`${servers.at}/api/signed${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Accept: browserAccept, 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams(fields),
    })
    return { status: response.status, cookie: response.headers.get('Set-Cookie'), text: await response.text() }
  }
  const refusal = 'This token is too long: browsers keep no cookie of its size.'

  test('is kept as far as browsers keep a cookie: 4,096 bytes with its name and attributes', async () => {
    const kept = await submit('/-browse/sign-in', { token: 'x'.repeat(3000), back: '/api/signed' })
    expect([kept.status, kept.cookie?.length]).toEqual([303, 4079])
    const response = await fetch(`${servers.at}/api/signed`, {
      headers: { Accept: browserAccept, Cookie: kept.cookie?.split(';')[0] ?? '' },
    })
    expect(await response.text()).toContain('You are Long (ADMIN).')
  })

  test('that is longer is refused at the field', async () => {
    const { status, cookie, text } = await submit('/-browse/sign-in', { token: 'x'.repeat(3100), back: '/api/signed' })
    expect([status, cookie]).toEqual([401, null])
    expect(text).toContain(`<p class="error" id="token-error">${refusal}</p>`)
  })

  test('that is longer sends no form again', async () => {
    const sent = { 'string!:/data/attributes/name': 'by a long token', '-token': 'x'.repeat(3100) }
    const { status, cookie, text } = await submit('/tags?-new=', sent)
    expect([status, cookie]).toEqual([401, null])
    expect(text).toContain(`<strong>Unauthorized</strong>: ${refusal}`)
    expect(await servers.db.tag.count({ where: { name: 'by a long token' } })).toBe(0)
  })
})

describe('the cookie', () => {
  const draft = async () => api.db.post.findFirstOrThrow({ where: { authorId: users.member3, publishedAt: null } })
  const body = JSON.stringify({ data: { type: 'tags', attributes: { name: 'sealed' } } })
  const headers = { 'Content-Type': mediaType, Accept: mediaType }

  test('counts for pages, and not for documents', async () => {
    const { cookie } = await browser.signIn(users.member3)
    const { id } = await draft()
    const get = async (accept: string) =>
      (await browser.send(`/posts/${id}`, { headers: { Cookie: cookie, Accept: accept } })).status
    expect(await get('text/html')).toBe(200)
    expect(await get(mediaType)).toBe(404)
    expect(await get('*/*')).toBe(404)
  })

  test('writes nothing by itself, nor with another’s seal', async () => {
    const { cookie } = await browser.signIn(users.admin)
    const other = await browser.signIn(users.member3)
    const seal = sealIn((await browser.send('/tags', { headers: { Cookie: other.cookie } })).text)
    const post = async (more: Record<string, string>) =>
      (await browser.send('/tags', { method: 'POST', body, headers: { ...headers, Cookie: cookie, ...more } })).status
    expect(await post({})).toBe(403)
    expect(await post({ 'Browse-Seal': seal })).toBe(403)
    expect(await post({ 'Browse-Seal': '' })).toBe(403)
  })

  test('writes with the seal of its page, from that page', async () => {
    const { cookie } = await browser.signIn(users.admin)
    const seal = sealIn((await browser.send('/tags', { headers: { Cookie: cookie } })).text)
    const sealed = { ...headers, Cookie: cookie, 'Browse-Seal': seal }
    const from = (site: string) =>
      browser.send('/tags', { method: 'POST', body, headers: { ...sealed, 'Sec-Fetch-Site': site } })
    expect((await from('cross-site')).status).toBe(403)
    expect((await from('same-site')).status).toBe(403)
    expect((await from('same-origin')).status).toBe(201)
  })
})

test('the files of the pages are served for good, by their contents', async () => {
  const { text } = await browser.send('/api/v1')
  for (const [, url, type] of [
    [0, /href="([^"]*browse\.css[^"]*)"/.exec(text)?.[1], 'text/css; charset=utf-8'],
    [0, /src="([^"]*browse\.js[^"]*)"/.exec(text)?.[1], 'text/javascript; charset=utf-8'],
  ] as const) {
    const { status, headers } = await browser.send(url as string, { headers: { Accept: '*/*' } })
    expect([status, headers.get('Content-Type')]).toEqual([200, type])
    expect(headers.get('Cache-Control')).toBe('private, max-age=31536000, immutable')
  }
  expect((await browser.send('/api/v1/-browse/assets/secret.js')).status).toBe(404)
})
