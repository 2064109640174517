import fc from 'fast-check'
import { Policy, type RowOf, type Rules, type Serving, type User } from 'prismapi'
import type { ServerParts } from 'prismapi/types'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import V1 from '../../src/app/v1/server.ts'
import { users } from '../support/api.ts'
import { provider } from '../support/database.ts'
import { lookedAtOnce } from '../support/looked-at-once.ts'
import { addPost, addTag } from '../support/rows.ts'
import { videoId } from '../support/seeded.ts'
import { exampleWith, theExample, useServers } from '../support/servers.ts'
import { versionedParts } from '../support/versioned.ts'

// A PATCH by one statement, which reads no row before: what it says and stores is what the long way says and stores.

const unruled = (servers: readonly ServerParts[]) => servers.map((each) => ({ ...each, requests: new Map() }))

/** Servers whose hooks have every row looked at before it changes. */
const looking = (servers: readonly ServerParts[]): readonly ServerParts[] =>
  servers.map(({ server: Own, ...parts }) => ({
    ...parts,
    server: class extends (Own as unknown as typeof V1) {
      override serving(phase: Serving): void {
        super.serving(phase)
        for (const model of parts.schemas.keys()) phase.updating(model as 'Post', () => {})
      }
    } as unknown as ServerParts['server'],
  }))

const example = async () => {
  const { policies, servers } = await theExample()
  return { policies, servers: unruled(servers) }
}
const versioned = async () => {
  const { servers, ...parts } = await versionedParts()
  return { ...parts, servers: unruled(servers) }
}
const slowly = async (parts: ReturnType<typeof example> | ReturnType<typeof versioned>) => {
  const { servers, ...others } = await parts
  return { ...others, servers: looking(servers) }
}

const short = useServers(example)
const long = useServers(() => slowly(example()))
const shortVersioned = useServers(versioned)
const longVersioned = useServers(() => slowly(versioned()))

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-01-01') })
})
afterAll(() => {
  vi.useRealTimers()
})

const seededPosts = 60
const counting = videoId(3)

const text = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-z]{1,6}$/) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>('', null, 3, 'post-2', 'https://a.example', 'not a date') },
)
const instant = fc.constantFrom<unknown>('2030-05-05T00:00:00Z', null, 'not a date')
const of = (type: string, ids: readonly string[], values: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record({
    target: fc.record({ type: fc.constant(type), id: fc.constantFrom(...ids) }),
    attributes: fc.oneof(
      { weight: 9, arbitrary: fc.record(values, { requiredKeys: [] }) },
      { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('nonsense', 'id', 'createdAt'), text) },
    ),
  })
const fields = fc.oneof(
  of('posts', ['1', '2', '3', '5', '8', '99999', 'x'], {
    title: text,
    content: text,
    slug: text,
    publishedAt: instant,
  }),
  of('tags', ['1', '2'], { name: text }),
  of('videos', [videoId(1), videoId(2)], { title: text, url: text, rating: fc.constantFrom(3, null, 'x') }),
  of('comments', ['1', '2'], { content: text }),
  of('users', ['3', '4'], { name: text, email: text }),
)
const rarely = fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) })
const mostly = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 4, arbitrary: fc.constantFrom(...others) })
const sent = fc.record({
  server: fc.constantFrom(0, 1),
  as: mostly<number | null>(users.admin, null, users.editor, users.member3, users.member4),
  fields,
  query: mostly('', '?fields[posts]=title', '?include=author', '?include=nothing', '?sort=x'),
  match: mostly('none', 'right', 'wrong', 'any', 'not it'),
  otherId: rarely,
  withTags: rarely,
})
type Sent = typeof sent extends fc.Arbitrary<infer T> ? T : never

