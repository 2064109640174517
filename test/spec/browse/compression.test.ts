import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { browserAccept, browserOf } from '../../support/pages.ts'

// Who asks for a page as its reader gets it compressed.

const api = useApi()
const browser = browserOf(api)

/** As a browser asks, which says what for: fetch of Node says so itself. */
const sentAs = (headers: Readonly<Record<string, string>>, path = '/posts') =>
  new Promise<{ readonly encoding: string | undefined; readonly body: Buffer }>((resolve, reject) => {
    const sent = { Accept: browserAccept, 'Accept-Encoding': 'gzip, deflate, br', ...headers }
    request(api.url(path), { headers: sent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ encoding: response.headers['content-encoding'], body: Buffer.concat(chunks) }))
    })
      .on('error', reject)
      .end()
  })
const opened = { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Site': 'none' }

describe('a page is compressed', () => {
  test.each([
    ['typed into the bar of the browser', {}],
    ['reached by a link of a page', { 'Sec-Fetch-Site': 'same-origin' }],
  ])('where it is %s', async (_, more) => {
    const { encoding, body } = await sentAs({ ...opened, ...more })
    const whole = await sentAs({})
    expect([encoding, whole.encoding]).toEqual(['gzip', undefined])
    expect(gunzipSync(body).toString()).toBe(whole.body.toString())
    expect(body.length).toBeLessThan(whole.body.length / 4)
  })

  // Others could find out by its length what else is in it (BREACH).
  test.each([
    ['another site asks for it', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another host of the site does', { 'Sec-Fetch-Site': 'same-site' }],
    ['a script does', { 'Sec-Fetch-Dest': 'empty' }],
    ['nobody says who asks', { 'Sec-Fetch-Dest': '', 'Sec-Fetch-Site': '' }],
    ['the browser does not take it', { 'Accept-Encoding': 'identity' }],
  ])('not where %s', async (_, more) => {
    expect((await sentAs({ ...opened, ...more })).encoding).toBeUndefined()
  })
})

test.each(['/api/v1/posts?page[number]=1&page[size]=50', '/api/v2/posts?page[size]=50'])(
  'the first paint of %s for an administrator is less than 30 kB',
  async (path) => {
    const { cookie } = await browser.signIn(users.admin, path.slice(0, 7))
    const { body } = await sentAs({ ...opened, Cookie: cookie }, path)
    const text = gunzipSync(body).toString()
    expect(text.match(/<th scope="row">/g)).toHaveLength(50)
    const assets = [...text.matchAll(/(?:href|src)="([^"]*\/assets\/[^"]*)"/g)].map(([, href]) => href as string)
    const parts = await Promise.all(assets.map((href) => sentAs({}, href)))
    expect(parts.every(({ encoding }) => encoding === 'gzip')).toBe(true)
    const sum = parts.reduce((bytes, part) => bytes + part.body.length, body.length)
    expect(sum).toBeLessThan(30_000)
  },
)
