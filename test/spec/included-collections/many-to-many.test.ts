import { Schema } from 'prismapi'
import { CursorPagination, CursorProfilePagination } from 'prismapi/cursor-pagination'
import { describe, expect, test } from 'vitest'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { expectAnswer } from '../../support/answers.ts'
import { bare, identifiers, page, parentOf, walk } from '../../support/included-collections.ts'
import { openServer, pageDocument, pathOf, type Query } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// Pages, orders and filters of included relations that lie in a join table.

class Tag extends Schema<'Tag'> {
  override pagination() {
    return null
  }
}
class User extends Schema<'User'> {}
class Post extends Schema<'Post'> {
  override readonly defaultSort = '-createdAt'
}
class Cursored extends Schema<'Post'> {
  override pagination() {
    return new CursorPagination()
  }
}
class Profiled extends Schema<'Post'> {
  override readonly defaultSort = '-createdAt'
  override pagination() {
    return new CursorProfilePagination()
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    openServer('numbers', { Tag, User, Post }),
    openServer('cursors', { Tag, User, Post: Cursored }),
    openServer('profile', { Tag, User, Post: Profiled }),
  ],
}))

const get = (server: string, path: string, asked: Query) => servers.as(null)('GET', pathOf(server, path, asked))

/** The ids of a tag's posts, newest first, which is the last first. */
async function postsOf(tag: number): Promise<number[]> {
  const posts = await servers.db.post.findMany({ where: { tags: { some: { id: tag } } }, orderBy: { id: 'desc' } })
  return posts.map(({ id }) => id)
}

const posts = { include: 'posts', 'fields[posts]': '', 'fields[tags]': 'posts' }
const sized = (size: number) => ({ 'includePage[posts][size]': size })

test('every tag has a page of its posts, in the order of their type, which the link names', async () => {
  const [of2, of3] = [await postsOf(2), await postsOf(3)]
  const asked = { ...posts, ...sized(3), 'filter[id]': '2,3', sort: 'id' }
  const next = { 'page[number]': 2, 'page[size]': 3, sort: '-createdAt' }
  const shown = (ids: readonly number[]) => ({
    server: 'numbers',
    relation: 'posts',
    data: identifiers('posts', ids),
    next,
    meta: page(3, true),
  })
  const document = pageDocument('numbers', '/tags', {
    asked: Object.fromEntries(Object.entries(asked).sort()),
    data: [parentOf('tags', 2, shown(of2.slice(0, 3))), parentOf('tags', 3, shown(of3.slice(0, 3)))],
  })
  const ids = new Set([...of2.slice(0, 3), ...of3.slice(0, 3)])
  expectAnswer(await get('numbers', '/tags', asked), 200, { ...document, included: bare('numbers', 'posts', [...ids]) })
})

test('a post that two tags show is included once, and counts for both of them', async () => {
  const { id } = await servers.db.post.findFirstOrThrow({ where: { tags: { some: { id: 2 } } } })
  await servers.db.post.update({ where: { id }, data: { tags: { connect: [{ id: 2 }, { id: 3 }] } } })
  const asked = { ...posts, ...sized(1), 'filter[id]': '2,3', sort: 'id', 'includeFilter[posts][id]': id }
  const { body } = await get('numbers', '/tags', asked)
  const [two, three] = body.data.map((tag: never) => (tag as typeof body).relationships.posts)
  expect([two.data, three.data]).toEqual([identifiers('posts', [id]), identifiers('posts', [id])])
  expect([two.meta, three.meta]).toEqual([page(1, false), page(1, false)])
  expect(body.included).toEqual(bare('numbers', 'posts', [id]))
})

test('a cursor of the profile goes on from the last one shown, and there is nothing before the first', async () => {
  const { body } = await get('profile', '/tags/2', { ...posts, ...sized(2) })
  const { data, links, meta } = body.data.relationships.posts
  const ids = await postsOf(2)
  expect(data).toEqual(identifiers('posts', ids.slice(0, 2)))
  expect([links.prev, meta]).toEqual([null, page(2, true)])
  const next = new URL(links.next).searchParams
  expect([...next.keys()]).toEqual(['page[after]', 'page[size]', 'sort'])
  const whole = await get('profile', '/tags/2', { ...posts, ...sized(ids.length) })
  expect(whole.body.data.relationships.posts.links).toMatchObject({ prev: null, next: null })
})

describe('whoever follows next meets every post once, in order', () => {
  test.each<[string, Query, Prisma.PostFindManyArgs]>([
    ['numbers', {}, { orderBy: { id: 'desc' } }],
    ['numbers', { 'includeSort[posts]': 'title' }, { orderBy: { title: 'asc' } }],
    [
      'numbers',
      { 'includeSort[posts]': '-author.name,id' },
      { orderBy: [{ author: { name: 'desc' } }, { id: 'asc' }] },
    ],
    ['numbers', { 'includeFilter[posts][id][lte]': 30 }, { where: { id: { lte: 30 } }, orderBy: { id: 'desc' } }],
    ['cursors', {}, { orderBy: { id: 'desc' } }],
    [
      'cursors',
      { 'includeFilter[posts][author]': '3,4,5,6' },
      { where: { authorId: { in: [3, 4, 5, 6] } }, orderBy: { id: 'desc' } },
    ],
    ['profile', {}, { orderBy: { id: 'desc' } }],
    ['profile', { 'includeSort[posts]': 'synopsis' }, { orderBy: [{ synopsis: 'asc' }, { id: 'asc' }] }],
    [
      'profile',
      { 'includeFilter[posts][id][gt]': 9, 'includeSort[posts]': 'id' },
      { where: { id: { gt: 9 } }, orderBy: { id: 'asc' } },
    ],
  ])('%s %o', async (server, asked, { where = {}, orderBy }) => {
    for (const tag of [2, 5]) {
      const all = await servers.db.post.findMany({
        where: { ...where, tags: { some: { id: tag } } },
        orderBy: orderBy as never,
      })
      const { body } = await get(server, `/tags/${tag}`, { ...posts, ...asked, ...sized(2) })
      expect(await walk(servers.as(null), body.data.relationships.posts)).toEqual(all.map(({ id }) => id))
      expect(all.length).toBeGreaterThan(2)
    }
  })
})
