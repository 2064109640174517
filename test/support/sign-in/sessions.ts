import { sessions } from '@prismapi/auth'
import Koa from 'koa'
import { describe, expect, test } from 'vitest'
import { expectErrors } from '../answers.ts'
import type { FixtureProvider } from '../any-schema/fixtures.ts'
import { mediaType } from '../api.ts'
import { listen } from '../servers.ts'
import { password, select, useNewsroom } from './newsroom.ts'

const change = (title: string) => ({ data: { type: 'posts', id: '1', attributes: { title } } })

export function sessionsSignIn(provider: FixtureProvider) {
  const newsroom = useNewsroom(provider)

  /** What a route of the application does with a request of a browser, and the cookies that it sets. */
  async function route(
    handle: (ctx: Koa.Context) => Promise<unknown>,
    headers: Readonly<Record<string, string>> = {},
    method = 'POST',
  ): Promise<{ readonly status: number; readonly cookies: readonly string[]; readonly text: string }> {
    const app = new Koa({ proxy: true })
    app.silent = true
    app.use(async (ctx) => {
      try {
        await handle(ctx)
        ctx.status = 204
      } catch (error) {
        const { status, message } = error as { status?: number; message: string }
        ctx.status = status ?? 500
        ctx.body = message
      }
    })
    const { at, close } = await listen(app.callback())
    const response = await fetch(at, { method, headers })
    const text = await response.text()
    await close()
    return { status: response.status, cookies: response.headers.getSetCookie(), text }
  }
  const ann = { login: 'ann@example.com', password }
  const cookieOf = (cookies: readonly string[]) => (cookies.at(-1) as string).split(';')[0] as string
  const signIn = async (headers = {}) =>
    cookieOf((await route((ctx) => newsroom.means.sessions.signIn(ctx, ann), headers)).cookies)
  const ask = (cookie: string, method: string, url: string, headers: object = {}, body?: unknown) =>
    newsroom.ask(method, url, { Cookie: cookie, ...headers }, body)
  const isAnn = async (cookie: string) =>
    (await ask(cookie, 'PATCH', '/api/v1/posts/1', {}, change(`${Math.random()}`))).status === 200

  describe('a session', () => {
    test('begins with a password, in a cookie that no script reads, and is stored as a digest', async () => {
      const { status, cookies } = await route((ctx) => newsroom.means.sessions.signIn(ctx, ann))
      expect([status, cookies]).toEqual([
        204,
        [expect.stringMatching(/^__Host-session=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure$/)],
      ])
      const cookie = cookieOf(cookies)
      expect(await isAnn(cookie)).toBe(true)
      const { passwordHash } = await newsroom.db.user.findUnique({ where: { id: 1 } })
      expect(passwordHash).toMatch(/^scrypt\$16384\$8\$5\$[\w-]{22}\$[\w-]{86}$/)
      expect(JSON.stringify(await newsroom.db.session.findMany())).not.toContain(cookie.split('=')[1])
    })

    test('of a wrong login and of a wrong password begin in the same way: not', async () => {
      for (const typed of [
        { ...ann, password: 'wrong' },
        { ...ann, login: 'nobody@example.com' },
        { login: '', password: '' },
        { ...ann, password: 'x'.repeat(100_000) },
        { ...ann, login: 'ann@example.com\0' },
        { ...ann, login: '\ud800' },
      ]) {
        const { status, cookies, text } = await route((ctx) => newsroom.means.sessions.signIn(ctx, typed))
        expect([status, cookies, text]).toEqual([401, [], 'The login or the password is wrong.'])
      }
    })

    test('is not begun by a sixth attempt, however right', async () => {
      const ben = { login: 'ben@example.com', password: 'a guess' }
      for (let n = 0; n < 5; n++)
        expect((await route((ctx) => newsroom.means.sessions.signIn(ctx, ben))).status).toBe(401)
      const { status } = await route((ctx) => newsroom.means.sessions.signIn(ctx, { ...ben, password }))
      expect(status).toBe(429)
    })

    test('is not begun by a sixth attempt from another address of the same network', async () => {
      const dan = { login: 'dan@example.com', password: 'a guess' }
      const from = async (address: string) =>
        (await route((ctx) => newsroom.means.sessions.signIn(ctx, dan), { 'X-Forwarded-For': address })).status
      for (let n = 1; n <= 5; n++) expect(await from(`2001:db8:1:2::${n}`)).toBe(401)
      expect([await from('2001:db8:1:2:3:4:5:6'), await from('2001:db8:1:3::1')]).toEqual([429, 401])
    })

    test('is not begun by one password that is tried on everybody, from one address', async () => {
      // Too long for a password: nothing is computed.
      const guess = (n: number) => ({ login: `user${n}@example.com`, password: 'x'.repeat(2000) })
      const from = async (typed: { login: string; password: string }, address: string) =>
        (await route((ctx) => newsroom.means.sessions.signIn(ctx, typed), { 'X-Forwarded-For': address })).status
      for (let n = 0; n < 100; n++) expect(await from(guess(n), '192.0.2.7')).toBe(401)
      expect([await from(ann, '192.0.2.7'), await from(ann, '192.0.2.8')]).toEqual([429, 204])
    })

    test('takes as long to refuse for a login that there is as for one that there is not', async () => {
      let n = 0
      const time = async (login: string) => {
        const headers = { 'X-Forwarded-For': `198.51.100.${++n}` }
        const began = performance.now()
        const { status } = await route(
          (ctx) => newsroom.means.sessions.signIn(ctx, { login, password: 'a guess' }),
          headers,
        )
        expect(status).toBe(401)
        return performance.now() - began
      }
      const [known, unknown]: [number[], number[]] = [[], []]
      // By turns: what else the machine does slows both.
      for (let turn = 0; turn < 8; turn++) {
        known.push(await time(ann.login))
        unknown.push(await time('nobody@example.com'))
      }
      const ratio = Math.min(...known) / Math.min(...unknown)
      expect(ratio).toBeGreaterThan(0.5)
      expect(ratio).toBeLessThan(2)
    })

    test('is one of its own for each of two sign-ins at once, and the one of before is over', async () => {
      const before = await signIn()
      const cookies = await Promise.all([signIn({ Cookie: before }), signIn({ Cookie: before })])
      expect(new Set([before, ...cookies]).size).toBe(3)
      const all = []
      for (const cookie of [before, ...cookies]) all.push(await isAnn(cookie))
      expect(all).toEqual([false, true, true])
    })

    test('is never one that the browser had before: nobody can fix it', async () => {
      const fixed = `__Host-session=${'A'.repeat(43)}`
      const { cookies } = await route((ctx) => newsroom.means.sessions.signIn(ctx, ann), { Cookie: fixed })
      expect(cookieOf(cookies)).not.toBe(fixed)
      expect(await isAnn(fixed)).toBe(false)
      // The session that a browser had ends where another one begins.
      const first = await signIn()
      const second = await signIn({ Cookie: first })
      expect([await isAnn(first), await isAnn(second)]).toEqual([false, true])
    })

    test('ends here, and everywhere, at once', async () => {
      const [here, there] = [await signIn(), await signIn()]
      const { cookies } = await route((ctx) => newsroom.means.sessions.signOut(ctx), { Cookie: here })
      expect(cookies).toEqual(['__Host-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure'])
      expect([await isAnn(here), await isAnn(there)]).toEqual([false, true])
      const another = await signIn()
      await route((ctx) => newsroom.means.sessions.signOut(ctx, { everywhere: true }), { Cookie: there })
      expect([await isAnn(there), await isAnn(another)]).toEqual([false, false])
      const last = await signIn()
      await newsroom.means.sessions.endAll(1)
      expect(await isAnn(last)).toBe(false)
    })

    test('that is over is one of a guest, as every cookie that is none', async () => {
      const cookie = await signIn()
      expect(await isAnn(cookie)).toBe(true)
      await newsroom.db.session.updateMany({ data: { expiresAt: new Date(Date.now() - 1000) } })
      for (const over of [cookie, '__Host-session=nothing', '__Host-session=', 'session=of-another-name-1234'])
        expect((await ask(over, 'GET', '/api/v1/posts')).status).toBe(200)
      expect(await isAnn(cookie)).toBe(false)
    })

    test('says nothing where there is an Authorization, which is refused if it is wrong', async () => {
      const cookie = await signIn()
      const { status } = await ask(cookie, 'GET', '/api/v1/posts', { Authorization: 'Bearer pk_wrong' })
      expect(status).toBe(401)
    })
  })

  describe('a page of another site', () => {
    test.each([
      ['by what browsers say today', { 'Sec-Fetch-Site': 'cross-site' }],
      ['of the same site', { 'Sec-Fetch-Site': 'same-site' }],
      ['by what they said before', { Origin: 'https://evil.example' }],
      ['that has no origin', { Origin: 'null' }],
    ])('writes nothing in the name of a session, %s', async (_, headers) => {
      const cookie = await signIn()
      const before = await newsroom.db.post.findMany()
      for (const [method, url, body] of [
        ['PATCH', '/api/v1/posts/1', change('Forged')],
        ['DELETE', '/api/v1/posts/1', undefined],
        ['POST', '/api/v1/posts', { data: { type: 'posts', attributes: { title: 'Forged' } } }],
      ] as const)
        expectErrors(await ask(cookie, method, url, headers, body), {
          status: '403',
          title: 'Forbidden',
          detail: 'Only pages of this server ask for that.',
        })
      expect(await newsroom.db.post.findMany()).toEqual(before)
    })

    test.each([
      ['by what browsers say today', { 'Sec-Fetch-Site': 'cross-site' }],
      ['by what they said before', { Origin: 'https://evil.example' }],
    ])('signs nobody in or out by a route of the application, %s', async (_, headers) => {
      const cookie = await signIn()
      const { sessions } = newsroom.means
      for (const handle of [
        (ctx: Koa.Context) => sessions.signIn(ctx, ann),
        (ctx: Koa.Context) => sessions.signOut(ctx, { everywhere: true }),
      ]) {
        const { status, cookies } = await route(handle, { Cookie: cookie, ...headers })
        expect([status, cookies]).toEqual([403, []])
      }
      expect(await isAnn(cookie)).toBe(true)
    })

    test('of the same origin writes', async () => {
      const cookie = await signIn()
      const { status } = await ask(
        cookie,
        'PATCH',
        '/api/v1/posts/1',
        { 'Sec-Fetch-Site': 'same-origin' },
        change('Mine'),
      )
      expect(status).toBe(200)
    })
  })

  test.each<[string, { readonly login?: string; readonly hash?: string }, string]>([
    ['a login that is no column', { login: 'emial' }, 'sessions({ password }): User has no column emial.'],
    ['a hash that is no column', { hash: 'hash' }, 'sessions({ password }): User has no column hash.'],
    [
      'a login that several users may have',
      { login: 'name' },
      'sessions({ password }): several users may have the same name. Write @unique behind the name in the model User.',
    ],
    [
      'a hash that clients could read',
      { hash: 'role' },
      'sessions({ password }): clients could read role of User. Write /// @hidden above the column.',
    ],
  ])('%s stops the start', (_, own, message) => {
    const { resources, clients } = newsroom
    const password = { login: 'email', hash: 'passwordHash', ...own }
    const start = () => sessions({ ...{ resources, clients, select }, baseUrl: 'https://api.example.org', password })
    expect(start).toThrow(message)
  })

  test('documents say nothing of the tables of keys and sessions', async () => {
    const cookie = await signIn()
    for (const type of ['sessions', 'api-keys', 'apiKeys'])
      expect((await ask(cookie, 'GET', `/api/v1/${type}`, { Accept: mediaType })).status).toBe(404)
    const { text } = await ask(cookie, 'GET', '/api/v1/users/1')
    expect(text).not.toMatch(/passwordHash|scrypt/)
  })
}
