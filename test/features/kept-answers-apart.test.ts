import { request as send } from 'node:http'
import { text } from 'node:stream/consumers'
import {
  array,
  Policy,
  ResourceQuery,
  ResourceRequest,
  type Rules,
  Schema,
  Server,
  type Serving,
  string,
  type User,
} from 'prismapi'
import type { Feature } from 'prismapi/features'
import type { PolicyClass, SchemaClass, ServerParts } from 'prismapi/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../support/database.ts'
import { plain, type Running, startServers } from '../support/servers.ts'

// A server that keeps answers beside one that keeps none: whoever asks, and whatever was asked before, both say the same.

let database: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

type Parts = Parameters<typeof startServers>[1]
type Asked = readonly [user: number | null, path: string, headers?: Readonly<Record<string, string>>]

/** Asks both servers the same, one question after the other. */
async function expectSame(parts: Parts, questions: readonly Asked[], each?: (n: number) => unknown): Promise<void> {
  const servers: Running[] = []
  try {
    for (const own of [{}, { keptAnswers: false as const }])
      servers.push(await startServers(database, { ...parts, ...own }))
    for (const [n, [user, path, headers = {}]] of questions.entries()) {
      await each?.(n)
      const told = []
      for (const { as } of servers) {
        const { status, text: body } = await as(user)('GET', path, { headers })
        told.push({ n, status, body })
      }
      expect(told[0]).toEqual(told[1])
      expect(told[1]?.status).toBeLessThan(500)
    }
  } finally {
    for (const server of servers) await server.close()
  }
}

const times = (count: number, ...asked: Asked): Asked[] => Array.from({ length: count }, () => asked)

class Own extends Server {
  override readonly name: string = 'v1'
  override readonly models = ['Tag', 'Post', 'User', 'Profile'] as const
}
class Open extends Policy {
  override abilities({ can }: Rules) {
    can(this.reads)
  }
}
const open = ['Tag', 'Post', 'User', 'Profile'] as const
const policiesOf = (own: Readonly<Record<string, unknown>> = {}) =>
  new Map([...open.map((model) => [model, Open] as const), ...Object.entries(own)] as [string, PolicyClass][])
const served = (
  more: Partial<ServerParts> = {},
  Class: ServerParts['server'] = Own,
): Pick<Parts, 'servers' | 'policies'> => ({
  servers: [plain(Class, more)],
  policies: policiesOf(),
})
const idOf = (user: unknown) => (user as User | null)?.id

describe('code of the application behind a related resource', () => {
  let asked = 0

  test('an attribute that is computed, of what its URL includes', async () => {
    class Computed extends Schema<'Profile'> {
      override fields() {
        return [this.attribute('asked').computed(['bio'], () => Math.floor(asked++ / 2))]
      }
    }
    const parts = served({ schemas: new Map([['Profile', Computed as unknown as SchemaClass]]) })
    await database.writer.profile.upsert({ where: { userId: 1 }, create: { userId: 1, bio: 'Writes.' }, update: {} })
    await database.writer.post.update({ where: { id: 1 }, data: { authorId: 1 } })
    await expectSame(parts, times(6, null, '/api/v1/posts/1/author?include=profile'))
    expect(asked).toBe(12)
  })

  test('rules of the query class of its type', async () => {
    class Counted extends ResourceQuery<'Tag'> {
      override rules() {
        asked++
        return {}
      }
    }
    const parts = served({
      requests: new Map([['Tag', { request: null, query: Counted, collectionQuery: Counted }]]) as never,
    })
    // They are asked at boot, too.
    await expectSame(parts, times(6, null, '/api/v1/posts/1/tags'), (n) => {
      if (n === 0) asked = 0
    })
    expect(asked).toBe(12)
  })

  test('a method that a policy has by a getter', async () => {
    class Got extends Open {
      get view() {
        return () => asked++ % 4 < 2
      }
    }
    const parts = { ...served(), policies: policiesOf({ Tag: Got }) }
    asked = 0
    await expectSame(parts, times(8, null, '/api/v1/tags/1'))
    expect(asked).toBe(16)
  })
})

describe('scopes', () => {
  const scoped = (say: (phase: Serving) => void) =>
    class extends Own {
      override serving(phase: Serving) {
        say(phase)
      }
    }

  test('of a type that a filter or a sort crosses, whose query was checked for somebody else', async () => {
    const Class = scoped((phase) => {
      if (idOf(phase.user) === 2) phase.scope('User', { id: -1 })
    })
    const author = await database.writer.user.findFirstOrThrow({ where: { posts: { some: {} } } })
    for (const path of [`/api/v1/posts?filter[author.name]=${author.name}`, '/api/v1/posts?sort=author.name,id'])
      await expectSame({ ...served({}, Class), policies: policiesOf() }, [...times(4, 1, path), ...times(3, 2, path)])
  })

  test('of a type that those who asked last did not come to', async () => {
    const Class = scoped((phase) => {
      const id = idOf(phase.user)
      if (id === 1) phase.scope('Post', { id: -1 })
      if (id === 3) phase.scope('Tag', { id: -1 })
    })
    const policies = policiesOf()
    policies.delete('Tag')
    const path = '/api/v1/posts?include=tags'
    const long = 'x'.repeat(7000)
    const flood = ['posts/1', 'users/1', 'profiles/1'].flatMap((type) =>
      Array.from({ length: 150 }, (_, i): Asked => [null, `/api/v1/${type}?${long}=${i}`]),
    )
    await expectSame({ ...served({}, Class), policies }, [
      ...times(5, 2, path),
      ...flood,
      ...times(3, 1, path),
      ...times(3, 3, path),
    ])
  })

  test('by an object that the application changes for the next request', async () => {
    const where = { id: 0 }
    class Shared extends Own {
      override serving(phase: Serving) {
        where.id = idOf(phase.user) ?? 0
        phase.scope('Tag', where)
      }
    }
    const running = await startServers(database, served({}, Shared))
    const path = '/api/v1/tags'
    const idsOf = async (user: number) =>
      (await running.as(user)('GET', path)).body.data.map(({ id }: { id: string }) => Number(id))
    for (let i = 0; i < 30; i++) {
      const users = [1, 2, 3, 1, 2, 3]
      expect(await Promise.all(users.map(idsOf))).toEqual(users.map((id) => [id]))
    }
    await running.close()
  })
})

