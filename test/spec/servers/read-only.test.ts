import { meta, Policy, PolicyAuthorizer, type Rules, type Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V2PostSchema from '../../../src/app/v2/post.schema.ts'
import V2 from '../../../src/app/v2/server.ts'
import { allowOf, expectErrorsOf11 } from '../../support/answers.ts'
import { users } from '../../support/api.ts'
import { useBoot } from '../../support/boot.ts'
import { exampleWith, theExample, useServers } from '../../support/servers.ts'
import { toldOperations } from '../../support/told-operations.ts'

// A server that is only read has no route that writes, whatever its policies allow, and tells nobody of one.

/** Denies nothing to anybody. */
class Everything extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>) {
    can([this.reads, this.writes, 'create'])
  }
  publish() {
    return true
  }
  slugs() {
    return true
  }
}

class PostSchema extends V2PostSchema {
  override actions() {
    return [
      this.action('publish', { handle: async () => null }),
      this.action('slugs', { on: 'collection', method: 'GET', handle: async () => meta({ slugs: 60 }) }),
    ]
  }
}

class Site extends V2 {
  override readonly readOnly = true
  override readonly showsCan = true
  override readonly browsable = true
  override serving(phase: Serving) {
    super.serving(phase)
    phase.authorizer(PolicyAuthorizer)
  }
}

const api = useServers(async () => {
  const { servers } = await theExample()
  const schemas = new Map([...(servers[1]?.schemas ?? []), ['Post', PostSchema as never] as const])
  const parts = await exampleWith(Site, { schemas })
  return { ...parts, production: false, policies: new Map([...parts.policies, ['Post', Everything as never]]) }
})

const admin = () => api.as(users.admin)
const post = { type: 'posts', id: '1', attributes: { title: 'Another one' } }
const tags = { data: [{ type: 'tags', id: '2' }] }

describe('a server that is only read', () => {
  test.each([
    ['POST', '/posts', { data: { ...post, id: undefined } }],
    ['PATCH', '/posts/1', { data: post }],
    ['DELETE', '/posts/1', undefined],
    ['POST', '/posts/1/relationships/tags', tags],
    ['PATCH', '/posts/1/relationships/tags', tags],
    ['DELETE', '/posts/1/relationships/tags', tags],
    ['PATCH', '/posts/1/relationships/author', { data: { type: 'users', id: '2' } }],
    ['POST', '/posts/1/tags', tags],
    ['POST', '/posts/-actions/slugs', {}],
  ])('answers %s %s by 405, and says what there is', async (method, path, body) => {
    const before = await api.db.post.findMany({ include: { tags: true } })
    const answer = await admin()(method, `/api/v2${path}`, { body })
    expectErrorsOf11(answer, {
      status: '405',
      title: 'Method Not Allowed',
      detail: `The ${method} method is not supported for route /api/v2${path}. Supported methods: GET, HEAD, QUERY.`,
    })
    expect(allowOf(answer)).toEqual(['GET', 'HEAD'])
    expect(await api.db.post.findMany({ include: { tags: true } })).toEqual(before)
  })

  test.each([
    ['/operations', { 'atomic:operations': [{ op: 'remove', ref: { type: 'posts', id: '1' } }] }],
    ['/posts/1/-actions/publish', {}],
  ])('has nothing at %s', async (path, body) => {
    for (const method of ['POST', 'GET'])
      expectErrorsOf11(await admin()(method, `/api/v2${path}`, method === 'GET' ? {} : { body }), {
        status: '404',
        title: 'Not Found',
        detail: expect.any(String),
      })
  })

  test('does not know the extension of operations', async () => {
    const type = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
    const { status } = await admin()('GET', '/api/v2/posts', { headers: { Accept: type } })
    expect(status).toBe(406)
  })

  test('reads as before, and runs actions by GET', async () => {
    expect((await admin()('GET', '/api/v2/posts/1')).status).toBe(200)
    expect((await admin()('GET', '/api/v2/posts/-actions/slugs')).body.meta).toEqual({ slugs: 60 })
    expect(allowOf(await admin()('OPTIONS', '/api/v2/posts/1/relationships/tags'))).toEqual(['GET', 'HEAD'])
  })

  test('says in meta.can what may be read, and nothing else', async () => {
    const one = await admin()('GET', '/api/v2/posts/1')
    expect(one.body.data.meta.can).toEqual({ view: true, viewAuthor: true, viewTags: true, viewComments: true })
    const many = await admin()('GET', '/api/v2/posts?page[size]=1')
    expect(many.body.meta.can).toEqual({ slugs: true })
  })

  test('has an OpenAPI document of reads alone', async () => {
    const { body } = await admin()('GET', '/api/v2/openapi.json')
    expect(new Set(toldOperations(body).map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(Object.keys(body.components.parameters)).not.toContain('Idempotency-Key')
    expect(body.components.requestBodies ?? {}).toEqual({})
  })

  test('has pages without a form that writes', async () => {
    const Accept = 'text/html'
    for (const path of ['', '/posts', '/posts/1', '/users/1']) {
      const { status, text } = await admin()('GET', `/api/v2${path}`, { headers: { Accept } })
      const sent = [...text.matchAll(/<form[^>]*method="post"[^>]*action="([^"]*)"/g)].map(([, action]) => action)
      expect([path, status, sent.filter((action) => !action?.includes('/-browse/'))]).toEqual([path, 200, []])
    }
  })

  test('explains that there is no such route', async () => {
    const answer = await admin()('PATCH', '/api/v2/posts/1', {
      body: { data: post },
      headers: { Prefer: 'explain=authorization' },
    })
    expect([answer.status, answer.body.meta.explain.decisions]).toEqual([405, []])
  })
})

describe('what says how writes are done', () => {
  const boot = useBoot()
  const start = (members: string) =>
    boot({
      'src/app/v1/server.js': `import { Server } from 'prismapi'
export default class V1 extends Server {
  name = 'v1'
  readOnly = true
  ${members}
}`,
    })

  test.each([
    ['idempotency = { keptSeconds: 60 }', 'idempotency is about writes, and it is readOnly. Leave it out.'],
    [
      'idempotency = { keptSeconds: 60 }; limits = { operations: 5, linkage: 5 }',
      'idempotency and limits.operations and limits.linkage are about writes, and it is readOnly. Leave them out.',
    ],
  ])('stops the start: %s', async (members, said) => {
    await expect(start(members)).rejects.toThrow(new Error(`src/app/v1/server.js: Server v1: ${said}`))
  })

  test('may say that there are none', async () => {
    expect((await start('idempotency = false')).servers.map(({ readOnly }) => readOnly)).toEqual([true])
  })
})
