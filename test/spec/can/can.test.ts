import { type LazyToOne, Policy, ResourceRequest, type RowOf, type Rules, Schema, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import V2 from '../../../src/app/v2/server.ts'
import { users } from '../../support/api.ts'
import { exampleWith, theExample, useServers } from '../../support/servers.ts'

class Telling extends V1 {
  override readonly showsCan: boolean = true
}

const relation = (name: string, [update, attach, detach]: readonly (boolean | null)[]) => ({
  [`view${name}`]: true,
  [`update${name}`]: update,
  [`attach${name}`]: attach,
  [`detach${name}`]: detach,
})
const none = [false, false, false]
/** What members may change of themselves: not their address, and nothing that has no validation rule for them. */
const ownFields = ['name', 'password', 'passwordConfirmation']

describe('a server that shows it', () => {
  const api = useServers(() => exampleWith(Telling))

  test('says of a resource what its caller may do with it and its relations', async () => {
    const post = await api.db.post.findFirstOrThrow({ where: { authorId: 3, deletedAt: null } })
    const canOf = async (user: number | null) => (await api.as(user)('GET', `/api/v1/posts/${post.id}`)).body.data.meta
    expect(await canOf(users.member3)).toEqual({
      can: {
        view: true,
        update: true,
        delete: true,
        viewAuthor: true,
        updateAuthor: false,
        ...relation('Tags', [true, true, true]),
        ...relation('Comments', none),
        publish: true,
      },
    })
    expect(await canOf(users.member4)).toEqual({
      can: {
        view: true,
        update: false,
        delete: false,
        viewAuthor: true,
        updateAuthor: false,
        ...relation('Tags', none),
        ...relation('Comments', none),
        publish: false,
      },
    })
    expect((await canOf(users.admin)).can).toMatchObject({ update: true, delete: true, updateAuthor: true })
    expect((await canOf(null)).can).toMatchObject({ view: true, update: false, publish: false })
  })

  test('says of a collection who may create, and of its resources and all that is included the same', async () => {
    const { body } = await api.as(users.member3)('GET', '/api/v1/posts?include=author,comments&page[size]=5')
    expect(body.meta.can).toEqual({ create: true })
    expect(body.meta.page).toMatchObject({ perPage: 5 })
    const shown = [...body.data, ...body.included] as { type: string; id: string; meta: { can: object } }[]
    expect(new Set(shown.map(({ type }) => type))).toEqual(new Set(['posts', 'users', 'comments']))
    for (const { type, id, meta } of shown.filter(({ type }) => type === 'users'))
      expect([type, id, meta.can]).toEqual([
        type,
        id,
        expect.objectContaining({ update: id === '3' && ownFields, delete: false }),
      ])
    const alone = await api.as(users.member3)('GET', `/api/v1/posts/${body.data[0].id}`)
    expect(body.data[0].meta).toEqual(alone.body.data.meta)
    expect((await api.as(null)('GET', '/api/v1/posts')).body.meta.can).toEqual({ create: false })
  })

  test('knows the whole row, whatever fields are shown', async () => {
    const { body } = await api.as(users.member3)('GET', '/api/v1/posts?fields[posts]=title&page[size]=100')
    const mine = await api.db.post.findMany({ where: { authorId: 3, deletedAt: null }, select: { id: true } })
    const may = (body.data as { id: string; meta: { can: { update: boolean } } }[]).filter(
      ({ meta }) => meta.can.update,
    )
    expect(may.map(({ id }) => Number(id)).sort()).toEqual(mine.map(({ id }) => id).sort())
    expect(Object.keys(body.data[0].attributes)).toEqual(['title'])
  })

  test('says it in answers to writes, and beside cursors', async () => {
    const body = {
      data: {
        type: 'posts',
        attributes: { title: 'New', slug: 'can-new', content: 'C' },
      },
    }
    const created = await api.as(users.member3)('POST', '/api/v1/posts', { body })
    expect([created.status, created.body.data.meta.can]).toEqual([201, expect.objectContaining({ update: true })])
    const change = { data: { type: 'posts', id: created.body.data.id, attributes: { title: 'Newer' } } }
    const changed = await api.as(users.member3)('PATCH', `/api/v1/posts/${created.body.data.id}`, { body: change })
    expect(changed.body.data.meta).toEqual(created.body.data.meta)
    const related = await api.as(users.member3)('GET', '/api/v1/tags/1/posts')
    expect(related.body.data.every(({ meta }: { meta: object }) => 'can' in meta)).toBe(true)
    expect(related.body.meta.can).toBeUndefined()
    const author = await api.as(users.member3)('GET', `/api/v1/posts/${created.body.data.id}/author`)
    expect(author.body.data.meta.can).toMatchObject({ update: ownFields })
  })
})

describe('its cost', () => {
  const plain = useServers(() => exampleWith(V1))
  const telling = useServers(() => exampleWith(Telling))

  test.each(['/posts?include=author,tags,comments.author', '/posts/1?include=comments', '/tags/1/posts', '/users'])(
    '%s takes as many queries',
    async (path) => {
      const ask = (api: typeof plain) => api.as(users.admin)('GET', `/api/v1${path}`)
      const queries = (api: typeof plain) => api.queriesOf(() => ask(api))
      // A total is kept until somebody commits, on PostgreSQL to any database of the server.
      const reads = async (api: typeof plain) =>
        (await queries(api)).filter((each) => !/count\(\*\)/i.test(String(each)))
      expect(await reads(telling)).toHaveLength((await reads(plain)).length)
    },
  )

  test('and without it documents are what they were', async () => {
    const { body } = await plain.as(users.admin)('GET', '/api/v1/posts?include=author')
    expect(JSON.stringify(body)).not.toContain('"can"')
  })
})

describe('what cannot be known', () => {
  class PostPolicy extends Policy<'Post'> {
    override abilities({ can }: Rules<'Post'>) {
      can(this.reads)
      can('updateTags', { createdAt: { lt: new Date('2100-01-01') } })
    }
    override attachTags(_user: User | null, { createdAt, deletedAt }: RowOf<'Post'>) {
      return createdAt instanceof Date && deletedAt === null
    }
    override async updateAuthor(_user: User | null, _post: object, author: LazyToOne) {
      return (await author.get()) === null
    }
  }
  class TagRequest extends ResourceRequest<'Tag'> {
    override authorize() {
      return null
    }
  }
  class CommentRequest extends ResourceRequest<'Comment'> {
    override authorize = () => null
  }
  const api = useServers(async () => {
    const parts = await exampleWith(Telling, {
      requests: new Map([
        ['Tag', { request: TagRequest, query: null, collectionQuery: null }],
        ['Comment', { request: CommentRequest, query: null, collectionQuery: null }],
      ]),
    })
    return { ...parts, policies: new Map([...parts.policies, ['Post', PostPolicy]]) }
  })

  test('rules and methods may look at any column, in collections as well', async () => {
    const alone = await api.as(null)('GET', '/api/v1/posts/1')
    const { body } = await api.as(null)('GET', '/api/v1/posts?fields[posts]=slug&page[size]=100')
    const listed = (body.data as { id: string; meta: object }[]).find(({ id }) => id === '1')
    expect(alone.body.data.meta.can).toMatchObject({ updateTags: true, attachTags: true })
    expect(listed?.meta).toEqual(alone.body.data.meta)
  })

  test('is null: what a request class decides', async () => {
    const { body } = await api.as(users.admin)('GET', '/api/v1/tags')
    expect([body.meta.can, new Set(Object.values(body.data[0].meta.can))]).toEqual([{ create: null }, new Set([null])])
  })

  test('and one that decides by a field is a request class that decides', async () => {
    const { body } = await api.as(users.admin)('GET', '/api/v1/posts?include=comments&fields[posts]=comments')
    expect(body.included[0].meta.can).toMatchObject({ view: null, update: null, delete: null })
  })

  test('a method about a relation is asked with nothing submitted', async () => {
    const { body } = await api.as(null)('GET', '/api/v1/posts/1')
    expect(body.data.meta.can.updateAuthor).toBe(true)
  })
})

describe('types', () => {
  class Silent extends Schema<'Post'> {
    override readonly showsCan = false
  }
  class Loud extends Schema<'User'> {
    override readonly showsCan = true
  }
  const silent = useServers(() => exampleWith(Telling, { schemas: new Map([['Post', Silent]]), requests: new Map() }))
  const loud = useServers(() => exampleWith(V1, { schemas: new Map([['User', Loud]]), requests: new Map() }))

  test.each([
    ['may be left out', () => silent, { posts: false, users: true }],
    ['may be the only ones', () => loud, { posts: false, users: true }],
  ])('%s', async (_, api, expected) => {
    const { body } = await api().as(users.admin)('GET', '/api/v1/posts?include=author&page[size]=1')
    const [user] = body.included
    expect({ posts: 'meta' in body.data[0] || 'can' in body.meta, users: 'can' in (user.meta ?? {}) }).toEqual(expected)
  })
})

describe('deleted rows', () => {
  class Trashed extends Schema<'Post'> {
    override softDelete = 'deletedAt' as const
  }
  const api = useServers(() => exampleWith(Telling, { schemas: new Map([['Post', Trashed]]), requests: new Map() }))

  test('can be removed for good by who may', async () => {
    const { id } = await api.db.post.findFirstOrThrow({ where: { deletedAt: null } })
    await api.db.post.update({ where: { id }, data: { deletedAt: new Date() } })
    const canOf = async (user: number) => (await api.as(user)('GET', `/api/v1/posts/${id}`)).body.data.meta.can
    expect(await canOf(users.admin)).toMatchObject({ update: true, forceDelete: true })
    expect(await canOf(users.editor)).toMatchObject({ update: true, forceDelete: false })
    expect(await canOf(users.editor)).not.toHaveProperty('delete')
  })
})

describe('authorizers', () => {
  const api = useServers(async () => {
    const { policies, servers } = await theExample()
    const v2 = servers.find((each) => new each.server().name === 'v2') as (typeof servers)[number]
    class Telling2 extends V2 {
      override readonly showsCan = true
    }
    return { policies, servers: [{ ...v2, server: Telling2 }] }
  })

  test('and so they are for the results of atomic operations', async () => {
    const ext = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
    const add = (slug: string) => ({
      op: 'add',
      data: { type: 'posts', attributes: { title: 'T', slug, body: 'C' } },
    })
    const { status, body } = await api.as(users.member3)('POST', '/api/v2/operations', {
      headers: { Accept: ext, 'Content-Type': ext },
      body: { 'atomic:operations': [add('can-one'), add('can-two')] },
    })
    expect([status, body['atomic:results'].length]).toEqual([200, 2])
    for (const { data } of body['atomic:results'])
      expect(data.meta.can).toMatchObject({ update: true, delete: true, updateAuthor: false })
  })

  test('are asked as they would be', async () => {
    const canOf = async (user: number | null) => (await api.as(user)('GET', '/api/v2/posts?page[size]=1')).body.data[0]
    expect((await canOf(null)).meta.can).toMatchObject({ view: true, update: false, delete: false })
    const { meta } = await canOf(users.admin)
    expect(meta.can).toMatchObject({ view: true, update: true, delete: true, updateTags: true, attachTags: true })
    // Beside what the page itself says of it.
    expect(meta.page.cursor).toEqual(expect.any(String))
  })
})

describe('the OpenAPI document', () => {
  const api = useServers(() => exampleWith(Telling))

  test('names what is said', async () => {
    const { body } = await api.as(users.admin)('GET', '/api/v1/openapi.json', {
      headers: { Accept: 'application/json' },
    })
    const can = body.components.schemas['posts.resource'].properties.meta.properties.can
    expect(can.properties.attachTags).toEqual({ type: ['boolean', 'null'] })
    const { body: resource } = await api.as(users.admin)('GET', '/api/v1/posts?page[size]=1')
    expect(Object.keys(can.properties)).toEqual(expect.arrayContaining(Object.keys(resource.data[0].meta.can)))
    expect(body.components.schemas['posts.many'].properties.meta.properties.can.properties).toEqual({
      create: { type: ['boolean', 'null', 'array'], items: { type: 'string' } },
    })
  })
})