test('a policy that throws for somebody, who would not have asked it', async () => {
  class Throwing extends Policy<'Tag'> {
    override abilities({ can }: Rules<'Tag'>, user: User | null) {
      if (user?.id === 2) throw new Error('Not for you.')
      can(this.reads)
      can('view', 'name')
    }
  }
  class Hidden extends Own {
    override serving(phase: Serving) {
      if (idOf(phase.user) === 2) phase.scope('Post', { id: -1 })
    }
  }
  const path = '/api/v1/posts?include=tags'
  const parts = { ...served({}, Hidden), policies: policiesOf({ Tag: Throwing }) }
  await expectSame(parts, [...times(4, 1, path), ...times(3, 2, path)])
})

test('meta.can, where a request class says what its caller may send', async () => {
  class Updating extends Policy<'Tag'> {
    override abilities({ can }: Rules<'Tag'>) {
      can(this.reads)
      can('update', ['name'])
    }
  }
  class Ruled extends ResourceRequest<'Tag'> {
    override rules() {
      return this.checked(this.user?.id === 1 ? { name: string() } : ({ posts: array() } as never))
    }
  }
  class Telling extends Own {
    override readonly showsCan = true
  }
  const parts = {
    ...served(
      { requests: new Map([['Tag', { request: Ruled, query: null, collectionQuery: null }]]) as never },
      Telling,
    ),
    policies: policiesOf({ Tag: Updating }),
  }
  await expectSame(parts, [...times(4, 1, '/api/v1/tags/1'), ...times(3, 2, '/api/v1/tags/1')])
})

test('a request class that looks at its row as it is made', async () => {
  class Looking extends ResourceRequest<'Tag'> {
    readonly name = (this.model() as { name: string }).name
  }
  const parts = served({
    requests: new Map([['Tag', { request: Looking, query: null, collectionQuery: null }]]) as never,
  })
  await expectSame(parts, times(5, 1, '/api/v1/tags/1'))
})

test('a feature that leaves out of answers what their caller may not know', async () => {
  const redacting: Feature = {
    serve: () => () => ({
      execute: (next) => async (call) => {
        const answer = await next(call)
        if (!('document' in answer) || idOf(call.user) !== 2) return answer
        return { ...answer, document: { jsonapi: { version: '1.0' }, meta: { redacted: true } } as never }
      },
    }),
  }
  await expectSame({ ...served(), features: [redacting] }, [
    ...times(4, 1, '/api/v1/tags/1'),
    ...times(3, 2, '/api/v1/tags/1'),
  ])
})

test('a middleware that says which resource a URL is about', async () => {
  const before: Parts['before'] = () => (koa, next) => {
    if (koa.path.endsWith('/tags/mine')) koa.path = `/api/v1/tags/${koa.get('X-Mine')}`
    return next()
  }
  const mine = (id: string) => times(4, 1, '/api/v1/tags/mine', { 'X-Mine': id })
  await expectSame({ ...served(), before }, [...mine('1'), ...mine('2')])
})

test('two servers of one name, each on a host of its own', async () => {
  class Public extends Own {
    override readonly host = 'public.example'
    override authorizable() {
      return false
    }
  }
  class Internal extends Own {
    override readonly host: string = 'internal.example'
    override authorizable() {
      return false
    }
  }
  class Hidden extends Schema<'Tag'> {
    override fields() {
      return [this.attribute('name').hidden()]
    }
  }
  const schemas = new Map([['Tag', Hidden as unknown as SchemaClass]])
  const running = await startServers(database, {
    policies: new Map(),
    servers: [plain(Internal), plain(Public, { schemas })],
  })
  const nameAt = (host: string) =>
    new Promise<unknown>((resolve, reject) => {
      const asking = send(`${running.at}/api/v1/tags/1`, { headers: { host } }, (answer) =>
        text(answer).then((body) => resolve(JSON.parse(body).data.attributes?.name), reject),
      )
      asking.on('error', reject).end()
    })
  for (let i = 0; i < 4; i++) expect(await nameAt('internal.example')).toBeTypeOf('string')
  for (let i = 0; i < 4; i++) expect(await nameAt('public.example')).toBe(undefined)
  await running.close()
})

test('a number of bytes that is none stops the start', async () => {
  for (const bytes of [Number.NaN, -1, 0.5, '16' as never])
    await expect(startServers(database, { ...served(), keptAnswers: { bytes } })).rejects.toThrow(
      `createApi({ keptAnswers: { bytes } }): pass a whole number, or false for none, not ${bytes}.`,
    )
})
