import {
  type AuthorizationRequest,
  Policy,
  PolicyAuthorizer,
  ResourceCollectionQuery,
  ResourceRequest,
  type Rules,
  Schema,
  Server,
  type Serving,
  string,
} from 'prismapi'
import { CursorProfilePagination } from 'prismapi/cursor-pagination'
import type { HookRequest } from 'prismapi/types'
import { describe, expect, test } from 'vitest'
import { expectErrors, notFound } from '../../support/answers.ts'
import { origin } from '../../support/api.ts'
import { useBoot } from '../../support/boot.ts'
import { openEvents } from '../../support/event-stream.ts'
import { plain, useServers } from '../../support/servers.ts'

// `/api/:author/v1`: what the values are is known to all code of the application, for guests, too, and kept by everything that leads on.

class PostPolicy extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>) {
    can([this.reads, this.writes, 'create'])
  }
  where() {
    return true
  }
}

const told: unknown[] = []
const tell = (place: string, params: unknown) => void told.push([place, params])

class PostSchema extends Schema<'Post'> {
  override pagination() {
    return new CursorProfilePagination()
  }
  override indexQuery({ params }: HookRequest) {
    tell('indexQuery', params)
    return {}
  }
  override actions() {
    return [
      this.action('where', {
        on: 'collection',
        handle: async ({ params }) => tell('action', params),
      }),
    ]
  }
}

class PostRequest extends ResourceRequest<'Post'> {
  override rules() {
    return {
      ...this.inferred(),
      title: string()
        .required()
        .notOneOf([`not ${this.params.author}`]),
    }
  }
}

class PostQuery extends ResourceCollectionQuery<'Post'> {
  override rules() {
    tell('query', this.user === undefined ? null : this.params)
    return {}
  }
}

class Told extends PolicyAuthorizer<'Post'> {
  override viewAny(request: AuthorizationRequest) {
    tell('authorizer', request.params)
    return super.viewAny(request)
  }
}

/** Shows the posts of the author that the path names. */
class ByAuthor extends Server {
  override readonly name = 'by-author'
  override readonly version = '1.1'
  override readonly basePath: string = '/api/:author/v1'
  override readonly browsable = true
  override readonly live = process.env.TEST_DATABASE !== 'mysql'
  override serving(phase: Serving) {
    phase.scope('Post', { author: { email: `${phase.params.author}@example.com` } })
    phase.creating('Post', (_, { params }) => {
      tell('creating', params)
      return { authorId: Number(/\d+/.exec(params.author ?? '')?.[0]) }
    })
    phase.preparing('Post', (_, { params }) => tell('preparing', params) as undefined)
    phase.reading('Post', (_, { params }) => tell('reading', params))
  }
}

class Fixed extends Server {
  override readonly name = 'fixed'
  override readonly basePath = '/api/public/v1'
}

const api = useServers(() => ({
  servers: [
    plain(ByAuthor, {
      schemas: new Map([['Post', PostSchema as never]]),
      authorizers: new Map([['Post', Told as never]]),
      requests: new Map([['Post', { request: PostRequest, query: null, collectionQuery: PostQuery } as never]]),
    }),
    plain(Fixed),
  ],
  policies: new Map([['Post', PostPolicy as never]]),
  production: false,
}))

const guest = () => api.as(null)
const get = (path: string, headers = {}) => guest()('GET', path, { headers })
const post = (slug: string) => ({
  data: { type: 'posts', attributes: { title: 'One', slug, content: 'x' } },
})
const toldBy = async (work: () => Promise<unknown>) => {
  told.length = 0
  await work()
  return told
    .map((each) => JSON.stringify(each))
    .filter((each, i, all) => all.indexOf(each) === i)
    .sort()
}

