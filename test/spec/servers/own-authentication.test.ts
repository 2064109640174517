import type { Context } from 'koa'
import { Policy, type Rules, Server, type Serving, unauthorized } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { expectErrors } from '../../support/answers.ts'
import { users } from '../../support/api.ts'
import { openEvents } from '../../support/event-stream.ts'
import { plain, useServers } from '../../support/servers.ts'

// Who is asking on a server with `authenticate` is what that says, and what the application's own says everywhere else.

class PostPolicy extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>) {
    can([this.reads, 'create'])
  }
}

class TagPolicy extends Policy<'Tag'> {
  override abilities({ can }: Rules<'Tag'>, user: unknown) {
    if (user) can([this.reads, 'create'])
  }
}

class Desk extends Server {
  override readonly name = 'desk'
}

/** Keys of partners. A partner has the id of a user, and is none. */
class Partners extends Server {
  override readonly name = 'partners'
  override readonly live = process.env.TEST_DATABASE !== 'mysql'
  override readonly browsable = true
  override authenticate(ctx: Context) {
    const key = ctx.get('Authorization').replace(/^Key /, '')
    if (key === '') return null
    if (key !== 'k-3') throw unauthorized('Key')
    return { id: 3, name: this.name }
  }
  override serving(phase: Serving) {
    phase.scope('Post', (user) => (user ? { authorId: user.id } : { id: -1 }))
  }
}

const api = useServers(() => ({
  servers: [plain(Desk), plain(Partners)],
  policies: new Map<string, never>([
    ['Post', PostPolicy as never],
    ['Tag', TagPolicy as never],
  ]),
  rateLimit: { points: 1000, duration: 60 },
}))

const withKey = (key: string) => ({ headers: { Authorization: `Key ${key}` } })
const unauthorised = { status: '401', title: 'Unauthorized', detail: 'Unauthenticated.' }

describe('a server with authenticate', () => {
  test('asks it, with itself as this', async () => {
    const { body } = await api.as(null)('GET', '/api/partners/posts', withKey('k-3'))
    const own = await api.db.post.count({ where: { authorId: 3 } })
    expect([body.meta.page.total, own > 0]).toEqual([own, true])
    expect((await api.as(null)('GET', '/api/partners/posts')).body.meta.page.total).toBe(0)
  })

  test('knows nothing of the tokens of the others, nor they of its keys', async () => {
    const there = await api.as(users.admin)('GET', '/api/partners/posts')
    expectErrors(there, unauthorised)
    expect(there.headers.get('WWW-Authenticate')).toBe('Key')
    const here = await api.as(null)('GET', '/api/desk/posts', withKey('k-3'))
    expectErrors(here, unauthorised)
    expect(here.headers.get('WWW-Authenticate')).toBe('Bearer')
    expect((await api.as(users.admin)('GET', '/api/desk/posts')).status).toBe(200)
  })

  test('counts its callers apart from users of the same id', async () => {
    const left = async (path: string, ...send: Parameters<ReturnType<typeof api.as>>[2][]) =>
      /r=(\d+)/.exec(
        (await api.as(send.length > 0 ? null : 3)('GET', path, ...send)).headers.get('RateLimit') ?? '',
      )?.[1]
    const before = Number(await left('/api/desk/posts?page[size]=1'))
    await left('/api/partners/posts?page[size]=1', withKey('k-3'))
    expect(Number(await left('/api/desk/posts?page[size]=1'))).toBe(before - 1)
  })

  test('keeps answers to a key for its own callers', async () => {
    const key = { 'Idempotency-Key': 'one-key' }
    const body = { data: { type: 'tags', attributes: { name: 'partners' } } }
    const first = await api.as(null)('POST', '/api/partners/tags', {
      body,
      headers: { ...key, ...withKey('k-3').headers },
    })
    const other = await api.as(3)('POST', '/api/desk/tags', {
      body: { data: { ...body.data, attributes: { name: 'desk' } } },
      headers: key,
    })
    expect([first, other].map(({ status, headers }) => [status, headers.get('Idempotency-Replayed')])).toEqual([
      [201, null],
      [201, null],
    ])
  })

  test.skipIf(process.env.TEST_DATABASE === 'mysql')(
    'asks it of streams, when they begin and while they last',
    async () => {
      const url = `${api.at}/api/partners/posts?fields[posts]=title&page[size]=100`
      const stream = await openEvents(url, withKey('k-3').headers)
      const { event, data } = await stream.next()
      expect([event, data.data.length]).toEqual(['snapshot', await api.db.post.count({ where: { authorId: 3 } })])
      // Its caller has the id of a user: when that row changes, they are asked who they are.
      await api.db.user.update({ where: { id: 3 }, data: { name: 'Another name' } })
      const { id } = (await api.db.post.findFirst({ where: { authorId: 3 } })) ?? { id: 0 }
      await api.db.post.update({ where: { id }, data: { title: 'Told' } })
      expect((await stream.next()).event).toBe('upsert')
      await stream.close()
      const refused = await openEvents(url, withKey('k-9').headers)
      expect(refused.status).toBe(401)
    },
  )

  test('signs in on its pages by it', async () => {
    const form = (token: string) =>
      fetch(`${api.at}/api/partners/-browse/sign-in`, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          Accept: 'text/html',
          'Sec-Fetch-Site': 'same-origin',
        },
        body: new URLSearchParams({ token }),
      })
    expect((await form('Key k-9')).status).toBe(401)
    const { status, headers } = await form('Key k-3')
    expect([status, headers.get('Set-Cookie')]).toEqual([303, expect.stringContaining('Path=/api/partners')])
  })
})
