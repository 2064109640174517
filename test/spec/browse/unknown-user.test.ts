import { forbidden } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { browserAccept } from '../../support/pages.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// A page takes nobody for a guest whom the application could not look up; whom it refuses can still sign in, or out.

class Shown extends V1 {
  override readonly browsable = true
}
const session = `prismapi-browse=${Buffer.from('Bearer kept').toString('base64url')}`

const api = useServers(async () => ({
  ...(await exampleWith(Shown)),
  authenticate: async (ctx) => {
    const how = ctx.get('X-Refused')
    if (how === '401') ctx.throw(401, 'Expired.')
    if (how === '403') throw forbidden('Blocked.')
    throw new Error('The database is away.')
  },
}))
const page = async (headers: Readonly<Record<string, string>>) => {
  const response = await fetch(`${api.at}/api/v1/posts`, { headers: { Accept: browserAccept, ...headers } })
  expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
  return { status: response.status, text: await response.text() }
}

describe('where the user cannot be found out, a page', () => {
  test('says what is wrong, and not who is asking', async () => {
    const { status, text } = await page({})
    expect(status).toBe(500)
    expect(text).toContain('<h1>Error 500</h1>')
    expect(text).not.toMatch(/You are|Sign in|Sign out/)
  })

  test('lets its reader sign out', async () => {
    const { status, text } = await page({ Cookie: session })
    expect(status).toBe(500)
    expect(text).toContain('<button>Sign out</button>')
    expect(text).not.toMatch(/You are|Sign in/)
  })
})

describe.each([
  ['ctx.throw(401)', '401'],
  ['an error of 403', '403'],
])('where the application refuses the user by %s, a page', (_, how) => {
  test('lets a guest sign in', async () => {
    const { status, text } = await page({ 'X-Refused': how })
    expect(status).toBe(Number(how))
    expect(text).toContain('<summary class="button main">Sign in</summary>')
    expect(text).toContain('You are a guest.')
  })

  test('lets who signed in sign out', async () => {
    const { status, text } = await page({ 'X-Refused': how, Cookie: session })
    expect(status).toBe(Number(how))
    expect(text).toContain('<button>Sign out</button>')
  })

  test('of the sign-in says so at the field', async () => {
    const response = await fetch(`${api.at}/api/v1/-browse/sign-in`, {
      method: 'POST',
      headers: { Accept: browserAccept, 'Sec-Fetch-Site': 'same-origin', 'X-Refused': how },
      body: new URLSearchParams({ token: 'blocked', back: '/api/v1' }),
    })
    expect([response.status, response.headers.get('Set-Cookie')]).toEqual([401, null])
    expect(await response.text()).toMatch(/<p class="error" id="token-error">(Expired|Blocked)\.<\/p>/)
  })
})
