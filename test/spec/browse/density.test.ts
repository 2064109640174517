import { describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { browserOf, tagOf } from '../../support/pages.ts'

// How close the rows of tables stand is chosen once for all tables, without a script.

const api = useApi()
const browser = browserOf(api)

describe('the rows of tables', () => {
  test('stand closer where their reader has chosen so, and the choice leads back to the page', async () => {
    const first = await browser.send('/posts?sort=title')
    expect(tagOf(first.text, 'html')).toBe('<html lang="en">')
    expect(first.text).toContain('<button name="density" value="compact">Compact rows</button>')
    const back = '/api/v1/posts?sort=title'
    const answer = await browser.submit('/api/v1/-browse/density', { density: 'compact', back })
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, back])
    const whole = answer.headers.get('Set-Cookie') ?? ''
    expect(whole).toBe('prismapi-density=compact; Path=/api/v1; Max-Age=31536000; HttpOnly; SameSite=Lax')
    const { text } = await browser.send('/comments', { headers: { Cookie: whole.split(';')[0] as string } })
    expect(tagOf(text, 'html')).toBe('<html lang="en" data-density="compact">')
    expect(text).toContain('<button name="density" value="comfortable">Comfortable rows</button>')
  })

  test('are chosen by pages of this server alone, and lead nowhere else', async () => {
    const fields = { density: '"><b>', back: '//evil.example' }
    const other = await browser.submit('/api/v1/-browse/density', fields, { 'Sec-Fetch-Site': 'cross-site' })
    expect([other.status, other.headers.get('Set-Cookie')]).toEqual([403, null])
    const own = await browser.submit('/api/v1/-browse/density', fields)
    expect([own.headers.get('Location'), own.headers.get('Set-Cookie')?.split(';')[0]]).toEqual([
      ...['/api/v1', 'prismapi-density=comfortable'],
    ])
    // In the menu of each page.
    expect((await browser.send('/posts/1')).text).toContain(
      'name="back" value="/api/v1/posts/1"><button name="density"',
    )
  })
})
