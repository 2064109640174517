import { tokenScopes } from '@prismapi/auth'
import { mcp } from '@prismapi/mcp'
import { Policy, Server, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { rawCall } from '../../support/agents/front.ts'
import { mediaType, users } from '../../support/api.ts'
import { openEvents } from '../../support/event-stream.ts'
import { atomic } from '../../support/operations.ts'
import { browserAccept } from '../../support/pages.ts'
import { addPost } from '../../support/rows.ts'
import { exampleWith, plain, useServers } from '../../support/servers.ts'

// The scopes of a token are a ceiling at every door of a server: an administrator comes with less than they may do.

class Doors extends V2 {
  override readonly browsable = true
  override readonly live = { trail: true }
}
/** It asks no policies: the scopes of a token are all that there is. */
class Open extends Server {
  override readonly name: string = 'open'
  override readonly version = '1.1'
  override readonly live = { trail: true }
  override authorizable() {
    return false
  }
}
class ChangePolicy extends Policy {
  override abilities({ can }: never) {
    const allow = can as (action: unknown) => void
    allow(this.reads)
  }
}
const scopes = tokenScopes({
  read: { '*': ['reads'] },
  write: { '*': ['reads', 'writes'] },
  tags: { Tag: ['reads', 'writes'] },
  users: { User: ['reads', 'writes'] },
  trail: { Change: ['reads'] },
  send: { Post: ['create', 'update'] },
} as never)
const admin: User = { id: users.admin, name: 'Admin', email: 'admin@example.com', role: 'ADMIN' }
/** What a token has lost since it was given out. */
const lost = new Set<string>()
const api = useServers(async () => ({
  ...(await withTrail()),
  features: [scopes, mcp()],
  authenticate: (ctx) => {
    const [, token] = /^Bearer (.+)$/.exec(ctx.get('Authorization')) ?? []
    if (token === undefined) return null
    const given = token.split('~').filter((scope) => !lost.has(scope))
    return token === 'all' ? admin : scopes.limit({ ...admin }, given)
  },
}))

async function withTrail() {
  const { policies, servers } = await exampleWith(Doors)
  return { servers: [...servers, plain(Open)], policies: new Map([...policies, ['Change', ChangePolicy] as never]) }
}

const headersOf = (token: string) => ({ Authorization: `Bearer ${token}` })
const ask = (
  token: string,
  method: string,
  path: string,
  body?: unknown,
  more: Readonly<Record<string, string>> = {},
) =>
  api.as(null)(method, `/api/v2${path}`, {
    headers: { ...headersOf(token), ...more },
    ...(body !== undefined && { body }),
  })
type Refusal = readonly [status: number, code: unknown]
const refused: Refusal = [403, 'insufficient_scope']
const refusalOf = async (answer: ReturnType<typeof ask>): Promise<Refusal> => {
  const { status, body } = await answer
  return [status, body?.errors?.[0].code]
}
async function tool(token: string, name: string, args: object): Promise<Refusal> {
  const response = await rawCall(`${api.at}/api/v2/-mcp`, { name, arguments: args }, headersOf(token))
  const { result } = (await response.json()) as {
    result: { isError?: boolean; structuredContent: { errors?: readonly { status: string; code: string }[] } }
  }
  const [error] = result.structuredContent.errors ?? []
  return [Number(error?.status ?? 200), error?.code]
}
const page = async (token: string, path: string, init: RequestInit = {}) => {
  const headers = { Accept: browserAccept, 'Sec-Fetch-Site': 'same-origin', ...headersOf(token) }
  const response = await fetch(`${api.at}/api/v2${path}`, { redirect: 'manual', ...init, headers })
  return { status: response.status, text: await response.text() }
}
const titled = (id: number, title: string) => ({ type: 'posts', id: `${id}`, attributes: { title } })

describe('a token that reads tags alone', () => {
  test.each<[string, () => Promise<Refusal>]>([
    ['a list', () => refusalOf(ask('tags', 'GET', '/posts'))],
    ['a question with a body', () => question('tags')],
    ['a resource', () => refusalOf(ask('tags', 'GET', '/posts/1'))],
    ['related resources', () => refusalOf(ask('tags', 'GET', '/posts/1/comments'))],
    ['a relationship', () => refusalOf(ask('tags', 'GET', '/posts/1/relationships/tags'))],
    ['figures', () => refusalOf(ask('tags', 'GET', '/posts/-stats?withStats[*]=count'))],
    ['an export', () => refusalOf(ask('tags', 'GET', '/posts', undefined, { Accept: 'text/csv' }))],
    ['lines', () => refusalOf(ask('tags', 'GET', '/posts', undefined, { Accept: 'application/x-ndjson' }))],
    ['a stream', () => refusalOf(ask('tags', 'GET', '/posts', undefined, { Accept: 'text/event-stream' }))],
    ['the trail', () => refusalOf(ask('tags', 'GET', '/changes'))],
    ['a tool that lists', () => tool('tags', 'list', { type: 'posts' })],
    ['a tool that counts', () => tool('tags', 'stats', { type: 'posts', withStats: { '*': ['count'] } })],
  ])('gets no posts by %s', async (_, door) => {
    expect(await door()).toEqual(refused)
  })

  async function question(token: string): Promise<Refusal> {
    const response = await fetch(`${api.at}/api/v2/posts`, {
      method: 'QUERY',
      headers: { Accept: mediaType, 'Content-Type': 'application/x-www-form-urlencoded', ...headersOf(token) },
      body: 'sort=title',
    })
    const { errors } = (await response.json()) as { errors?: readonly { code: string }[] }
    return [response.status, errors?.[0]?.code]
  }

  test('gets no posts by pages, their search and their counts', async () => {
    const { id } = await addPost(api.db, { title: 'Zeppelins above the harbour' })
    for (const path of [`/posts/${id}`, '/posts', '/-browse/search?q=Zeppelins', '/-browse/counts', '']) {
      const { status, text } = await page('tags', path)
      expect([path, status, text.includes('Zeppelins above')]).toEqual([
        path,
        path.startsWith('/posts') ? 403 : 200,
        false,
      ])
    }
    expect(JSON.parse((await page('tags', '/-browse/counts')).text)).toEqual({ tags: expect.any(String) })
    expect((await page('all', '/-browse/search?q=Zeppelins')).text).toContain('Zeppelins above')
  })

  test('is not described posts', async () => {
    const { body } = await ask('tags', 'GET', '/openapi.json')
    expect(Object.keys(body.paths).filter((path) => path.startsWith('/api/v2/posts'))).toEqual([])
  })
})

test('the trail shows a token no changes of what it may not read', async () => {
  const { id } = await addPost(api.db)
  expect((await ask('all', 'PATCH', `/posts/${id}`, { data: titled(id, 'Written') })).status).toBe(200)
  const of = (token: string) => ask(token, 'GET', '/changes?sort=-id&page[size]=5')
  expect((await of('all')).text).toContain('Written')
  const { status, text } = await of('trail')
  expect([status, text.includes('Written'), text.includes(`"${id}"`)]).toEqual([200, false, false])
})

describe('a token that reads', () => {
  test.each<[string, (id: number) => Promise<Refusal>]>([
    ['a form', async (id) => [(await form('read', id)).status, 'insufficient_scope']],
    ['an operation', (id) => refusalOf(operate('read', { op: 'update', data: titled(id, 'No') }))],
    [
      'operations after one that it may do',
      (id) => refusalOf(operate('tags', newTag, { op: 'update', data: titled(id, 'No') })),
    ],
    ['an action', (id) => refusalOf(ask('write', 'POST', `/posts/${id}/-actions/publish`))],
    ['a tool', (id) => tool('read', 'update', { type: 'posts', id: `${id}`, attributes: { title: 'No' } })],
    ['a dry run', (id) => tool('read', 'delete', { type: 'posts', id: `${id}`, dryRun: true })],
  ])('writes no post by %s', async (_, door) => {
    const { id } = await addPost(api.db)
    const all = async () => [await api.db.post.findUnique({ where: { id } }), await api.db.tag.count()]
    const before = await all()
    expect(await door(id)).toEqual(refused)
    expect(await all()).toEqual(before)
  })

  const newTag = { op: 'add', data: { type: 'tags', attributes: { name: 'of a narrow token' } } }
  const operate = (token: string, ...operations: readonly object[]) =>
    ask(token, 'POST', '/operations', { 'atomic:operations': operations }, { 'Content-Type': atomic, Accept: atomic })
  const form = (token: string, id: number) =>
    page(token, `/posts/${id}`, {
      method: 'POST',
      body: new URLSearchParams({ '-method': 'PATCH', 'attributes[title]': 'No' }),
    })

  test('gets no response again that a better one of the same user got', async () => {
    const send = (token: string) =>
      ask(
        token,
        'POST',
        '/tags',
        { data: { type: 'tags', attributes: { name: 'once' } } },
        { 'Idempotency-Key': 'a-key' },
      )
    expect((await send('all')).status).toBe(201)
    for (const token of ['read', 'trail']) expect(await refusalOf(send(token))).toEqual(refused)
    expect((await send('all')).headers.get('Idempotency-Replayed')).toBe('true')
  })
})

test('a stream ends that its token is not for any more', async () => {
  const stream = await openEvents(`${api.at}/api/v2/posts?page[size]=1`, headersOf('read'))
  expect(stream.status).toBe(200)
  lost.add('read')
  // The server asks again who it is when the row of the user changes.
  await ask('all', 'PATCH', `/users/${users.admin}`, {
    data: { type: 'users', id: `${users.admin}`, attributes: { name: 'Ada' } },
  })
  await stream.ended
  lost.delete('read')
})

describe('a server that asks no policies', () => {
  const open = (token: string, method: string, path: string, body?: unknown) =>
    api.as(null)(method, `/api/open${path}`, { headers: headersOf(token), ...(body !== undefined && { body }) })

  test('makes no link for a token that is kept in what it may not update', async () => {
    const { id } = await addPost(api.db, { authorId: users.member4 })
    const links = { data: [{ type: 'posts', id: `${id}` }] }
    const link = (token: string) => open(token, 'POST', `/users/${users.member3}/relationships/posts`, links)
    const before = await api.db.post.findUnique({ where: { id } })
    expect((await link('users')).status).toBe(403)
    expect(await api.db.post.findUnique({ where: { id } })).toEqual(before)
    expect((await link('users~write')).status).toBe(204)
  })

  test('shows a token that only writes nothing of what it has written', async () => {
    const { id } = await addPost(api.db, { title: 'Before' })
    const write = (token: string) => open(token, 'PATCH', `/posts/${id}`, { data: titled(id, 'After') })
    const { text } = await write('send')
    expect((await api.db.post.findUnique({ where: { id } }))?.title).toBe('After')
    expect(text).not.toContain('After')
    expect((await write('write')).text).toContain('After')
  })

  test('shows a token no changes of what it may not read', async () => {
    const { id } = await addPost(api.db)
    await open('all', 'PATCH', `/posts/${id}`, { data: titled(id, 'In the open') })
    const of = (token: string) => open(token, 'GET', '/changes?sort=-id&page[size]=5')
    expect((await of('all')).text).toContain('In the open')
    const { status, text } = await of('trail')
    expect([status, text.includes('In the open'), text.includes(`"${id}"`)]).toEqual([200, false, false])
  })
})
