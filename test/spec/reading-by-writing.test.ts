import { meta, Policy, type RowOf, type Rules, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V2 from '../../src/app/v2/server.ts'
import TagSchema from '../../src/app/v2/tag.schema.ts'
import { fresh } from '../support/idempotency.ts'
import { exampleWith, useServers } from '../support/servers.ts'

// Who may write a resource, and may not view it, does not read it by writing it.

class Everywhere extends V2 {
  override readonly viewEverywhere = true
}

class Tags extends TagSchema {
  override actions() {
    return [
      this.action('rename', {
        handle: ({ row, db }) => db.tag.update({ where: { id: row.id }, data: { name: `${row.name}!` } }),
      }),
      this.action('both', {
        on: 'collection',
        handle: async ({ db }) => meta({}, await db.tag.findMany({ orderBy: { id: 'asc' }, take: 2 })),
      }),
    ]
  }
}

/** Sees its own posts and those of a category; writes all of them. */
class ByRules extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>, user: User | null) {
    can(['create', this.writes])
    if (user) can(['view', 'viewTags'], { authorId: user.id })
    can('view', { tags: { some: { name: 'open' } } })
  }
}

class ByMethod extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>, user: User | null) {
    can(['create', this.writes])
    if (user) can('viewTags', { authorId: user.id })
  }

  override view(user: User | null, post: RowOf<'Post'>) {
    if (post.slug === 'broken') throw new Error('a bug')
    return post.authorId === user?.id || post.slug.startsWith('open-')
  }
}

class TagPolicy extends Policy<'Tag'> {
  override abilities({ can }: Rules<'Tag', 'rename' | 'both'>, user: User | null) {
    can(['create', 'update', 'rename', 'both', 'updatePosts', 'attachPosts'])
    can('view', { name: 'open' })
    if (user?.role === 'ADMIN') can(this.reads)
  }
}

const serving = (Own: typeof V2, PostPolicy: unknown) =>
  useServers(async () => {
    const { policies, servers } = await exampleWith(Own)
    const schemas = new Map([...(servers[0]?.schemas ?? []), ['Tag', Tags] as const])
    return {
      servers: servers.map((server) => ({ ...server, schemas })),
      policies: new Map([...policies, ['Post', PostPolicy], ['Tag', TagPolicy]] as const) as never,
    }
  })

const member = 4
const admin = 1
let made = 0
const newPost = () => ({ title: 'A title', slug: `new-${++made}`, body: 'What is told' })
const bare = (type: string, id: unknown) => ({ type, id: String(id) })

const byRules = serving(V2, ByRules)
const byMethod = serving(V2, ByMethod)
const everywhere = serving(Everywhere, ByRules)