async function send(api: typeof short, bases: readonly string[], { fields, ...patch }: Sent) {
  const { type, id } = fields.target
  const ask = api.as(patch.as)
  const path = `${bases[patch.server]}/${type}/${id}`
  const tag = patch.match === 'right' ? (await ask('GET', path)).headers.get('ETag') : null
  const headers: Record<string, string> = {
    ...(tag && { 'If-Match': tag }),
    ...(patch.match === 'wrong' && { 'If-Match': '"7/x"' }),
    ...(patch.match === 'any' && { 'If-Match': '*' }),
    ...(patch.match === 'not it' && { 'If-None-Match': '*' }),
  }
  const data = {
    type,
    id: patch.otherId ? '2' : id,
    attributes: fields.attributes,
    ...(patch.withTags && { relationships: { tags: { data: [{ type: 'tags', id: '1' }] } } }),
  }
  const answer = await ask('PATCH', path + patch.query, { headers, body: { data } })
  return { status: answer.status, text: answer.text, etag: answer.headers.get('ETag') }
}

/** All that changes are sent of, and more; without what tests of one server alone add or change. */
async function stored({ db }: typeof short) {
  const order = { orderBy: { id: 'asc' } } as const
  return [
    await db.post.findMany({ ...order, where: { id: { lte: seededPosts } } }),
    await db.tag.findMany(order),
    await db.video.findMany({ ...order, where: { id: { not: counting } } }),
    await db.user.findMany(order),
  ]
}

describe.each([
  ['of the example', short, long, ['/api/v1', '/api/v2']],
  ['with versions', shortVersioned, longVersioned, ['/api/open', '/api/careful']],
] as const)('%s', (_, one, other, bases) => {
  test('random changes are answered, byte for byte, and stored as by the long way', async () => {
    let changed = 0
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 4 }), async (patches) => {
        for (const patch of patches) {
          vi.setSystemTime(Date.now() + 1000)
          const answer = await send(one, bases, patch)
          expect(answer).toEqual(await send(other, bases, patch))
          if (answer.status === 200) changed++
        }
        expect(await stored(one)).toEqual(await stored(other))
      }),
      { numRuns: 80 },
    )
    expect(changed).toBeGreaterThan(15)
  })
})

/** The statements of some work that read or write posts. */
const statements = async (api: typeof short, work: () => Promise<unknown>) =>
  (await api.queriesOf(work)).filter((sql) => sql.includes('"Post"')).map((sql) => sql.slice(0, 6).toLowerCase())

const retitle = (id: number, title = 'T') => ({
  body: { data: { type: 'posts', id: String(id), attributes: { title } } },
})

