import { PagePagination, Schema } from 'prismapi'
import { CursorPagination } from 'prismapi/cursor-pagination'
import { describe, expect, test } from 'vitest'
import { expectAnswer } from '../../support/answers.ts'
import { bareComments } from '../../support/bare-comments.ts'
import { openServer, pageDocument, pathOf, type Query } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// The page that a request gets that asks for none, and the size of one that names none.

class Silent extends Schema<'Comment'> {}
class Chosen extends Schema<'Comment'> {
  override pagination() {
    return new PagePagination()
  }
}
class WithPage extends Chosen {
  override defaultPagination = { number: 2, size: 3 }
}
class WithLimit extends Schema<'Comment'> {
  override defaultPagination = { limit: '3' }

  override pagination() {
    return new CursorPagination()
  }
}
class Computed extends Chosen {
  readonly size = 4
  override defaultPagination = () => ({ number: 1, size: this.size })
}
class ByMethod extends Chosen {
  readonly size = 5
  // @ts-expect-error TypeScript wants a property where there was one; an application in JavaScript writes a method.
  override defaultPagination() {
    return { number: 1, size: this.size }
  }
}
class Without extends Schema<'Comment'> {
  override defaultPagination = null
}
class ComputedWithout extends Chosen {
  override defaultPagination = () => null
}
class Unpaged extends Schema<'Comment'> {
  override defaultPagination = { number: 1 }

  override pagination() {
    return null
  }
}
class PerPage extends Schema<'Comment'> {
  override perPage = 6
}
class CursorPerPage extends Schema<'Comment'> {
  override perPage = 6

  override pagination() {
    return new CursorPagination()
  }
}
class OwnSize extends PerPage {
  override pagination() {
    return new PagePagination().withDefaultPerPage(2)
  }
}
class OwnLimit extends CursorPerPage {
  override pagination() {
    return new CursorPagination().withDefaultPerPage(2)
  }
}
class Small extends Schema<'Comment'> {
  override maxPageSize = 10
}

const schemas = {
  Silent,
  Chosen,
  WithPage,
  WithLimit,
  Computed,
  ByMethod,
  Without,
  ComputedWithout,
  Unpaged,
  PerPage,
  CursorPerPage,
  OwnSize,
  OwnLimit,
  Small,
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: Object.entries(schemas).map(([name, Comment]) => openServer(name.toLowerCase(), { Comment })),
}))

const get = (server: string, asked: Query = {}) => servers.as(null)('GET', pathOf(server, '/comments', asked))

const side = (number: number, size: number): Query => ({ 'page[number]': number, 'page[size]': size })

/** Page 1 of 200 comments. */
const firstPage = (server: string, size: number) => {
  const lastPage = Math.ceil(200 / size)
  return pageDocument(server, '/comments', {
    data: bareComments(server, 1, size),
    meta: { page: { currentPage: 1, from: 1, lastPage, perPage: size, to: size, total: 200 } },
    sides: { first: side(1, size), next: side(2, size), last: side(lastPage, size) },
  })
}

describe('without page parameters', () => {
  test('a schema that says nothing of pagination has page 1, of 15', async () => {
    expectAnswer(await get('silent'), 200, firstPage('silent', 15))
  })

  test.each([
    ['a property that is a function computes it', 'computed', 4],
    ['a method computes it', 'bymethod', 5],
  ])('%s', async (_, server, size) => {
    expectAnswer(await get(server), 200, firstPage(server, size))
  })

  test('a property names the page and its size', async () => {
    const document = pageDocument('withpage', '/comments', {
      data: bareComments('withpage', 4, 6),
      meta: { page: { currentPage: 2, from: 4, lastPage: 67, perPage: 3, to: 6, total: 200 } },
      sides: { first: side(1, 3), prev: side(1, 3), next: side(3, 3), last: side(67, 3) },
    })
    expectAnswer(await get('withpage'), 200, document)
  })

  test('a property names the limit of a cursor page', async () => {
    const document = pageDocument('withlimit', '/comments', {
      data: bareComments('withlimit', 200, 198),
      meta: { page: { from: '200', to: '198', hasMore: true, perPage: 3 } },
      sides: { first: { 'page[limit]': 3 }, next: { 'page[after]': 198, 'page[limit]': 3 } },
    })
    expectAnswer(await get('withlimit'), 200, document)
  })

  test.each([
    ['a schema that chooses its pagination, and no default', 'chosen'],
    ['a default that is null', 'without'],
    ['a default that is computed as null', 'computedwithout'],
    ['no pagination, whatever the default', 'unpaged'],
  ])('%s: the whole collection, without page meta and links', async (_, server) => {
    expectAnswer(await get(server), 200, pageDocument(server, '/comments', { data: bareComments(server, 1, 200) }))
  })
})

describe('with page parameters', () => {
  test('the default is of no account: what it says of the size neither', async () => {
    const { body } = await get('withpage', { 'page[number]': 1 })
    expect(body.meta).toEqual({ page: { currentPage: 1, from: 1, lastPage: 14, perPage: 15, to: 15, total: 200 } })
  })

  test.each([
    ['a number alone: 15', 'chosen', { 'page[number]': 2 }, 15],
    ['a number alone: the schema’s perPage', 'perpage', { 'page[number]': 2 }, 6],
    ['a cursor alone: 15', 'withlimit', { 'page[after]': 100 }, 15],
    ['a cursor alone: the schema’s perPage', 'cursorperpage', { 'page[after]': 100 }, 6],
    ['withDefaultPerPage goes before perPage, by number', 'ownsize', { 'page[number]': 2 }, 2],
    ['withDefaultPerPage goes before perPage, by cursor', 'ownlimit', { 'page[before]': 100 }, 2],
    ['a size alone is of page 1', 'chosen', { 'page[size]': 7 }, 7],
    ['a size as large as may be', 'small', { 'page[size]': 10 }, 10],
    ['a default size that is larger than may be asked for', 'small', { 'page[number]': 1 }, 10],
    ['a size with leading zeros is a decimal number', 'chosen', { 'page[size]': '007' }, 7],
  ])('%s', async (_, server, asked, size) => {
    const { status, body } = await get(server, asked)
    expect({ status, shown: body.data.length, perPage: body.meta.page.perPage }).toEqual({
      status: 200,
      shown: size,
      perPage: size,
    })
  })
})