describe('what the path says', () => {
  test('hides what is not of it, for guests', async () => {
    const of = async (name: string) => {
      const { body } = await get(`/api/${name}/v1/posts?page[size]=100`)
      return body.data.length
    }
    const count = (authorId: number) => api.db.post.count({ where: { authorId } })
    expect([await of('member3'), await of('member4'), await of('nobody')]).toEqual([await count(3), await count(4), 0])
  })

  test('is told to all code of the application', async () => {
    const params = { author: 'member3' }
    expect(await toldBy(() => get('/api/member3/v1/posts'))).toEqual(
      ['authorizer', 'indexQuery', 'query', 'reading'].map((place) => JSON.stringify([place, params])),
    )
    const written = await toldBy(() => guest()('POST', '/api/member3/v1/posts', { body: post('told') }))
    expect(written).toEqual(['creating', 'preparing'].map((place) => JSON.stringify([place, params])))
    expect(await toldBy(() => guest()('POST', '/api/member3/v1/posts/-actions/where', { body: {} }))).toEqual([
      JSON.stringify(['action', params]),
    ])
    const refused = {
      data: { ...post('refused').data, attributes: { ...post('refused').data.attributes, title: 'not member3' } },
    }
    expect((await guest()('POST', '/api/member3/v1/posts', { body: refused })).status).toBe(422)
    expect((await guest()('POST', '/api/member4/v1/posts', { body: refused })).status).toBe(201)
  })

  test('is kept by links, pages and Location', async () => {
    const { body } = await get('/api/member3/v1/posts?page[size]=2')
    const base = `${origin}/api/member3/v1`
    const [first] = body.data
    expect(body.links.self).toBe(`${base}/posts?page%5Bsize%5D=2`)
    expect(first.links.self).toBe(`${base}/posts/${first.id}`)
    expect(first.relationships.author.links.related).toBe(`${base}/posts/${first.id}/author`)
    expect(new URL(body.links.next).pathname).toBe('/api/member3/v1/posts')
    const next = new URL(body.links.next)
    expect((await get(next.pathname + next.search)).status).toBe(200)
    const made = await guest()('POST', '/api/member3/v1/posts', { body: post('located') })
    expect(made.headers.get('Location')).toBe(`${base}/posts/${made.body.data.id}`)
    const root = await get('/api/member3/v1')
    expect([root.body.links, root.body.meta.types.posts.links]).toEqual([
      { self: base, describedby: `${base}/openapi.json` },
      { self: `${base}/posts` },
    ])
  })

  test('is kept by pages for browsers', async () => {
    const { text, status } = await get('/api/member3/v1/posts', { Accept: 'text/html' })
    const own = [...text.matchAll(/(?:href|action|src)="(\/[^"]*)"/g)].map(([, href]) => href as string)
    expect([status, own.length > 10, own.filter((href) => !href.startsWith('/api/member3/v1'))]).toEqual([
      200,
      true,
      [],
    ])
    const assets = own.filter((href) => href.includes('/assets/'))
    expect(await Promise.all(assets.map(async (href) => (await fetch(api.at + href)).status))).toEqual(
      assets.map(() => 200),
    )
  })

  test('is a variable of the server in OpenAPI documents', async () => {
    const { body } = await get('/api/member3/v1/openapi.json')
    expect(body.servers).toEqual([{ url: `${origin}/api/{author}/v1`, variables: { author: { default: 'member3' } } }])
    expect(Object.keys(body.paths).slice(0, 4)).toEqual(['/', '/openapi.json', '/operations', '/posts'])
    const other = await get('/api/member4/v1/openapi.json')
    expect(other.body.servers[0].variables).toEqual({ author: { default: 'member4' } })
  })

  test('is a part of cursors, and of other lists they mean nothing', async () => {
    const { body } = await get('/api/member3/v1/posts?page[size]=2')
    const { search } = new URL(body.links.next)
    const [here, there] = [await get(`/api/member3/v1/posts${search}`), await get(`/api/member4/v1/posts${search}`)]
    expect([here.status, there.status, there.body.errors[0].source]).toEqual([200, 400, { parameter: 'page[after]' }])
  })

  test('is a part of an Idempotency-Key', async () => {
    const ask = (name: string, slug: string) =>
      guest()('POST', `/api/${name}/v1/posts`, {
        body: post(slug),
        headers: { 'Idempotency-Key': 'one', 'Idempotency-Token': 'a-secret-of-22-letters' },
      })
    const [here, there, again] = [
      await ask('member3', 'key-3'),
      await ask('member4', 'key-4'),
      await ask('member3', 'key-3'),
    ]
    expect([here, there, again].map(({ status, headers }) => [status, headers.get('Idempotency-Replayed')])).toEqual([
      [201, null],
      [201, null],
      [201, 'true'],
    ])
    expect(again.body).toEqual(here.body)
  })

  test.skipIf(process.env.TEST_DATABASE === 'mysql')('is whose stream it is', async () => {
    const begun = async (name: string, headers = {}) => {
      const stream = await openEvents(`${api.at}/api/${name}/v1/posts?fields[posts]=slug`, headers)
      const events = await stream.until((all) => all.some(({ event }) => event === 'snapshot'))
      await stream.close()
      return events
    }
    const here = await begun('member3')
    const there = await begun('member4', { 'Last-Event-ID': here[0]?.id })
    const told = (events: typeof here) => [
      ...events.map(({ event }) => event),
      events.at(-1)?.data.data[0].links.self.replace(/\d+$/, ''),
    ]
    expect([told(here), told(there)]).toEqual([
      ['snapshot', `${origin}/api/member3/v1/posts/`],
      ['reset', 'snapshot', `${origin}/api/member4/v1/posts/`],
    ])
  })

  test('is where operations lie, and no other', async () => {
    const type = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
    const ask = (href: string) =>
      guest()('POST', '/api/member3/v1/operations', {
        headers: { Accept: type, 'Content-Type': type },
        body: { 'atomic:operations': [{ op: 'add', href, data: post(`by-${href.length}`).data }] },
      })
    expect((await ask('/api/member3/v1/posts')).status).toBe(200)
    expect((await ask(`${origin}/api/member3/v1/posts`)).status).toBe(200)
    expect((await ask('/api/member44/v1/posts')).status).toBe(400)
  })
})