describe.each([
  ['rules', byRules],
  ['a method', byMethod],
  ['rules, everywhere', everywhere],
] as const)('by %s', (_, api) => {
  const send = (method: string, path: string, body: unknown, headers = {}, as: number | null = member) =>
    api.as(as)(method, `/api/v2${path}`, { headers, body })
  const postOf = (authorId: number) =>
    api.db.post.create({
      data: {
        title: 'Secret',
        slug: `secret-${++made}`,
        content: 'What is told',
        authorId,
        tags: { connect: [{ id: 1 }] },
        publishedAt: new Date(0),
      },
    })

  test('PATCH answers with type and id alone, and includes nothing', async () => {
    const { id } = await postOf(3)
    const self = `/posts/${id}?include=author,tags`
    const { status, body, headers } = await send('PATCH', self, { data: bare('posts', id) })
    expect({ status, body }).toEqual({
      status: 200,
      body: { jsonapi: body.jsonapi, links: body.links, data: bare('posts', id), included: [] },
    })
    const again = await send('PATCH', self, { data: bare('posts', id) })
    expect(again.headers.get('etag')).toBe(headers.get('etag'))
  })

  test('what may be viewed is shown as it was', async () => {
    const { id } = await postOf(member)
    const { body } = await send('PATCH', `/posts/${id}?include=author`, { data: bare('posts', id) })
    expect([body.data.attributes.body, body.included.length]).toEqual(['What is told', 1])
    expect((await send('GET', `/posts/${id}`, undefined)).body.data.attributes).toEqual(body.data.attributes)
  })

  test('POST answers with type and id alone, and its Location', async () => {
    const attributes = newPost()
    const author = { data: bare('users', 3) }
    const document = { data: { type: 'posts', attributes, relationships: { author } } }
    const { status, headers, body } = await send('POST', '/posts?include=author', document, {}, admin)
    const { id } = await api.db.post.findUniqueOrThrow({ where: { slug: attributes.slug } })
    expect({ status, body }).toEqual({
      status: 201,
      body: { jsonapi: body.jsonapi, links: body.links, data: bare('posts', id), included: [] },
    })
    expect(headers.get('location')).toMatch(new RegExp(`/posts/${id}$`))
  })

  test('results of operations and repeated answers say no more', async () => {
    const { id } = await postOf(3)
    const author = { data: bare('users', 3) }
    const operations = [
      { op: 'add', data: { type: 'posts', attributes: newPost(), relationships: { author } } },
      { op: 'add', data: { type: 'posts', attributes: newPost() } },
      { op: 'update', data: bare('posts', id) },
    ]
    const type = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
    const headers = { Accept: type, 'Content-Type': type, 'Idempotency-Key': fresh() }
    const document = { 'atomic:operations': operations }
    const { body } = await send('POST', '/operations', document, headers, admin)
    const { data } = body['atomic:results'][1]
    const ids = await api.db.post.findMany({ orderBy: { id: 'desc' }, take: 2, select: { id: true } })
    expect(body['atomic:results']).toEqual([{ data: bare('posts', ids[1]?.id) }, { data }, { data: bare('posts', id) }])
    expect(data.attributes.body).toBe('What is told')
    const again = await send('POST', '/operations', document, headers, admin)
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([body, 'true'])
  })

  test('an answer is not repeated to who may not view any more what it shows', async () => {
    const document = { data: { type: 'posts', attributes: newPost() } }
    const headers = { 'Idempotency-Key': fresh() }
    const first = await send('POST', '/posts', document, headers)
    const replay = await send('POST', '/posts', document, headers)
    await api.db.post.update({ where: { id: Number(first.body.data.id) }, data: { authorId: 3 } })
    const last = await send('POST', '/posts', document, headers)
    expect([first.status, replay.text === first.text, last.status, last.text.includes('What is told')]).toEqual([
      201,
      true,
      409,
      false,
    ])
  })

  test('a version is told neither by a tag nor by 412', async () => {
    const { id, updatedAt } = await postOf(3)
    const tag = (await send('GET', `/posts/${(await postOf(member)).id}`, undefined)).headers.get('etag')
    const named = String(tag).replace(/^"[^"]*?Z/, `"${updatedAt.toISOString()}`)
    const attempts = await Promise.all(
      [named, '"2020-01-01T00:00:00.000Z"', '*'].map(async (version) => {
        const answer = await send('PATCH', `/posts/${id}`, { data: bare('posts', id) }, { 'If-Match': version })
        return [answer.status, answer.body.errors]
      }),
    )
    expect(attempts[0]).toEqual(attempts[1])
    expect(attempts.map(([status]) => status)).toEqual([412, 412, 200])
  })

  test('an action that writes answers with those that may be viewed whole, and with the others by type and id', async () => {
    const tag = await api.db.tag.create({ data: { name: `t${++made}` } })
    const one = await send('POST', `/tags/${tag.id}/-actions/rename?include=posts`, undefined)
    expect([one.status, one.body.data, one.body.included]).toEqual([200, bare('tags', tag.id), []])
    const [first] = await api.db.tag.findMany({ orderBy: { id: 'asc' }, take: 2 })
    await api.db.tag.update({ where: { id: first?.id ?? 0 }, data: { name: 'open' } })
    const both = await send('POST', '/tags/-actions/both', undefined)
    expect(both.body.data.map((each: object) => Object.keys(each).includes('attributes'))).toEqual([true, false])
    await api.db.tag.update({ where: { id: first?.id ?? 0 }, data: { name: first?.name ?? '' } })
  })

  test('a relationship that may not be viewed is not answered with', async () => {
    const change = async (authorId: number) => {
      const { id } = await postOf(authorId)
      const { status, body } = await send(
        'PATCH',
        `/posts/${id}/relationships/tags?include=tags`,
        { data: [] },
        {},
        admin,
      )
      return [status, body?.data]
    }
    expect([await change(3), await change(admin)]).toEqual([
      [204, undefined],
      [200, []],
    ])
  })
})

test('one statement writes and tells whether the row may be viewed, where its own columns say so', async () => {
  const { id } = await byRules.db.post.create({
    data: { title: 'Own', slug: 'own', content: 'What is told', authorId: member },
  })
  const patch = () =>
    byRules.as(member)('PATCH', `/api/v2/posts/${id}?fields[posts]=title`, {
      body: { data: { ...bare('posts', id), attributes: { title: `T${++made}` } } },
    })
  await patch()
  const statements = await byRules.queriesOf(patch)
  expect(statements.filter((sql) => /^(UPDATE|SELECT)/i.test(sql) && sql.includes('Post')).length).toBe(2)
})

test('a policy that fails has written nothing', async () => {
  const attributes = { ...newPost(), slug: 'broken' }
  const { status } = await byMethod.as(member)('POST', '/api/v2/posts', {
    body: { data: { type: 'posts', attributes } },
  })
  expect([status, await byMethod.db.post.count({ where: { slug: 'broken' } })]).toEqual([500, 0])
})
