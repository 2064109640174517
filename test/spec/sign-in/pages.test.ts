import { describe, expect, test } from 'vitest'
import { browserAccept } from '../../support/pages.ts'
import { password, useNewsroom } from '../../support/sign-in/newsroom.ts'

const newsroom = useNewsroom('sqlite')
const html = { Accept: browserAccept, 'Sec-Fetch-Site': 'same-origin' }
const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(newsroom.at + url, { headers: { ...html, ...headers }, redirect: 'manual' })
const submit = (url: string, form: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
  fetch(newsroom.at + url, {
    ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams(form) },
    headers: { ...html, ...headers },
  })
const cookieOf = (response: Response) => (response.headers.getSetCookie().at(-1) ?? '').split(';')[0] as string
const ann = { login: 'ann@example.com', password }

describe('the pages', () => {
  test('lead guests to a form for a password, and offer no token to paste', async () => {
    const text = await (await get('/api/v1/posts')).text()
    expect(text).toContain('<a class="button main" href="/api/v1/-browse/sign-in?back=%2Fapi%2Fv1%2Fposts">Sign in</a>')
    expect(text).not.toContain('name="token"')
    const form = await (await get('/api/v1/-browse/sign-in?back=/api/v1/posts')).text()
    expect(form).toContain('<input id="password" name="password" type="password"')
    expect(form).toContain('<input type="hidden" name="back" value="/api/v1/posts">')
    expect(form).not.toContain('name="token"')
  })

  test('sign in by the form, and say who it is', async () => {
    const response = await submit('/api/v1/-browse/sign-in', { ...ann, back: '/api/v1/posts/1' })
    expect([response.status, response.headers.get('Location')]).toEqual([303, '/api/v1/posts/1'])
    const text = await (await get('/api/v1/posts/1', { Cookie: cookieOf(response) })).text()
    expect(text).toContain('You are Ann (ADMIN).')
    expect(text).toContain('action="/api/v1/-browse/sign-out"')
  })

  test('show the form again for a wrong password, with a message and the login', async () => {
    const response = await submit('/api/v1/-browse/sign-in', { ...ann, password: 'wrong', back: '/api/v1/posts' })
    const text = await response.text()
    expect([response.status, response.headers.getSetCookie()]).toEqual([401, []])
    expect(text).toContain('<p class="error" id="sign-in-error" role="alert">The login or the password is wrong.</p>')
    expect(text).toContain('value="ann@example.com"')
    expect(text).not.toContain('value="wrong"')
  })

  test('show it as well after too many attempts', async () => {
    const ben = { login: 'ben@example.com', password: 'a guess' }
    for (let n = 0; n < 5; n++) await submit('/api/v1/-browse/sign-in', ben)
    const response = await submit('/api/v1/-browse/sign-in', ben)
    expect([response.status, Number(response.headers.get('Retry-After')) > 0]).toEqual([429, true])
    expect(await response.text()).toContain('id="sign-in-error"')
  })

  test.each([
    '//evil.example',
    'https://evil.example/api/v1',
    '/api/v1\\@evil',
    '/elsewhere',
    '/api/v1/../../evil',
    '/api/v1/..//evil.example',
    'javascript:alert(1)',
  ])('lead after the sign-in to a page of the server, not to %s', async (back) => {
    const response = await submit('/api/v1/-browse/sign-in', { ...ann, back })
    expect(response.headers.get('Location')).toBe('/api/v1')
  })

  test.each([{ 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': '', Origin: 'https://evil.example' }])(
    'sign nobody in, and nobody out, for a form of another site: %j',
    async (headers) => {
      for (const path of ['sign-in', 'sign-out']) {
        const response = await submit(`/api/v1/-browse/${path}`, ann, headers)
        expect([response.status, response.headers.getSetCookie()]).toEqual([403, []])
      }
    },
  )

  test('sign out here, and everywhere', async () => {
    const signIn = async () => cookieOf(await submit('/api/v1/-browse/sign-in', ann))
    const [here, there] = [await signIn(), await signIn()]
    const out = await submit('/api/v1/-browse/sign-out', { back: '/api/v1/posts' }, { Cookie: here })
    expect([out.status, out.headers.get('Location')]).toEqual([303, '/api/v1/posts'])
    const isSignedIn = async (cookie: string) =>
      (await (await get('/api/v1', { Cookie: cookie })).text()).includes('You are Ann')
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([false, true])
    await submit('/api/v1/-browse/sign-out', { everywhere: 'yes' }, { Cookie: there })
    expect(await isSignedIn(there)).toBe(false)
  })

  test('carry out a form without a script in the name of the session, and of nobody where another site sends it', async () => {
    const cookie = cookieOf(await submit('/api/v1/-browse/sign-in', ann))
    const form = { '-method': 'DELETE' }
    const { id } = await newsroom.db.post.create({ data: { title: 'Goes', authorId: 1 } })
    const foreign = { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' }
    expect((await submit(`/api/v1/posts/${id}`, form, foreign)).status).toBe(403)
    expect((await submit(`/api/v1/posts/${id}`, form)).status).toBe(401)
    const response = await submit(`/api/v1/posts/${id}`, form, { Cookie: cookie })
    expect([response.status, response.headers.get('Location')]).toEqual([303, `/api/v1/posts?-did=delete+${id}`])
  })
})

describe('pages with a provider', () => {
  const local = useNewsroom('sqlite', { isLocal: true })
  const at = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(local.at + url, { headers: { ...html, ...headers }, redirect: 'manual' })
  const place = '/api/v1/-browse/sign-in/127-0-0-1'

  test('offer the form and the provider', async () => {
    const text = await (await at('/api/v1/-browse/sign-in')).text()
    expect(text).toContain(`<a class="button" href="${place}?back=%2Fapi%2Fv1">Sign in with the provider</a>`)
    expect(text).toContain('name="password"')
  })

  test('send the browser there with PKCE, state and nonce, which differ each time', async () => {
    const [first, second] = [await at(`${place}?back=/api/v1/posts`), await at(place)]
    expect(first.status).toBe(303)
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sign-in=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ])
    const [sent, other] = [first, second].map((each) => new URL(each.headers.get('Location') as string))
    expect(sent?.origin).toBe(local.identity.issuer)
    expect(Object.fromEntries((sent as URL).searchParams)).toMatchObject({
      ...{ response_type: 'code', code_challenge_method: 'S256', redirect_uri: `${local.at}${place}/callback` },
      ...{ state: expect.stringMatching(/.{32,}/), nonce: expect.stringMatching(/.{32,}/) },
    })
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(sent?.searchParams.get(name)).not.toBe(other?.searchParams.get(name))
  })

  test.each([
    ['without the cookie of a sign-in that was begun', '?code=c&state=s', false, 'begun in another browser'],
    ['with another state', '?code=c&state=s', true, 'did not sign you in'],
    ['with no state', '?code=c', true, 'did not sign you in'],
    ['with a refusal of the provider', '?error=access_denied&state=STATE', true, 'did not sign you in'],
    ['with a code that the provider has not given', '?code=c&state=STATE', true, 'did not sign you in'],
  ])('sign nobody in who comes back %s', async (_, query, hasCookie, message) => {
    const begun = await at(place)
    const state = new URL(begun.headers.get('Location') as string).searchParams.get('state') as string
    const url = `${place}/callback${query.replace('STATE', state)}&iss=${encodeURIComponent(local.identity.issuer)}`
    const response = await at(url, hasCookie ? { Cookie: cookieOf(begun) } : {})
    const text = await response.text()
    expect([response.status, response.headers.getSetCookie().some((each) => each.startsWith('session='))]).toEqual([
      400,
      false,
    ])
    expect(text).toContain(message)
    expect(text).toContain('id="sign-in-error"')
  })

  test('say so where the provider is down', async () => {
    local.identity.answerBy((_request, response) => void response.writeHead(500).end())
    const begun = await at(place)
    // What discovery said is kept for an hour: the browser is sent there, and comes back to a page that says so.
    expect(begun.status).toBe(303)
    const state = new URL(begun.headers.get('Location') as string).searchParams.get('state')
    const issuer = encodeURIComponent(local.identity.issuer)
    const response = await at(`${place}/callback?code=c&state=${state}&iss=${issuer}`, { Cookie: cookieOf(begun) })
    expect([400, 503]).toContain(response.status)
    expect(await response.text()).toContain('id="sign-in-error"')
    local.identity.answerBy(null)
  })
})
