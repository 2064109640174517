import { Schema, type Serving } from 'prismapi'
import type { HookRequest } from 'prismapi/types'
import { describe, expect, test } from 'vitest'
import { openServer, pathOf, type Query } from '../../support/open-server.ts'
import { addPost, addTag } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'

// What is counted is what may be seen, by one query for each relation.

class Posts extends Schema<'Post'> {
  override softDelete = 'deletedAt' as const
  override fields() {
    return [this.relation('comments').countable(), this.relation('tags').countable()]
  }
}
class Comments extends Schema<'Comment'> {
  override pagination() {
    return null
  }
}
class Tags extends Schema<'Tag'> {
  override fields() {
    return [this.relation('posts').countable()]
  }
}
class ShyTags extends Tags {
  override relatableQuery({ user }: HookRequest) {
    return user ? null : { id: { gt: 3 } }
  }
}

function hiding(phase: Serving) {
  phase.scope('Comment', { id: { lte: 100 } })
  phase.scope('Post', { NOT: { title: { startsWith: 'X' } } })
}

const schemas = { Post: Posts, Comment: Comments, Tag: Tags }
const servers = useServers(() => ({
  policies: new Map(),
  servers: [openServer('all', schemas), openServer('some', { ...schemas, Tag: ShyTags }, { serving: hiding })],
}))

const ask = (server: string, path: string, query: Query = {}) => servers.as(null)('GET', pathOf(server, path, query))

describe('hidden rows are not counted', () => {
  const count = async (path: string, name: string) => {
    const [resource, related, relationship] = await Promise.all([
      ask('some', path, { withCount: name }),
      ask('some', `${path}/${name}`, { 'filter[id][gt]': 0 }),
      ask('some', `${path}/relationships/${name}`),
    ])
    return [resource.body.data.relationships[name].meta, related.body.meta, relationship.body.meta].map(
      (meta) => meta.count,
    )
  }

  test('by a scope', async () => {
    const where = { postId: 1 }
    const ids = (await servers.db.comment.findMany({ where })).map(({ id }) => id)
    const shown = ids.filter((id) => id <= 100).length
    expect(shown).toBeGreaterThan(0)
    expect(shown).toBeLessThan(ids.length)
    expect(await count('/posts/1', 'comments')).toEqual([shown, shown, shown])
  })

  test('by a scope behind a join table, and by soft deletion', async () => {
    const tag = await addTag(servers.db)
    const tags = { connect: { id: tag.id } }
    for (const more of [{}, {}, { title: 'X' }, { deletedAt: new Date() }])
      await addPost(servers.db, { ...more, tags } as object)
    expect(await count(`/tags/${tag.id}`, 'posts')).toEqual([2, 2, 2])
  })

  test('by what the schema shows of a relation', async () => {
    const { id } = await addPost(servers.db, { tags: { connect: [2, 3, 4, 5].map((tag) => ({ id: tag })) } } as object)
    expect(await count(`/posts/${id}`, 'tags')).toEqual([2, 2, 2])
  })
})

describe('each relation is one query', () => {
  const queriesOf = (path: string, query: Query) =>
    servers.queriesOf(async () => expect((await ask('all', path, query)).status).toBe(200))

  test('however many rows there are', async () => {
    // A total that is known from a request before may not be asked for again.
    const countOf = async (query: Query) =>
      (await queriesOf('/posts', query)).filter((sql) => !/^select count\(\*\) /i.test(sql)).length
    for (const size of [1, 50]) {
      const page = { 'page[size]': size }
      const rest = await countOf(page)
      expect(await countOf({ ...page, withCount: 'comments' })).toBe(rest + 1)
      expect(await countOf({ ...page, withCount: 'comments,tags' })).toBe(rest + 2)
    }
  })

  test('which reads numbers, not rows, and only of the rows on the page', async () => {
    const queries = await queriesOf('/posts', { 'page[size]': 3, withCount: 'comments', 'fields[posts]': 'comments' })
    const [grouped] = queries.filter((query) => /GROUP BY/i.test(query))
    expect(grouped).toMatch(/^SELECT .*COUNT\(\*\).+ WHERE .*[`"]postId[`"] (IN \(|= ANY).+ GROUP BY .*[`"]postId[`"]/i)
  })

  test('and none where a field set leaves the relation out', async () => {
    expect(await queriesOf('/posts/1', { withCount: 'tags', 'fields[posts]': 'title' })).toHaveLength(1)
  })

  test('and none more on its own URL, which has all of it', async () => {
    expect(await queriesOf('/posts/1/comments', {})).toHaveLength(2)
    expect(await queriesOf('/posts/1/comments', { 'filter[id][gt]': 3 })).toHaveLength(3)
  })
})

test('more rows than one query takes are counted all the same', async () => {
  const tags = Array.from({ length: 700 }, (_, n) => ({ name: `many-${n}` }))
  await servers.db.tag.createMany({ data: tags })
  const last = await servers.db.tag.findFirstOrThrow({ orderBy: { id: 'desc' } })
  await addPost(servers.db, { tags: { connect: [{ id: last.id }, { id: 2 }] } } as object)
  const { body } = await ask('all', '/tags', { 'page[size]': 1000, withCount: 'posts' })
  const posts = body.data.map((tag: { relationships: { posts: { meta: object } } }) => tag.relationships.posts.meta)
  const where = { deletedAt: null }
  const visible = await servers.db.tag.findMany({
    orderBy: { id: 'asc' },
    select: { _count: { select: { posts: { where } } } },
  })
  expect(posts.length).toBeGreaterThan(700)
  expect(posts).toEqual(visible.map(({ _count }) => ({ count: _count.posts })))
})
