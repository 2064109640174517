import { apiKeys } from '@prismapi/auth'
import { describe, expect, test } from 'vitest'
import { expectErrors } from '../answers.ts'
import type { FixtureProvider } from '../any-schema/fixtures.ts'
import type { TextAnswer } from '../servers.ts'
import { select, useNewsroom } from './newsroom.ts'

const change = (id: number, title = 'Changed') => ({ data: { type: 'posts', id: `${id}`, attributes: { title } } })

function expectRefused(answer: TextAnswer): void {
  expectErrors(answer, { status: '401', title: 'Unauthorized', detail: 'Unauthenticated.' })
  expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"')
}

export function keysSignIn(provider: FixtureProvider) {
  const newsroom = useNewsroom(provider)
  const newKey = (more: object = {}) =>
    newsroom.means.keys.create({ owner: 1, name: 'Import', scopes: ['posts:write'], ...more })

  describe('an API key', () => {
    test('signs its owner in, and is stored as a digest alone', async () => {
      const { id, key, prefix } = await newKey()
      expect(key).toMatch(/^pk_[\w-]{43}$/)
      expect(key.startsWith(prefix)).toBe(true)
      const { status } = await newsroom.withKey(key)('PATCH', '/api/v1/posts/1', change(1))
      expect(status).toBe(200)
      const row = await newsroom.db.apiKey.findUnique({ where: { id } })
      expect(JSON.stringify(row)).not.toContain(key.slice(prefix.length))
      expect([row.prefix, row.scopes]).toEqual([prefix, 'posts:write'])
    })

    test('is over at once where it was revoked, by whoever has revoked it', async () => {
      const own = await newKey()
      const others = await newKey()
      for (const { key } of [own, others])
        expect((await newsroom.withKey(key)('GET', '/api/v1/posts')).status).toBe(200)
      expect(await newsroom.means.keys.revoke(own.id)).toBe(true)
      expect(await newsroom.means.keys.revoke(own.id)).toBe(false)
      // Another process has.
      await newsroom.db.apiKey.update({ where: { id: others.id }, data: { revokedAt: new Date() } })
      for (const { key } of [own, others]) expectRefused(await newsroom.withKey(key)('GET', '/api/v1/posts'))
    })

    test('is over when it expires, when its row is gone, and with its owner', async () => {
      const expired = await newKey({ expiresAt: new Date(Date.now() + 1200) })
      const removed = await newKey()
      const orphan = await newsroom.db.user.create({ data: { name: 'Cid', email: 'cid@example.com' } })
      const orphans = await newKey({ owner: orphan.id })
      const all = [expired, removed, orphans]
      for (const { key } of all) expect((await newsroom.withKey(key)('GET', '/api/v1/posts')).status).toBe(200)
      await newsroom.db.apiKey.delete({ where: { id: removed.id } })
      await newsroom.db.user.delete({ where: { id: orphan.id } })
      await new Promise((resolve) => setTimeout(resolve, 1300))
      for (const { key } of all) expectRefused(await newsroom.withKey(key)('GET', '/api/v1/posts'))
    })

    test('has the scopes that its row says now, and the owner that it says now', async () => {
      const { id, key } = await newKey()
      const ask = newsroom.withKey(key)
      expect((await ask('PATCH', '/api/v1/posts/1', change(1))).status).toBe(200)
      await newsroom.db.apiKey.update({ where: { id }, data: { scopes: 'read' } })
      expect((await ask('PATCH', '/api/v1/posts/1', change(1))).status).toBe(403)
      await newsroom.db.apiKey.update({ where: { id }, data: { scopes: 'posts:write', userId: 2 } })
      expect((await ask('PATCH', '/api/v1/posts/1', change(1))).status).toBe(403)
      expect((await ask('PATCH', '/api/v1/posts/2', change(2))).status).toBe(200)
    })

    test.each(['pk_', 'pk_unknown', `pk_${'A'.repeat(43)}`, 'unlike-a-key', 'eyJhbGciOiJub25lIn0.e30.'])(
      'that nobody was given is refused: %s',
      async (key) => {
        expect((await newsroom.withKey(key)('GET', '/api/v1/posts')).status).toBe(401)
      },
    )

    test('in a URL is refused, whether it is good or not, and signs nobody in', async () => {
      const { key } = await newKey()
      for (const url of [
        `/api/v1/posts?access_token=${key}`,
        `/api/v1/posts/${key}`,
        `/api/v1/posts?filter[title]=${key}`,
      ])
        expectErrors(await newsroom.ask('GET', url), {
          status: '400',
          title: 'Bad Request',
          detail: 'Send the key in Authorization. URLs are kept in logs: revoke this key.',
        })
    })

    test('costs the same look-up whether its beginning is known or not', async () => {
      const { key } = await newKey()
      // One bit of the digest has to differ for all of it to differ: nothing is compared letter by letter.
      const near = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`
      const time = async (guess: string) => {
        const began = performance.now()
        expect((await newsroom.withKey(guess)('GET', '/api/v1/posts')).status).toBe(401)
        return performance.now() - began
      }
      // By turns: what else the machine does slows both.
      const [known, unknown]: [number[], number[]] = [[], []]
      for (let n = 0; n < 60; n++) {
        known.push(await time(near))
        unknown.push(await time(`pk_${'Z'.repeat(43)}`))
      }
      const ratio = Math.min(...known) / Math.min(...unknown)
      expect(ratio).toBeGreaterThan(0.4)
      expect(ratio).toBeLessThan(2.5)
    })

    test('notes when it was used, and not at each request', async () => {
      const { id, key } = await newKey()
      for (let n = 0; n < 5; n++) await newsroom.withKey(key)('GET', '/api/v1/posts')
      const usedAt = async (): Promise<Date> => (await newsroom.db.apiKey.findUnique({ where: { id } })).lastUsedAt
      await expect.poll(usedAt).not.toBe(null)
      const first = await usedAt()
      for (let n = 0; n < 5; n++) await newsroom.withKey(key)('GET', '/api/v1/posts')
      expect(await usedAt()).toEqual(first)
    })
  })

  describe('the scopes of a key', () => {
    test('take away what its owner may do, in rules and in code', async () => {
      const ask = newsroom.withKey((await newKey({ scopes: ['read'] })).key)
      expect((await ask('GET', '/api/v1/posts/1')).status).toBe(200)
      const name = { data: { type: 'users', id: '1', attributes: { name: 'Anne' } } }
      for (const answer of [
        await ask('PATCH', '/api/v1/posts/1', change(1)),
        await ask('DELETE', '/api/v1/posts/1'),
        await ask('PATCH', '/api/v1/posts/1/relationships/author', { data: { type: 'users', id: '2' } }),
        await ask('PATCH', '/api/v1/users/1', name),
      ]) {
        expectErrors(answer, {
          status: '403',
          title: 'Forbidden',
          code: 'insufficient_scope',
          detail: 'The scopes of your token do not allow that.',
        })
        expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Bearer error="insufficient_scope"/)
      }
      const write = newsroom.withKey((await newKey()).key)
      // A scope for posts gives no user.
      expect((await write('PATCH', '/api/v1/users/1', name)).status).toBe(403)
      // It gives nothing that the policy does not.
      expect((await write('PATCH', '/api/v1/posts/2', change(2))).status).toBe(403)
      const signedIn = await newsroom.withKey((await newKey({ scopes: [] })).key)('GET', '/api/v1/posts')
      expect(signedIn.status).toBe(403)
    })

    test('are told by the document that describes the API to its caller', async () => {
      const operations = async (scopes: readonly string[]) => {
        const { body } = await newsroom.withKey((await newKey({ scopes })).key)('GET', '/api/v1/openapi.json')
        return Object.keys(body.paths['/api/v1/posts/{id}'] ?? body.paths['/posts/{id}']).filter((name) =>
          ['get', 'patch', 'delete'].includes(name),
        )
      }
      expect(await operations(['read'])).toEqual(['get'])
      expect(await operations(['posts:write'])).toEqual(['get', 'patch', 'delete'])
    })

    test('of one caller are not those of another, whose answer is kept', async () => {
      const [read, none] = [await newKey({ scopes: ['read'] }), await newKey({ scopes: [] })]
      for (let n = 0; n < 8; n++)
        expect((await newsroom.withKey(read.key)('GET', '/api/v1/posts?sort=title')).status).toBe(200)
      expect((await newsroom.withKey(none.key)('GET', '/api/v1/posts?sort=title')).status).toBe(403)
    })

    test('that the application has not declared are refused where a key is made', async () => {
      await expect(newKey({ scopes: ['reed'] })).rejects.toThrow(
        'apiKeys.create: there is no scope "reed". Known: read, posts:write.',
      )
    })
  })

  test('a model that clients could read stops the start', () => {
    const { resources, clients } = newsroom
    const open = (model: string) => () => apiKeys({ resources, clients, select, model })
    expect(open('Post')).toThrow(
      'apiKeys: Post lacks digest, revokedAt, expiresAt. Add what docs/authentication.md shows.',
    )
    expect(open('Key')).toThrow(
      'apiKeys: the Prisma schema has no model Key. Add it, as docs/authentication.md shows it.',
    )
    const { ApiKey } = resources.models
    const shown = { ...resources, models: { ...resources.models, ApiKey: { ...ApiKey, isHidden: false } } }
    expect(() => apiKeys({ resources: shown as never, clients, select })).toThrow(
      'apiKeys: clients could read the rows of ApiKey. Write /// @hidden above the model.',
    )
  })
}