describe('a value', () => {
  test.each([
    ['%6Dember3', 'member3'],
    ['a%2Fb', 'a%2Fb'],
    ['a%20b', 'a%20b'],
    ['a+b', 'a%2Bb'],
    ['%C3%A9', '%C3%A9'],
    ["o'neil", "o'neil"],
    [':author', '%3Aauthor'],
    ['__proto__', '__proto__'],
  ])('%s is spelt %s in links', async (sent, spelt) => {
    const { body } = await get(`/api/${sent}/v1/posts`)
    expect(body.links.self).toBe(`${origin}/api/${spelt}/v1/posts`)
    const page = await get(`/api/${sent}/v1`, { Accept: 'text/html' })
    expect([page.status, page.text.includes(`href="/api/${spelt.replace("'", '&#39;')}/v1/posts"`)]).toEqual([
      200,
      true,
    ])
  })

  test.each(['', '%2e', '%2E%2e', '.%2e', 'a%00b', '%E0%A4', '%0a'])('that is "%s" is none', async (sent) => {
    // Not by fetch, which leaves dots out.
    const answer = await raw(`/api/${sent}/v1/posts`)
    expect(answer).toContain('HTTP/1.1 404')
  })

  test('is not needed where a server lies at the path itself', async () => {
    expect((await get('/api/public/v1')).body.links.self).toBe(`${origin}/api/public/v1`)
    expect((await get('/api/publi/v1')).body.links.self).toBe(`${origin}/api/publi/v1`)
    expectErrors(await get('/api/public/v2'), { ...notFound, detail: expect.any(String) })
  })
})

async function raw(target: string): Promise<string> {
  const { connect } = await import('node:net')
  const { hostname, port } = new URL(api.at)
  return new Promise((done, fail) => {
    let text = ''
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
    )
    socket.on('data', (data) => {
      text += data
    })
    socket.on('end', () => done(text)).on('error', fail)
  })
}

describe('servers that lie over each other', () => {
  const boot = useBoot()
  const start = async (...paths: readonly string[]) => {
    const files = paths.map((basePath, i) => [
      `src/app/s${i}/server.js`,
      `import { Server } from 'prismapi'
export default class S extends Server { name = 's${i}'; basePath = '${basePath}' }`,
    ])
    return boot({
      'src/app/v1/server.js':
        "import { Server } from 'prismapi'\nexport default class V1 extends Server { name = 'other' }",
      ...Object.fromEntries(files),
    })
  }

  test.each([
    [['/api/v1', '/api/v1'], '/api/v1 and /api/v1'],
    [['/api/:a/v1', '/api/:b/v1'], '/api/:a/v1 and /api/:b/v1'],
  ])('stop the start: %j', async (paths, said) => {
    await expect(start(...paths)).rejects.toThrow(
      new Error(
        `The servers s0 and s1 lie at the same place, ${said}. Give one of them another basePath, or a host of its own.`,
      ),
    )
  })

  test.each([
    ['/api/:a/:a', 'Give each parameter a name of its own, of letters and digits, as "/api/:organization/v1".'],
    ['/api/:/v1', 'Give each parameter a name of its own, of letters and digits, as "/api/:organization/v1".'],
    ['/api/:a-b/v1', 'Give each parameter a name of its own, of letters and digits, as "/api/:organization/v1".'],
    ['/:a', 'Add a segment that is no parameter, or it takes every URL of the host: "/api/:a".'],
  ])('%s is no base path', async (basePath, cure) => {
    await expect(start(basePath)).rejects.toThrow(
      `src/app/s0/server.js: Server s0: basePath is ${JSON.stringify(basePath)}. ${cure}`,
    )
  })

  test.each([['/api/:a/v1'], ['/api/v1', '/api/:a', '/api'], ['/:a/v1', '/v1/:b']])(
    'else start: %j',
    async (...paths) => {
      expect((await start(...paths)).servers.map(({ basePath }) => basePath)).toContain(paths[0])
    },
  )
})