describe('a PATCH is', () => {
  test('one statement where conditions decide, of a row that its caller may change', async () => {
    const { id } = await addPost(short.db, { authorId: users.member3 })
    await short.as(users.member3)('GET', `/api/v1/posts/${id}`)
    const asked = await statements(short, async () => {
      expect((await short.as(users.member3)('PATCH', `/api/v1/posts/${id}`, retitle(id))).status).toBe(200)
    })
    expect(asked).toEqual(['update'])
    expect(await short.db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({ title: 'T' })
  })

  test('looked at afterwards where no row came back', async () => {
    const { id } = await addPost(short.db, { authorId: users.member4 })
    await short.as(users.admin)('GET', `/api/v1/posts/${id}`)
    const asked = await statements(short, async () => {
      expect((await short.as(users.member3)('PATCH', `/api/v1/posts/${id}`, retitle(id))).status).toBe(403)
    })
    expect(asked).toEqual(['update', 'select'])
  })

  test('as ever where a hook looks at the row', async () => {
    const { id } = await addPost(long.db, { authorId: users.member3 })
    await long.as(users.member3)('GET', `/api/v1/posts/${id}`)
    const asked = await statements(long, async () => {
      expect((await long.as(users.member3)('PATCH', `/api/v1/posts/${id}`, retitle(id))).status).toBe(200)
    })
    expect(asked).toEqual(['select', 'update'])
  })
})

describe('a version that counts', () => {
  const counted = async (api: typeof short) => {
    const ask = api.as(null)
    const path = `/api/open/videos/${counting}`
    await api.db.video.update({ where: { id: counting }, data: { durationSeconds: 7 } })
    await ask('GET', path)
    return (etag: string, title: string) => {
      const body = { data: { type: 'videos', id: counting, attributes: { title } } }
      return ask('PATCH', path, { headers: { 'If-Match': etag }, body })
    }
  }

  test('is named and counted on by the one statement, and nothing is told of a transaction', async () => {
    const patch = await counted(shortVersioned)
    const told = shortVersioned.logs.length
    const asked = await shortVersioned.queriesOf(async () => {
      const { status, headers } = await patch('"7/x"', 'counted')
      expect([status, headers.get('ETag')]).toEqual([200, expect.stringMatching(/^"8\//)])
    })
    expect(asked.map((sql) => sql.slice(0, 6).toLowerCase())).toEqual(['update'])
    expect(shortVersioned.logs.slice(told).filter(({ level }) => level === 'debug')).toEqual([])
  })

  test.each(['"007/x"', '"7.0/x"', '"+7/x"', '"7e0/x"', '"0x7/x"'])('is not named by %s', async (etag) => {
    for (const api of [shortVersioned, longVersioned]) {
      const patch = await counted(api)
      expect((await patch(etag, etag)).status).toBe(412)
    }
  })
})

describe.runIf(provider === 'sqlite')('a policy that compares an instant', () => {
  class Locked extends Policy<'Post'> {
    override abilities({ can }: Rules<'Post'>) {
      can(this.reads)
      can('update', { publishedAt: { lt: new Date('2026-11-27T22:00:00Z') } })
    }
  }
  const api = useServers(async () => {
    const { policies, servers } = await exampleWith(V1, { requests: new Map() })
    return { servers, policies: new Map([...(policies ?? []), ['Post', Locked as never]]) }
  })

  test('takes it for what another program has just written into a large table', async () => {
    const { id } = await addPost(api.db, { publishedAt: new Date('2026-11-27T21:00:00Z') })
    await api.db.$executeRawUnsafe(
      `WITH RECURSIVE "n"("i") AS (SELECT 5000 UNION ALL SELECT "i" + 1 FROM "n" WHERE "i" < 20000) INSERT INTO "Post" ("id", "title", "slug", "content", "updatedAt", "publishedAt", "authorId") SELECT "i", 'T', 'many-' || "i", 'x', '2024-05-01T10:20:30.000+00:00', '2024-05-01T10:20:30.000+00:00', 3 FROM "n"`,
    )
    const ask = api.as(users.member3)
    const patch = () => {
      vi.setSystemTime(Date.now() + 1000)
      return ask('PATCH', `/api/v1/posts/${id}`, retitle(id))
    }
    await lookedAtOnce(() => ask('GET', '/api/v1/posts?filter[publishedAt][gt]=2026-01-01T00:00:00Z'))
    expect((await patch()).status).toBe(200)
    await api.db.$executeRawUnsafe(`UPDATE "Post" SET "publishedAt" = '2026-11-27 23:30:00' WHERE "id" = ${id}`)
    expect((await patch()).status).toBe(403)
    await api.db.$executeRawUnsafe(`UPDATE "Post" SET "publishedAt" = '2026-11-27 21:30:00' WHERE "id" = ${id}`)
    expect((await patch()).status).toBe(200)
  })
})

describe('a policy that is a method', () => {
  let asked = 0
  class ByMethod extends Policy<'Tag'> {
    override abilities({ can }: Rules<'Tag'>) {
      can(this.reads)
    }

    override update(user: User | null, { name }: RowOf<'Tag'>) {
      asked++
      return user !== null && name !== 'locked'
    }
  }
  const api = useServers(async () => {
    const { policies, servers } = await exampleWith(V1, { requests: new Map() })
    return { servers, policies: new Map([...(policies ?? []), ['Tag', ByMethod as never]]) }
  })

  test('is asked of the row, once', async () => {
    const [open, locked] = [await addTag(api.db), await addTag(api.db, 'locked')]
    const body = ({ id }: { readonly id: number }) => ({
      body: { data: { type: 'tags', id: String(id), attributes: { name: `renamed-${id}` } } },
    })
    expect((await api.as(users.member3)('PATCH', `/api/v1/tags/${open.id}`, body(open))).status).toBe(200)
    expect((await api.as(users.member3)('PATCH', `/api/v1/tags/${locked.id}`, body(locked))).status).toBe(403)
    expect(asked).toBe(2)
  })
})
