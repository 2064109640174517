import type { SchemaClass } from '@prismapi/jsonapi/schema/schema'
import { createApi, PagePagination, Schema } from 'prismapi'
import { CursorPagination } from 'prismapi/cursor-pagination'
import { MultiPagination, type Paginator } from 'prismapi/pagination'
import { describe, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import { openServer } from '../../support/open-server.ts'
import { theExample } from '../../support/servers.ts'

// What a server says of a pagination before it serves: what works badly is a warning, what cannot work an error.

type Options = Parameters<typeof createApi>[0]

/** Nothing is asked of the database at boot. */
const client = { $transaction: () => Promise.reject(new Error('A transaction at boot.')) }

function boot(parts: Pick<Options, 'servers' | 'policies'>): string[] {
  const warnings: string[] = []
  const logger = {
    debug: () => {},
    info: () => {},
    warn: (_fields: object, message: string) => void warnings.push(message),
    error: () => {},
  }
  createApi({ resources, clients: { reader: client, writer: client }, baseUrl: 'https://x.example', logger, ...parts })
  return warnings
}

const bootWith = (model: 'Comment' | 'Post' | 'Video', paginator: () => Paginator, more: object = {}) => {
  class Paginated extends Schema {
    override pagination() {
      return paginator()
    }
  }
  Object.assign(Paginated.prototype, more)
  const servers = [openServer('boot', { [model]: Paginated as unknown as SchemaClass })]
  return boot({ servers, policies: new Map() })
}

describe('no warning', () => {
  test('for the example', async () => {
    expect(boot(await theExample()).filter((warning) => /pagination|index/i.test(warning))).toEqual([])
  })

  test.each<[string, () => Paginator]>([
    ['pages by number', () => new PagePagination()],
    ['the creation time, which an index begins with', () => new CursorPagination()],
    ['the same, ascending', () => new CursorPagination().withAscending()],
    ['the id', () => new CursorPagination().withCursorColumn('id')],
    ['a unique column', () => new CursorPagination().withCursorColumn('slug')],
  ])('for %s', (_, paginator) => expect(bootWith('Post', paginator)).toEqual([]))
})

describe('a warning', () => {
  const noIndex = (column: string) =>
    `posts: Post: cursor pagination orders by ${column}, id and no index does, so each page reads the whole table. Add @@index([${column}, id]).`

  test('for a column that no index begins with', () => {
    expect(bootWith('Post', () => new CursorPagination().withCursorColumn('title'))).toEqual([noIndex('title')])
  })

  test('for a column that may be null, and one more for its missing index', () => {
    expect(bootWith('Post', () => new CursorPagination().withCursorColumn('publishedAt'))).toEqual([
      "posts: Post.publishedAt: cursor pagination orders by it and it may be null, so rows without a value are missing from the pages behind a cursor. Make it required, or name another column: withCursorColumn('…').",
      noIndex('publishedAt'),
    ])
  })

  test('for a strategy among several', () => {
    const paginator = () =>
      new MultiPagination([new PagePagination(), new CursorPagination().withCursorColumn('updatedAt')])
    expect(bootWith('Post', paginator)).toEqual([noIndex('updatedAt')])
  })
})

describe('an error, which names the cure', () => {
  test.each<[string, 'Comment' | 'Post' | 'Video', () => Paginator, RegExp]>([
    [
      'a cursor column that the model lacks',
      'Comment',
      () => new CursorPagination().withCursorColumn('publishedAt'),
      /^Server boot: CursorPagination: the model Comment has no column publishedAt\. Name another one: withCursorColumn\('…'\)\.$/,
    ],
    [
      'a cursor column whose values have no order',
      'Video',
      () => new CursorPagination().withCursorColumn('featured'),
      /^Server boot: CursorPagination: Video\.featured is of type Boolean, .*Name another one: withCursorColumn\('…'\)\.$/,
    ],
    [
      'two parameters of one name',
      'Comment',
      () => new CursorPagination().withAfterKey('limit'),
      /^Server boot: CursorPagination: two page parameters are called limit\. Give one of them another name\.$/,
    ],
  ])('%s', (_, model, paginator, message) => {
    expect(() => bootWith(model, paginator)).toThrow(message)
  })

  test.each<[string, object]>([
    ['a key that the paginator lacks', { number: 1 }],
    ['a limit that a client could not ask for', { limit: 0 }],
    ['a limit over the maximum', { limit: 1001 }],
  ])('a default page with %s', (_, defaultPagination) => {
    const paginator = () => new CursorPagination()
    expect(() => bootWith('Comment', paginator, { defaultPagination })).toThrow(
      /^Server boot: comments: defaultPagination: .+ Declare what a client could ask for, or raise the server's limit\.$/,
    )
  })
})
