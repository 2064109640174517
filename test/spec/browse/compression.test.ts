import { gunzipSync } from 'node:zlib'
import { Server } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { largeSchema } from '../../support/large-schema.ts'
import { browserOf, firstPaint, opened, transferred } from '../../support/pages.ts'
import { resourcesOf } from '../../support/resources-of.ts'
import { plain, useServers } from '../../support/servers.ts'

// Who asks for a page as its reader gets it compressed.

const api = useApi()
const browser = browserOf(api)

class Large extends Server {
  override readonly name = 'large'

  override authorizable() {
    return false
  }
}

const sentAs = (headers: Readonly<Record<string, string>>, path = '/posts') => transferred(api.url(path), headers)

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
    const { text, unpacked, bytes } = await firstPaint(api.url(path), { Cookie: cookie })
    expect([text.match(/<th scope="row">/g)?.length, unpacked]).toEqual([50, []])
    expect(bytes).toBeLessThan(30_000)
  },
)

describe('a server with 302 types', () => {
  // Its start page asks the database for nothing.
  const servers = useServers(() => ({
    policies: new Map(),
    production: false,
    resources: resourcesOf(largeSchema(302), 'sqlite'),
    servers: [plain(Large)],
  }))

  test('has a start page of less than 20 kB, with all of them', async () => {
    const { text, unpacked, bytes } = await firstPaint(`${servers.at}/api/large`)
    expect([text.match(/<section class="card">/g)?.length, unpacked]).toEqual([302, []])
    expect(bytes).toBeLessThan(20_000)
  })
})
