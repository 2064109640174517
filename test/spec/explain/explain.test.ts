import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deny, Policy, type RequestRules, ResourceRequest, type Rules, Server, type Serving, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { users } from '../../support/api.ts'
import { provider } from '../../support/database.ts'
import { exampleWith, theExample, useServers } from '../../support/servers.ts'

const explain = { headers: { Prefer: 'explain' } }
const milliseconds = expect.any(Number)

interface Level {
  readonly model: string
  readonly operation: string
}
const levelsOf = (levels: readonly Level[]) => levels.map(({ operation, model }) => `${operation} ${model}`)

describe('outside of production', () => {
  const api = useServers(async () => ({ ...(await theExample()), production: false }))

  test('a write that takes a transaction says why; another one has nothing to say', async () => {
    const patch = async (body: object) => {
      const sent = { body: { data: { type: 'posts', id: '3', ...body } }, ...explain }
      const answer = await api.as(users.admin)('PATCH', '/api/v1/posts/3', sent)
      expect(answer.status).toBe(200)
      return answer.body.meta.explain.fallbacks
    }
    const isOneStatement = provider !== 'mysql'
    expect(await patch({ relationships: { tags: { data: [{ type: 'tags', id: '1' }] } } })).toEqual(
      isOneStatement ? [{ kind: 'write', model: 'Post', reason: 'the relation tags' }] : undefined,
    )
    expect(await patch({ attributes: { title: 'In one statement' } })).toBeUndefined()
  })

  test('a read says who decided, the scopes, the levels with their SQL, rows and times', async () => {
    // Of their own posts, which other tests add, nothing is hidden from them.
    const url = '/api/v1/posts?include=author&filter[author][not]=3&page[size]=2'
    const { status, headers, body } = await api.as(users.member3)('GET', url, explain)
    expect([status, headers.get('Preference-Applied'), headers.has('ETag')]).toEqual([200, 'explain', false])
    const { explain: explained, ...meta } = body.meta
    expect(explained.user).toEqual({ id: '3' })
    expect(explained.decisions).toEqual([
      {
        action: 'viewAny',
        type: 'posts',
        id: null,
        allowed: true,
        by: 'rules',
        place: 'policies/post.policy.ts',
        message: null,
        decisive: 1,
        rules: [{ rule: 1, effect: 'can', at: 'policies/post.policy.ts:8', where: null, because: null, holds: true }],
      },
    ])
    expect(Object.keys(explained.scopes)).toEqual(['Post'])
    expect(JSON.stringify(explained.scopes.Post)).toContain('{"authorId":3}')
    expect(levelsOf(explained.levels).sort()).toEqual(['count Post', 'rows Post', 'rows User'])
    const posts = explained.levels.find((level: Level) => level.operation === 'rows' && level.model === 'Post')
    expect(posts).toMatchObject({ order: ['-createdAt', '-id'], take: 2, rows: 2, milliseconds })
    if (provider !== 'mysql') {
      expect(posts.by).toBe('sql')
      expect(posts.statements).toEqual([
        {
          sql: expect.stringMatching(/^select .* from .*"Post"/is),
          values: expect.arrayContaining([3]),
          rows: 2,
          milliseconds,
        },
      ])
    }
    const authors = body.included.map(({ id }: { id: string }) => id).sort()
    expect(explained.hidden).toEqual([
      {
        ...{
          type: 'users',
          field: 'email',
          ids: expect.toSatisfy((ids: string[]) => [...ids].sort().join() === authors.join()),
        },
        place: 'policies/user.policy.ts',
        rules: [
          { rule: 4, effect: 'can', at: 'policies/user.policy.ts:10', where: { id: 3 } },
          { rule: 3, effect: 'cannot', at: 'policies/user.policy.ts:9', where: null },
          { rule: 1, effect: 'can', at: 'policies/user.policy.ts:7', where: null },
        ],
      },
    ])
    expect(Object.keys(explained.stages)).toEqual(
      expect.arrayContaining(['authenticate', 'authorize', 'read', 'serialize']),
    )
    // The document is otherwise what it always is.
    const plain = await api.as(users.member3)('GET', url)
    expect({ ...body, meta }).toEqual(plain.body)
  })

  test('a denial says which rule it is from, in its detail and its explanation', async () => {
    const author = { data: { type: 'users', id: '4' } }
    const own = await api.db.post.findFirstOrThrow({ where: { authorId: 3, deletedAt: null } })
    const url = `/api/v1/posts/${own.id}/relationships/author`
    const { status, body } = await api.as(users.member3)('PATCH', url, { ...explain, body: author })
    expect([status, body.errors[0].detail]).toEqual([403, 'Only an administrator may hand a post to another author.'])
    expect(body.meta.explain.decisions).toEqual([
      {
        action: 'updateAuthor',
        type: 'posts',
        id: String(own.id),
        allowed: false,
        by: 'rules',
        place: 'policies/post.policy.ts',
        message: 'Only an administrator may hand a post to another author.',
        decisive: 2,
        rules: [
          {
            rule: 2,
            effect: 'cannot',
            at: 'policies/post.policy.ts:9',
            where: null,
            because: 'Only an administrator may hand a post to another author.',
            holds: true,
          },
        ],
      },
    ])
  })

  test('a condition that does not hold is named, with its values', async () => {
    const other = await api.db.post.findFirstOrThrow({
      where: { authorId: 4, deletedAt: null, publishedAt: { lt: new Date() } },
    })
    const { status, body } = await api.as(users.member3)('DELETE', `/api/v1/posts/${other.id}`, explain)
    expect([status, body.errors[0].detail]).toEqual([
      403,
      'This action is unauthorized. Rule 4 of policies/post.policy.ts would allow delete, but not for this row.',
    ])
    expect(body.meta.explain.decisions[0]).toMatchObject({
      decisive: null,
      rules: [{ rule: 4, effect: 'can', where: { authorId: 3 }, holds: false }],
    })
  })

  test('what is hidden by a scope can be told from what is not there', async () => {
    const draft = await api.db.post.create({ data: { title: 'D', slug: 'explain-draft', content: 'C', authorId: 4 } })
    const { status, body } = await api.as(users.member3)('GET', `/api/v1/posts/${draft.id}`, explain)
    expect(status).toBe(404)
    expect(body.meta.explain.levels).toMatchObject([{ model: 'Post', rows: 0 }])
    expect(JSON.stringify(body.meta.explain.levels[0].where)).toContain(`{"id":${draft.id}}`)
    expect(body.meta.explain.decisions).toEqual([])
  })

  test('a write is carried out, and explained', async () => {
    const body = { data: { type: 'tags', attributes: { name: 'explained' } } }
    const created = await api.as(users.admin)('POST', '/api/v1/tags', { ...explain, body })
    expect([created.status, created.body.meta.explain.decisions[0].action]).toEqual([201, 'create'])
    expect(await api.db.tag.count({ where: { name: 'explained' } })).toBe(1)
  })

  test('until it is authorized, and no further: nothing is written', async () => {
    const prefer = { headers: { Prefer: 'explain=authorization', 'Idempotency-Key': 'explained' } }
    const body = { data: { type: 'tags', attributes: { name: 'never' } } }
    const asked = await api.as(users.admin)('POST', '/api/v1/tags', { ...prefer, body })
    expect([asked.status, asked.headers.get('Preference-Applied')]).toEqual([200, 'explain=authorization'])
    expect(asked.body).toEqual({ jsonapi: { version: '1.0' }, meta: { explain: expect.any(Object) } })
    expect(asked.body.meta.explain.decisions).toMatchObject([{ action: 'create', allowed: true, by: 'rules' }])
    const refused = await api.as(users.member3)('POST', '/api/v1/tags', { ...prefer, body })
    expect([refused.status, refused.body.meta.explain.decisions[0].allowed]).toEqual([403, false])
    const removed = await api.as(users.admin)('DELETE', '/api/v1/tags/1', prefer)
    expect([removed.status, await api.db.tag.count({ where: { id: 1 } })]).toEqual([200, 1])
    expect(await api.db.tag.count({ where: { name: 'never' } })).toBe(0)
    expect(await api.db.idempotencyKey.count()).toBe(0)
    expect(api.logs.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('nor is any operation of several', async () => {
    const ext = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
    const { status, body } = await api.as(users.admin)('POST', '/api/v2/operations', {
      headers: { Accept: ext, 'Content-Type': ext, Prefer: 'explain=authorization' },
      body: { 'atomic:operations': [{ op: 'add', data: { type: 'tags', attributes: { name: 'never' } } }] },
    })
    expect([status, body.meta.explain.decisions]).toMatchObject([
      200,
      [{ action: 'create', type: 'tags', allowed: true }],
    ])
    expect(await api.db.tag.count({ where: { name: 'never' } })).toBe(0)
  })

  test('what is read within a transaction is a level, too', async () => {
    const own = await api.db.post.findFirstOrThrow({ where: { authorId: 3, deletedAt: null } })
    const { status, body } = await api.as(users.member3)('POST', `/api/v1/posts/${own.id}/-actions/publish`, explain)
    expect([200, 409]).toContain(status)
    const { decisions, levels } = body.meta.explain
    expect(decisions).toMatchObject([{ action: 'publish', allowed: true }])
    expect(levels.map(({ by }: { by: string }) => by)).toContain('prisma')
  })

  test('both times and reasons can be asked for', async () => {
    const prefer = { headers: { Prefer: 'server-timing, explain' } }
    const { headers, body } = await api.as(null)('GET', '/api/v1/tags/1', prefer)
    expect(headers.get('Preference-Applied')).toBe('server-timing, explain')
    expect([headers.has('Server-Timing'), body.meta.explain.decisions.length]).toEqual([true, 1])
  })

  test('an authorizer is named, with the rules that it may have asked', async () => {
    const { body } = await api.as(null)('PATCH', '/api/v2/posts/1', {
      ...explain,
      body: { data: { type: 'posts', id: '1', attributes: { title: 'T' } } },
    })
    expect(body.meta.explain.decisions[0]).toMatchObject({
      by: 'authorizer',
      place: 'update() of SignedInWrites',
      message: 'Sign in first.',
    })
  })

  test('what an authorizer leaves to the policy is told as the policy decides it', async () => {
    const other = await api.db.post.findFirstOrThrow({
      where: { authorId: 4, deletedAt: null, publishedAt: { lt: new Date() } },
    })
    const denied = await api.as(users.member3)('DELETE', `/api/v2/posts/${other.id}`, explain)
    expect([denied.status, denied.body.errors[0].detail]).toEqual([
      403,
      'This action is unauthorized. Rule 4 of policies/post.policy.ts would allow delete, but not for this row.',
    ])
    const [decision] = denied.body.meta.explain.decisions
    expect(decision).toMatchObject({
      ...{ by: 'rules', place: 'policies/post.policy.ts', decisive: null },
      rules: [{ rule: 4, effect: 'can', where: { authorId: 3 }, holds: false }],
    })
    const shown = await api.as(users.member3)('GET', `/api/v2/posts/${other.id}`, explain)
    expect(shown.body.meta.explain.decisions).toMatchObject([
      { action: 'view', by: 'rules', place: 'policies/post.policy.ts', decisive: 1, allowed: true },
    ])
    const tagged = await api.as(users.member3)('PATCH', `/api/v2/posts/${other.id}/relationships/tags`, {
      ...explain,
      body: { data: [] },
    })
    expect(tagged.body.errors[0].detail).toBe(
      'This action is unauthorized. updateTags() of policies/post.policy.ts denies it.',
    )
  })

  test('a document that is sent in parts is explained as every other', async () => {
    const author = { title: 'T', content: 'C', authorId: 3, publishedAt: new Date('2020-01-01') }
    await api.db.post.createMany({
      data: Array.from({ length: 600 }, (_, i) => ({ ...author, slug: `explain-part-${i}` })),
    })
    const url = '/api/v1/posts?page[size]=1000'
    const { headers, text, body } = await api.as(null)('GET', url, explain)
    expect([headers.get('Preference-Applied'), headers.has('ETag')]).toEqual(['explain', false])
    expect(Number(headers.get('Content-Length'))).toBe(Buffer.byteLength(text))
    const { explain: explained, ...meta } = body.meta
    expect(explained.decisions).toMatchObject([{ action: 'viewAny', by: 'rules' }])
    const plain = await api.as(null)('GET', url)
    expect(plain.body.data.length).toBeGreaterThan(600)
    expect({ ...body, meta }).toEqual(plain.body)
  })

  test.each([
    'explain=authorization;x=1',
    'respond-async, explain = "authorization" ; x="a,b" ; y',
    'EXPLAIN=Authorization;wait=5',
  ])('a preference may have parameters: %s', async (prefer) => {
    const body = { data: { type: 'tags', attributes: { name: 'never' } } }
    const { status, headers } = await api.as(users.admin)('POST', '/api/v1/tags', { headers: { Prefer: prefer }, body })
    expect([status, headers.get('Preference-Applied')]).toEqual([200, 'explain=authorization'])
    expect(await api.db.tag.count({ where: { name: 'never' } })).toBe(0)
  })

  test('a preference without a value may be written with an empty one', async () => {
    for (const prefer of ['explain;x=1', 'explain=""', 'explain=']) {
      const { headers } = await api.as(null)('GET', '/api/v1/tags/1', { headers: { Prefer: prefer } })
      expect([prefer, headers.get('Preference-Applied')]).toEqual([prefer, 'explain'])
    }
    const { headers } = await api.as(null)('GET', '/api/v1/tags/1', { headers: { Prefer: 'server-timing;x=1' } })
    expect(headers.get('Preference-Applied')).toBe('server-timing')
  })

  test('what a page asks for itself is no part of what ends at its authorization', async () => {
    const headers = { Accept: 'text/html', Prefer: 'explain=authorization', 'Sec-Fetch-Site': 'same-origin' }
    const path = `${api.at}/api/v1/posts/3/relationships/tags`
    const sent = new URLSearchParams({ '-method': 'POST', 'many tags:/data': '1' })
    for (const init of [{ headers }, { headers, method: 'POST', body: sent }]) {
      const answer = await fetch(path, { redirect: 'manual', ...init })
      const text = await answer.text()
      expect([answer.status, text.startsWith('<!doctype html>')]).toEqual([init.method ? 403 : 200, true])
    }
  })

  test('nothing is said unless it is asked for', async () => {
    const { body, headers } = await api.as(null)('GET', '/api/v1/tags/1', { headers: { Prefer: 'explained' } })
    expect([body.meta, headers.has('Preference-Applied')]).toEqual([undefined, false])
  })

  test('other media types, and answers without a document, are left as they are', async () => {
    const openapi = await api.as(null)('GET', '/api/v1/openapi.json', {
      headers: { ...explain.headers, Accept: 'application/json' },
    })
    expect([openapi.status, openapi.body.meta]).toEqual([200, undefined])
    expect((await api.as(users.admin)('DELETE', '/api/v1/videos/none', explain)).body.errors[0].status).toBe('404')
    expect((await api.as(null)('OPTIONS', '/api/v1/posts', explain)).headers.get('Preference-Applied')).toBe('explain')
  })
})

describe('who denied what says nothing by itself', () => {
  class PostPolicy extends Policy<'Post'> {
    override abilities({ can, cannot }: Rules<'Post'>) {
      can(this.reads)
      can('delete')
      cannot('delete', { comments: { some: {} } })
      cannot('update')
      can('updateComments', { author: { email: { contains: 'nobody' } } })
    }
    override async updateTags(user: User | null) {
      return user !== null
    }
    override async attachTags() {
      return deny()
    }
  }
  class TagRequest extends ResourceRequest<'Tag'> {
    override authorize() {
      return false
    }
    override rules(): RequestRules<'Tag'> {
      return {}
    }
  }
  class Secretive extends Server {
    override readonly name = 'v1'
    override serving(phase: Serving) {
      phase.scope('User', { passwordHash: { not: 'a secret hash' } })
    }
  }
  const parts = async () => {
    const { policies } = await theExample()
    return {
      ...(await exampleWith(Secretive, {
        requests: new Map([['Tag', { request: TagRequest, query: null, collectionQuery: null }]]),
      })),
      policies: new Map([...policies, ['Post', PostPolicy]]),
    }
  }
  const api = useServers(async () => ({ ...(await parts()), production: false }))
  const inProduction = useServers(async () => ({ ...(await parts()), production: true }))

  const post = { data: { type: 'posts', id: '1', attributes: { title: 'T' } } }
  const tags = { data: [{ type: 'tags', id: '1' }] }
  const file = 'policies/post.policy.ts'

  test.each<[string, string, object | null, string]>([
    ['PATCH', '/posts/1', post, `Rule 4 of ${file}, cannot('update'), denies it.`],
    ['DELETE', '/posts/1', null, `Rule 2 of ${file} would allow delete, but not for this row, or a cannot forbids it.`],
    ['PATCH', '/posts/1/relationships/tags', tags, `updateTags() of ${file} denies it.`],
    ['POST', '/posts/1/relationships/tags', tags, `attachTags() of ${file} denies it.`],
    ['GET', '/tags', null, 'authorize() of TagRequest denies it.'],
    ['GET', '/users/1', null, 'No method and no rule of policies/user.policy.ts names view for this user.'],
  ])('%s %s', async (method, path, body, cause) => {
    await api.db.comment.create({ data: { content: 'C', authorId: 3, postId: 1 } })
    const send = body ? { body } : {}
    const denied = await api.as(null)(method, `/api/v1${path}`, send)
    expect([denied.status, denied.body.errors[0].detail]).toEqual([403, `This action is unauthorized. ${cause}`])
    await inProduction.db.comment.create({ data: { content: 'C', authorId: 3, postId: 1 } })
    const there = await inProduction.as(null)(method, `/api/v1${path}`, send)
    expect(there.body.errors[0].detail).toBe('This action is unauthorized.')
  })

  test('a method has its line, and behind a request class that denies stands the policy that would', async () => {
    const before = process.cwd()
    const folder = mkdtempSync(path.join(tmpdir(), 'places-'))
    for (const name of ['requests', 'policies']) mkdirSync(path.join(folder, name))
    writeFileSync(path.join(folder, 'requests/tag.request.ts'), 'class A {\n  override authorize() {\n')
    writeFileSync(path.join(folder, file), 'class A {\n\n  override async updateTags() {\n')
    const deciding = async (method: string, at: string, body: object | null) => {
      const denied = await api.as(null)(method, `/api/v1${at}`, { ...explain, ...(body && { body }) })
      return denied.body.meta.explain.decisions[0]
    }
    process.chdir(folder)
    try {
      expect(await deciding('PATCH', '/posts/1/relationships/tags', tags)).toMatchObject({
        by: 'method',
        at: `${file}:3`,
      })
      const nobody = { action: 'create', by: 'nobody', place: 'policies/tag.policy.ts', allowed: false }
      expect(await deciding('POST', '/tags', { data: { type: 'tags' } })).toMatchObject({
        ...{ by: 'request', at: 'requests/tag.request.ts:2', next: nobody },
      })
      // Guests list tags: nothing is behind it.
      expect(await deciding('GET', '/tags', null)).not.toHaveProperty('next')
    } finally {
      process.chdir(before)
    }
  })

  test('the database is asked which rule holds, and that is no part of the explanation’s levels', async () => {
    const { body } = await api.as(null)('DELETE', '/api/v1/posts/1', explain)
    const [decision] = body.meta.explain.decisions
    expect(decision).toMatchObject({
      decisive: 3,
      rules: [
        { rule: 3, effect: 'cannot', where: { comments: { some: {} } }, holds: true },
        { rule: 2, effect: 'can', where: null, holds: true },
      ],
    })
    // The count that decided is one.
    expect(levelsOf(body.meta.explain.levels)).toEqual(['rows Post', 'count Post'])
  })

  test('values of columns that no document shows are not shown', async () => {
    const { text, body } = await api.as(users.admin)('GET', '/api/v1/users/3', explain)
    expect(body.meta.explain.levels[0]).toMatchObject({ model: 'User', rows: 1 })
    expect(text).not.toContain('a secret hash')
    if (provider !== 'mysql') expect(body.meta.explain.levels[0].statements[0].values).toBeNull()
    expect(JSON.stringify(body.meta.explain.scopes.User)).toContain('not shown')
  })
})

describe('in production', () => {
  const api = useServers(async () => ({ ...(await theExample()), production: true }))

  test('nobody is told', async () => {
    const { status, headers, body } = await api.as(users.admin)('GET', '/api/v1/tags/1', explain)
    expect([status, headers.has('Preference-Applied'), body.meta]).toEqual([200, false, undefined])
    const { body: denied } = await api.as(null)('GET', '/api/v1/users', explain)
    expect(denied.meta).toBeUndefined()
  })
})
