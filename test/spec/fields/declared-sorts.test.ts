import { Schema } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { badParameter, expectErrors } from '../../support/answers.ts'
import { openServer, pathOf, type Query } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// Sorts that stand for no field, declared by schema classes.

class Posts extends Schema<'Post'> {
  override fields() {
    return [this.attribute('createdAt').hidden()]
  }
  override sorts() {
    return [
      this.sort('popularity', 'comments.count', '-title'),
      this.sort('writer', 'author.name', '-id'),
      this.sort('age', '-createdAt'),
      this.sort('busy', '-author.posts.count'),
    ]
  }
}
class Popular extends Posts {
  override readonly defaultSort = '-popularity' as never
}
class Comments extends Schema<'Comment'> {}
class Users extends Schema<'User'> {}

const schemas = { Post: Posts, Comment: Comments, User: Users }
const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    openServer('all', schemas, { limits: { sortKeys: 2 } }),
    openServer('popular', { ...schemas, Post: Popular }),
    openServer(
      'some',
      { ...schemas, Post: Popular },
      {
        serving: (phase) => phase.scope('Comment', { id: { gt: 100 } }),
      },
    ),
  ],
}))

const ask = (path: string, query: Query = {}, server = 'all') => servers.as(null)('GET', pathOf(server, path, query))

async function idsOf(path: string, query: Query = {}, server = 'all'): Promise<number[]> {
  const { status, body } = await ask(path, { 'page[size]': 100, ...query }, server)
  expect(status).toBe(200)
  return body.data.map(({ id }: { id: string }) => Number(id))
}

interface Facts {
  readonly id: number
  readonly title: string
  readonly author: { readonly name: string }
  readonly comments: number
}

type Compare = (a: Facts, b: Facts) => number
const by =
  (value: (facts: Facts) => string | number): Compare =>
  (a, b) => {
    const [one, other] = [value(a), value(b)]
    return one < other ? -1 : one > other ? 1 : 0
  }
const down =
  (compare: Compare): Compare =>
  (a, b) =>
    compare(b, a)

/** The ids of all posts, in an order that this test makes by itself. */
async function inOrder(...compares: readonly Compare[]): Promise<number[]> {
  const rows = await servers.db.post.findMany({ include: { author: true, _count: { select: { comments: true } } } })
  const facts = rows.map(({ id, title, author, _count }) => ({ id, title, author, comments: _count.comments }))
  return facts.sort((a, b) => compares.reduce((decided, compare) => decided || compare(a, b), 0)).map(({ id }) => id)
}

const [comments, title, id] = [by((facts) => facts.comments), by((facts) => facts.title), by((facts) => facts.id)]
const author = by((facts) => facts.author.name)

describe('a declared sort', () => {
  test.each<[string, readonly Compare[]]>([
    ['popularity', [comments, down(title), down(id)]],
    ['-popularity', [down(comments), title, id]],
    ['writer', [author, down(id)]],
    ['-writer', [down(author), id]],
    ['author.name,popularity', [author, comments, down(title), down(id)]],
    ['age', [down(id)]],
    ['-age', [id]],
  ])('%s', async (sort, compares) => {
    expect(await idsOf('/posts', { sort })).toEqual(await inOrder(...compares))
  })

  test('behind a to-one relation', async () => {
    const rows = await servers.db.comment.findMany({
      orderBy: [{ post: { createdAt: 'desc' } }, { id: 'desc' }],
      where: { postId: { not: null } },
      take: 100,
    })
    const ids = await idsOf('/comments', { sort: 'post.age', 'filter[post][exists]': 'true' })
    expect(ids).toEqual(rows.map((row) => row.id))
  })

  test('counts behind a to-one relation, too', async () => {
    const rows = await servers.db.post.findMany({
      orderBy: [{ author: { posts: { _count: 'desc' } } }, { id: 'desc' }],
    })
    expect(await idsOf('/posts', { sort: 'busy' })).toEqual(rows.map((row) => row.id))
  })

  test('is the default where the schema says so, and links name it', async () => {
    expect(await idsOf('/posts', {}, 'popular')).toEqual(await inOrder(down(comments), title, id))
    const { body } = await ask('/posts', { 'page[size]': 2 }, 'popular')
    expect(body.links.next).toMatch(/&sort=-popularity$/)
  })

  test('is no default where it would tell of rows that are hidden', async () => {
    expect(await idsOf('/posts', {}, 'some')).toEqual(await inOrder(id))
  })

  test.each([
    ['createdAt', 'Sort parameter createdAt is not allowed.'],
    ['popularity.title', 'Sort parameter popularity.title is not allowed.'],
    ['comments.count', 'Sort parameter comments.count is not allowed.'],
    ['popularity,-popularity', 'Sort parameter popularity is repeated.'],
    ['popularity,writer,age', 'The parameter sort must not have more than 2 fields.'],
  ])('%s is 400', async (sort, detail) => {
    expectErrors(await ask('/posts', { sort }), badParameter('sort', detail))
  })
})
