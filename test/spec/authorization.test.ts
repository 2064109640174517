import { allow, createApi, deny, Policy, type Rules, Server } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { resources } from '../../prisma/generated/resources.ts'
import { expectErrors, forbidden } from '../support/answers.ts'
import { origin, users } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'
import { jsonapi } from '../support/row-documents.ts'
import { plain, useServers } from '../support/servers.ts'
import { snapshot } from '../support/snapshot.ts'

class Api extends Server {
  override readonly name: string = 'v1'
}

class OpenPosts extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>) {
    can([this.reads, 'create', this.writes])
  }
}

const newTitle = { data: { type: 'posts', id: '1', attributes: { title: 'Changed' } } }

describe('a policy that throws', () => {
  class Failing extends OpenPosts {
    override async update(): Promise<boolean> {
      throw new Error('the quota service is down: postgres://secret@db')
    }
    override attachTags(): boolean {
      throw new TypeError('tags is not iterable')
    }
    override viewAny() {
      return undefined as unknown as boolean
    }
  }
  const parts = { servers: [plain(Api)], policies: new Map([['Post', Failing]]) }
  const servers = useServers(() => ({ ...parts, production: true }))
  const tags = { data: [{ type: 'tags', id: '9' }] }

  test.each<[string, string, string, object | null, string, string]>([
    ['PATCH', '/posts/1', 'update', newTitle, 'throws', 'the quota service is down: postgres://secret@db'],
    ['POST', '/posts/1/relationships/tags', 'attachTags', tags, 'throws', 'tags is not iterable'],
    [
      'GET',
      '/posts',
      'viewAny',
      null,
      'forgets to answer',
      'it returned undefined. Return true, false, allow() or deny().',
    ],
  ])('%s %s: 500 without detail, nothing written, its file and action in the log', async (...row) => {
    const [method, path, action, body, , reason] = row
    const before = await snapshot(servers.db)
    servers.logs.length = 0
    const answer = await servers.as(null)(method, `/api/v1${path}`, body ? { body } : {})
    const { id } = answer.body.errors[0]
    expectErrors(answer, { status: '500', id, title: 'Internal Server Error' })
    expect(await snapshot(servers.db)).toEqual(before)
    expect(servers.logs.filter(({ level }) => level === 'error')).toEqual([
      {
        level: 'error',
        fields: { method, path: `/api/v1${path}`, id, err: expect.any(Error) },
        message: 'Unforeseen error',
      },
    ])
    expect(servers.logs.map(({ fields }) => String(fields.err))).toEqual([
      `PolicyFault: policies/post.policy.ts, ${action}: ${reason}`,
    ])
  })

  test('is nobody else’s trouble: the next request is answered', async () => {
    expect((await servers.as(null)('GET', '/api/v1/posts/1')).status).toBe(200)
  })
})

test.each([
  ['updte', 'update'],
  ['attachTag', 'attachTags'],
  ['viewAuthors', 'viewAuthor'],
  ['viewany', 'viewAny'],
])('a policy method that is no action stops the start: %s', async (name, meant) => {
  class Misspelt extends OpenPosts {}
  Object.defineProperty(Misspelt.prototype, name, { value: () => true })
  const clients = await openTestDatabase()
  const nowhere = { debug() {}, info() {}, warn() {}, error() {} }
  const start = () =>
    createApi({
      resources,
      clients,
      servers: [plain(Api)],
      policies: new Map([['Post', Misspelt]]),
      baseUrl: origin,
      logger: nowhere,
    })
  expect(start).toThrow(`policies/post.policy.ts: ${name} is no action of Post. Did you mean ${meant}?`)
  await clients.close()
})

describe('a denial', () => {
  class Denying extends Policy<'Post'> {
    override view(user: unknown, { id }: { id: number }) {
      if (id === 1) return deny('Not before Monday.')
      if (id === 2) return deny('No such post.', { status: 404 })
      return user ? allow() : deny()
    }
  }
  class Challenging extends Api {
    override readonly name = 'challenging'
    override readonly challenge = 'Bearer realm="posts"'
  }
  const servers = useServers(() => ({
    servers: [plain(Api), plain(Challenging)],
    policies: new Map([['Post', Denying]]),
  }))

  test('carries its message, and may carry a status of its own', async () => {
    const ask = servers.as(null)
    expectErrors(await ask('GET', '/api/v1/posts/1'), forbidden('Not before Monday.'))
    expectErrors(await ask('GET', '/api/v1/posts/2'), { status: '404', title: 'Not Found', detail: 'No such post.' })
    expectErrors(await ask('GET', '/api/v1/posts/3'), forbidden('This action is unauthorized.'))
  })

  test('D3: of a guest it is 401 on a server with a challenge, of a user 403', async () => {
    const guest = await servers.as(null)('GET', '/api/challenging/posts/1')
    expect([guest.status, guest.headers.get('WWW-Authenticate'), guest.body]).toEqual([
      401,
      'Bearer realm="posts"',
      { jsonapi, errors: [{ status: '401', title: 'Unauthorized', detail: 'Not before Monday.' }] },
    ])
    const user = await servers.as(users.member3)('GET', '/api/challenging/posts/1')
    expectErrors(user, forbidden('Not before Monday.'))
    expect(user.headers.get('WWW-Authenticate')).toBeNull()
    expect((await servers.as(null)('GET', '/api/challenging/posts/2')).status).toBe(404)
  })
})
