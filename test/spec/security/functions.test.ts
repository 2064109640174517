import { Policy, type Rules, Server, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { expectErrors, expectNothing, forbidden } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { tagsOf } from '../../support/rows.ts'
import { plain, useServers } from '../../support/servers.ts'
import { snapshot } from '../../support/snapshot.ts'

// Function level authorization: what no policy names is denied, and every action is asked by its own name.

// A relation may be closed for want of a rule as well; this is the word of the policies.
const unauthorized = forbidden(expect.stringMatching(/^This action is unauthorized\./))

describe('S20: an action that the policy does not name is denied to everybody', () => {
  const api = useApi()
  test.each<[string, string, object?]>([
    ['POST', '/profiles', { data: { type: 'profiles', attributes: {} } }],
    ['DELETE', '/profiles/3'],
    ['PATCH', '/profiles/3/relationships/user', { data: { type: 'users', id: '4' } }],
    ['PATCH', '/comments/1/relationships/commentable', { data: { type: 'posts', id: '1' } }],
    ['PATCH', '/comments/1/relationships/author', { data: { type: 'users', id: '4' } }],
    ['PATCH', '/users/3/relationships/posts', { data: [] }],
    ['POST', '/users/3/relationships/comments', { data: [] }],
    ['DELETE', '/users/3/relationships/videos', { data: [] }],
    ['POST', '/posts/1/relationships/comments', { data: [] }],
  ])('%s %s, by an administrator and by the owner', async (method, path, body) => {
    const before = await snapshot(api.db)
    for (const userId of [users.admin, users.member3])
      expectErrors(await api.as(userId).request(method, path, body ? { body } : {}), unauthorized)
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('what is named for one relation is not given for another', async () => {
    const author = api.as(users.member4)
    expectNothing(await author.post('/posts/1/relationships/tags', { body: { data: [] } }))
    expectErrors(await author.post('/posts/1/relationships/comments', { body: { data: [] } }), unauthorized)
    expectErrors(await author.delete('/posts/1/relationships/comments', { body: { data: [] } }), unauthorized)
  })
})

class Open extends Server {
  override readonly name = 'v1'
}

describe('S20: a type without a policy', () => {
  const servers = useServers(() => ({ servers: [plain(Open)], policies: new Map(), production: true }))

  test.each(['/posts', '/posts/1', '/posts/1/author', '/posts/1/relationships/tags'])(
    'is denied, not open: %s',
    async (path) => {
      expectErrors(await servers.as(users.admin)('GET', `/api/v1${path}`), forbidden('This action is unauthorized.'))
    },
  )

  test('is named in the log once, at boot', () => {
    const lines = servers.logs.filter(({ message }) => message.includes('policy'))
    const named = lines.map(({ level, fields }) => [level, [...(fields.types as string[])].sort()])
    expect(named).toEqual([['warn', ['comments', 'posts', 'profiles', 'tags', 'users', 'videos']]])
  })
})

describe('S21: the writes of a relationship are asked by their own names', () => {
  // May view everything, and add tags; nothing else.
  class Adding extends Policy<'Post'> {
    override abilities({ can }: Rules<'Post'>, _user: User | null) {
      can([this.reads, 'update'])
    }
    override attachTags() {
      return true
    }
  }
  const servers = useServers(() => ({ servers: [plain(Open)], policies: new Map([['Post', Adding]]) }))
  const body = { data: [{ type: 'tags', id: '9' }] }
  const path = '/api/v1/posts/1/relationships/tags'

  test('to view does not allow to update', async () => {
    const before = await tagsOf(servers.db, 1)
    expect((await servers.as(null)('GET', path)).status).toBe(200)
    expectErrors(await servers.as(null)('PATCH', path, { body }), unauthorized)
    expect(await tagsOf(servers.db, 1)).toEqual(before)
  })

  test('to attach does not allow to detach', async () => {
    const before = await tagsOf(servers.db, 1)
    expectNothing(await servers.as(null)('POST', path, { body }))
    expectErrors(await servers.as(null)('DELETE', path, { body }), unauthorized)
    expect(await tagsOf(servers.db, 1)).toEqual([...before, 9])
  })

  test('but a PATCH of the resource may change its relations: relationship actions protect their endpoints only', async () => {
    const data = { type: 'posts', id: '2', relationships: { tags: { data: [{ type: 'tags', id: '9' }] } } }
    expect((await servers.as(null)('PATCH', '/api/v1/posts/2', { body: { data } })).status).toBe(200)
    expect(await tagsOf(servers.db, 2)).toEqual([9])
  })
})
