import { PagePagination, Schema } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { planSizes, postTags } from '../../../prisma/seed-rows.ts'
import { badParameter, expectAnswer, expectErrors } from '../../support/answers.ts'
import { endpointsOf, openServer, pageDocument, pathOf, type Query, urlOf } from '../../support/open-server.ts'
import { addTag } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'

// To-many relations to a type that is paged by number, by their related and their relationship URLs.

class Post extends Schema<'Post'> {
  override defaultPagination = { number: 1 }
  override readonly defaultSort = '-createdAt'
  override maxPageSize = 9

  override pagination() {
    return new PagePagination().withDefaultPerPage(4)
  }
}
class User extends Schema<'User'> {}
class Tag extends Schema<'Tag'> {}
class TagWithout extends Schema<'Tag'> {
  override fields() {
    return [this.relation('posts').withoutDefaultPagination()]
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    openServer('rel', { Post, User, Tag }),
    openServer('without', { Post, Tag: TagWithout }),
    openServer(
      'narrow',
      { Post, Tag },
      { serving: (phase) => phase.scope('Post', { id: { not: taggedWith2[1] as number } }) },
    ),
  ],
}))

const taggedWith2 = Array.from({ length: 60 }, (_, index) => 60 - index).filter((post) =>
  postTags(post, planSizes()).includes(2),
)

const get = (server: string, path: string, asked: Query = {}) => servers.as(null)('GET', pathOf(server, path, asked))

describe('a relation to a type with numbers', () => {
  const endpoints = endpointsOf('rel', '/tags/2', 'posts', 'posts')
  const total = taggedWith2.length
  const lastPage = Math.ceil(total / 4)

  test.each(endpoints)('$path without page parameters: the default of the target', async ({ path, show, links }) => {
    const kept = { 'fields[posts]': '' }
    const side = (n: number) => ({ ...kept, 'page[number]': n, 'page[size]': 4, sort: '-createdAt' })
    const document = pageDocument('rel', path, {
      asked: kept,
      data: show(taggedWith2.slice(0, 4)),
      meta: { page: { currentPage: 1, from: 1, lastPage, perPage: 4, to: 4, total } },
      links,
      sides: { first: side(1), next: side(2), last: side(lastPage) },
    })
    expectAnswer(await get('rel', path, kept), 200, document)
  })

  test.each(endpoints)('$path in the middle: filter, sort and fields are kept', async ({ path, show, links }) => {
    const asked = {
      sort: 'id',
      'page[size]': 3,
      'page[number]': 2,
      'filter[id][gt]': 5,
      'fields[posts]': '',
    }
    const found = taggedWith2.filter((id) => id > 5).reverse()
    const last = Math.ceil(found.length / 3)
    const side = (n: number) => ({
      'fields[posts]': '',
      'filter[id][gt]': 5,
      'page[number]': n,
      'page[size]': 3,
      sort: 'id',
    })
    const document = pageDocument('rel', path, {
      asked,
      data: show(found.slice(3, 6)),
      meta: { page: { currentPage: 2, from: 4, lastPage: last, perPage: 3, to: 6, total: found.length } },
      links,
      sides: { first: side(1), prev: side(1), next: side(3), last: side(last) },
    })
    expectAnswer(await get('rel', path, asked), 200, document)
  })

  test.each(['', '/relationships'])('/tags/:id%s/posts of a tag that has none', async (between) => {
    const { id } = await addTag(servers.db)
    const path = `/tags/${id}${between}/posts`
    const side = { 'page[number]': 1, 'page[size]': 4, sort: '-createdAt' }
    const document = pageDocument('rel', path, {
      data: [],
      meta: { page: { currentPage: 1, from: 0, lastPage: 1, perPage: 4, to: 0, total: 0 } },
      links: between ? { related: urlOf('rel', `/tags/${id}/posts`) } : {},
      sides: { first: side, last: side },
    })
    expectAnswer(await get('rel', path), 200, document)
  })

  test.each(endpoints)('$path has the maximum of the target', async ({ path }) => {
    expectErrors(await get('rel', path, { 'page[size]': 10 }), badParameter('page[size]'))
    expectErrors(await get('rel', path, { 'page[number]': 0 }), badParameter('page[number]'))
    expectErrors(await get('rel', path, { 'page[limit]': 1 }), badParameter('page[limit]'))
  })
})

describe('withoutDefaultPagination()', () => {
  test.each(endpointsOf('without', '/tags/2', 'posts', 'posts'))(
    '$path without page parameters: all of them, in the order of the type',
    async ({ path, show, links }) => {
      const kept = { 'fields[posts]': '' }
      const document = pageDocument('without', path, { asked: kept, data: show(taggedWith2), links })
      expectAnswer(await get('without', path, kept), 200, document)
    },
  )

  test('the type’s own collection has its default all the same', async () => {
    expect((await get('without', '/posts')).body.meta.page.perPage).toBe(4)
  })

  test('with page parameters the relation is paginated', async () => {
    const { body } = await get('without', '/tags/2/posts', { 'page[number]': 2 })
    const lastPage = Math.ceil(taggedWith2.length / 4)
    expect(body.meta.page).toEqual({ currentPage: 2, from: 5, lastPage, perPage: 4, to: 8, total: taggedWith2.length })
  })
})

describe('rows that are hidden', () => {
  test.each(['', '/relationships'])('are not part of the total of /tags/2%s/posts', async (between) => {
    const { body } = await get('narrow', `/tags/2${between}/posts`)
    expect(body.meta.page.total).toBe(taggedWith2.length - 1)
    expect(body.data.map(({ id }: { id: string }) => Number(id))).toEqual(
      taggedWith2.filter((_, index) => index !== 1).slice(0, 4),
    )
  })
})

describe('where no collection is read, page is refused', () => {
  test.each(['/posts/1', '/posts/1/author', '/posts/1/relationships/author'])('GET %s', async (path) => {
    expectErrors(await get('rel', path, { 'page[number]': 1 }), badParameter('page', 'Parameter page is not allowed.'))
  })
})
