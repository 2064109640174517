import { Schema } from 'prismapi'
import { CursorPagination } from 'prismapi/cursor-pagination'
import type { HookRequest } from 'prismapi/types'
import { describe, expect, test } from 'vitest'
import { badParameter, expectAnswer, expectErrors } from '../../support/answers.ts'
import { endpointsOf, openServer, pageDocument, pathOf, type Query, urlOf } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// To-many relations to a type that is paged by cursor, by their related and their relationship URLs.

class Comment extends Schema<'Comment'> {
  override defaultPagination = { limit: 3 }

  override pagination() {
    return new CursorPagination()
  }
}
class User extends Schema<'User'> {}
class UserWithout extends Schema<'User'> {
  override fields() {
    return [this.relation('comments').withoutDefaultPagination()]
  }
}
class NarrowComment extends Comment {
  override relatableQuery(_request: HookRequest) {
    return { id: { not: 186 } }
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    openServer('rel', { Comment, User }),
    openServer('without', { Comment, User: UserWithout }),
    openServer(
      'narrow',
      { Comment: NarrowComment, User },
      { serving: (phase) => phase.scope('Comment', { id: { not: 178 } }) },
    ),
  ],
}))

// Comment n is by user 3 + (n mod 8): those of user 5 are 194, 186, 178 … 10, 2.
const commentsOf5 = Array.from({ length: 25 }, (_, index) => 194 - 8 * index)

const get = (server: string, path: string, asked: Query = {}) => servers.as(null)('GET', pathOf(server, path, asked))

describe('a relation to a type with cursors', () => {
  const endpoints = endpointsOf('rel', '/users/5', 'comments', 'comments')
  const cursor = (from: number | null, to: number | null, hasMore: boolean, perPage: number) => ({
    page: { from: from && String(from), to: to && String(to), hasMore, perPage },
  })

  test.each(endpoints)('$path without page parameters: the default of the target', async ({ path, show, links }) => {
    const kept = { 'fields[comments]': '' }
    const document = pageDocument('rel', path, {
      asked: kept,
      data: show([194, 186, 178]),
      meta: cursor(194, 178, true, 3),
      links,
      sides: {
        first: { ...kept, 'page[limit]': 3 },
        next: { ...kept, 'page[after]': 178, 'page[limit]': 3 },
      },
    })
    expectAnswer(await get('rel', path, kept), 200, document)
  })

  test.each(endpoints)('$path in the middle: all parameters are kept', async ({ path, show, links }) => {
    const asked = { 'page[limit]': 2, 'filter[id][lt]': 180, 'page[after]': 178, 'fields[comments]': '' }
    const kept = { 'fields[comments]': '', 'filter[id][lt]': 180 }
    const document = pageDocument('rel', path, {
      asked,
      data: show([170, 162]),
      meta: cursor(170, 162, true, 2),
      links,
      sides: {
        first: { ...kept, 'page[limit]': 2 },
        prev: { ...kept, 'page[before]': 170, 'page[limit]': 2 },
        next: { ...kept, 'page[after]': 162, 'page[limit]': 2 },
      },
    })
    expectAnswer(await get('rel', path, asked), 200, document)
  })

  test.each(endpoints)('$path after the last one: an empty page', async ({ path, links }) => {
    const asked = { 'page[after]': 2, 'page[limit]': 2 }
    const meta = cursor(null, null, false, 2)
    const document = pageDocument('rel', path, { asked, data: [], meta, links, sides: { first: { 'page[limit]': 2 } } })
    expectAnswer(await get('rel', path, asked), 200, document)
  })

  test.each(endpoints)('$path: a walk shows each comment once, there and back', async ({ path }) => {
    const seen = async (start: Query, side: 'next' | 'prev') => {
      const pages: string[][] = []
      let url: string | undefined = urlOf('rel', path, start)
      while (url) {
        const { body } = await servers.as(null)('GET', new URL(url).pathname + new URL(url).search)
        pages.push(body.data.map(({ id }: { id: string }) => id))
        url = body.links[side]
      }
      return side === 'next' ? pages.flat() : pages.reverse().flat()
    }
    const all = commentsOf5.map(String)
    expect(await seen({ 'page[limit]': 4 }, 'next')).toEqual(all)
    expect(await seen({ 'page[limit]': 4, 'page[before]': 2 }, 'prev')).toEqual(all.slice(0, -1))
  })

  test.each(endpoints)('$path: a comment of somebody else is no cursor', async ({ path }) => {
    expectErrors(await get('rel', path, { 'page[after]': 195 }), badParameter('page[after]'))
    expectErrors(await get('rel', path, { 'page[before]': 195, 'page[after]': 194 }), badParameter('page[before]'))
  })
})

describe('withoutDefaultPagination()', () => {
  test.each(endpointsOf('without', '/users/5', 'comments', 'comments'))(
    '$path without page parameters: all of them, in the order of the type',
    async ({ path, show, links }) => {
      const kept = { 'fields[comments]': '' }
      const document = pageDocument('without', path, { asked: kept, data: show(commentsOf5), links })
      expectAnswer(await get('without', path, kept), 200, document)
    },
  )

  test('the type’s own collection has its default all the same', async () => {
    expect((await get('without', '/comments')).body.meta.page.perPage).toBe(3)
  })
})

describe('rows that are hidden', () => {
  test.each(['', '/relationships'])('take no place on the pages of /users/5%s/comments', async (between) => {
    const { body } = await get('narrow', `/users/5${between}/comments`)
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['194', '170', '162'])
    expect(body.meta).toEqual({ page: { from: '194', to: '162', hasMore: true, perPage: 3 } })
  })

  test.each(['', '/relationships'])('are no cursors of /users/5%s/comments', async (between) => {
    for (const id of [178, 186]) {
      const answer = await get('narrow', `/users/5${between}/comments`, { 'page[after]': id })
      expectErrors(answer, badParameter('page[after]'))
    }
  })
})
