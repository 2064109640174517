import { Schema } from 'prismapi'
import { CursorPagination } from 'prismapi/cursor-pagination'
import type { HookRequest } from 'prismapi/types'
import { describe, expect, test } from 'vitest'
import { badParameter, expectErrors } from '../../support/answers.ts'
import { openServer, pathOf, type Query } from '../../support/open-server.ts'
import { addPost } from '../../support/rows.ts'
import { videoId } from '../../support/seeded.ts'
import { useServers } from '../../support/servers.ts'

// A cursor is the id of a resource of the very collection that is read. Any other is 400, never an empty page.

class Comment extends Schema<'Comment'> {
  override pagination() {
    return new CursorPagination()
  }
}
class IndexedComment extends Comment {
  override indexQuery(_request: HookRequest) {
    return { id: { not: 100 } }
  }
}
class RelatableComment extends Comment {
  override relatableQuery(_request: HookRequest) {
    return { id: { not: 98 } }
  }
}
class Post extends Schema<'Post'> {
  override softDelete = 'deletedAt' as const

  override pagination() {
    return new CursorPagination()
  }
}
class PostByPublication extends Schema<'Post'> {
  override pagination() {
    return new CursorPagination().withCursorColumn('publishedAt')
  }
}
class Video extends Schema<'Video'> {
  override pagination() {
    return new CursorPagination()
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    openServer('open', { Comment, Post, Video, User: Schema }),
    openServer('published', { Post: PostByPublication }),
    openServer('index', { Comment: IndexedComment, User: Schema }),
    openServer('relatable', { Comment: RelatableComment, User: Schema }),
    openServer(
      'scoped',
      { Comment, User: Schema },
      { serving: (phase) => phase.scope('Comment', { id: { not: 98 } }) },
    ),
  ],
}))

const get = (server: string, path: string, asked: Query) => servers.as(null)('GET', pathOf(server, path, asked))

/** In whichever direction it is used, and whatever is sent beside it. */
async function expectNoCursor(server: string, path: string, id: string | number, more: Query = {}): Promise<void> {
  for (const key of ['page[after]', 'page[before]']) {
    expectErrors(await get(server, path, { [key]: id, ...more }), badParameter(key))
    expectErrors(await get(server, path, { [key]: id, 'page[limit]': 2, ...more }), badParameter(key))
  }
}

async function expectCursor(server: string, path: string, id: string | number, more: Query = {}): Promise<void> {
  for (const key of ['page[after]', 'page[before]']) {
    const { status, body } = await get(server, path, { [key]: id, ...more })
    expect({ status, data: body.data }).toEqual({ status: 200, data: expect.any(Array) })
    expect(body.data.map((each: { id: string }) => each.id)).not.toContain(String(id))
  }
}

describe('an id that no resource can have', () => {
  test.each([
    '',
    ' ',
    'abc',
    '0',
    '-1',
    '01',
    '+1',
    ' 1',
    '1 ',
    '1.0',
    '1e0',
    '0x1',
    '1_1',
    '1,2',
    'null',
    'undefined',
    'comments:1',
    '{"id":1}',
    "1' OR '1'='1",
    '__proto__',
    '\u0000',
    '1\u0000',
    `${2 ** 31}`,
    `${2n ** 63n}`,
    '9'.repeat(400),
  ])('%j', async (id) => expectNoCursor('open', '/comments', id))

  test.each(['', 'x', '1', '\u0000', `${videoId(1)}\u0000`, videoId(1).slice(1), `${videoId(1)}0`, videoId(99)])(
    '%j where ids are UUIDs',
    async (id) => expectNoCursor('open', '/videos', id),
  )
})

describe('an id of something else', () => {
  test('of a resource of another type', async () => {
    await expectNoCursor('open', '/comments', videoId(1))
    await expectNoCursor('open', '/videos', 1)
    // There is a comment 200, and no post of that id.
    await expectCursor('open', '/comments', 200)
    await expectNoCursor('open', '/posts', 200)
  })

  test('of a resource that never was', async () => expectNoCursor('open', '/comments', 4711))

  test('of a resource that was deleted, from the moment on', async () => {
    await expectCursor('open', '/comments', 150)
    await servers.db.comment.delete({ where: { id: 150 } })
    await expectNoCursor('open', '/comments', 150)
  })

  test('of a resource in the bin', async () => {
    const { id } = await addPost(servers.db)
    await expectCursor('open', '/posts', id)
    await servers.db.post.update({ where: { id }, data: { deletedAt: new Date() } })
    await expectNoCursor('open', '/posts', id)
  })
})

describe('an id outside of the collection that is read', () => {
  test('hidden by a scope', async () => {
    await expectCursor('open', '/comments', 98)
    await expectNoCursor('scoped', '/comments', 98)
    await expectNoCursor('scoped', '/users/5/comments', 98)
  })

  test('hidden from the index alone', async () => {
    await expectNoCursor('index', '/comments', 100)
    const { authorId } = await servers.db.comment.findUniqueOrThrow({ where: { id: 100 } })
    await expectCursor('index', `/users/${authorId}/comments`, 100)
  })

  test('hidden from relations alone', async () => {
    await expectCursor('relatable', '/comments', 98)
    await expectNoCursor('relatable', '/users/5/comments', 98)
    await expectNoCursor('relatable', '/users/5/relationships/comments', 98)
  })

  test('of another parent', async () => {
    const { postId } = await servers.db.comment.findUniqueOrThrow({ where: { id: 1 } })
    const other = postId === 1 ? 2 : 1
    for (const between of ['', '/relationships']) {
      await expectCursor('open', `/posts/${postId}${between}/comments`, 1)
      await expectNoCursor('open', `/posts/${other}${between}/comments`, 1)
    }
  })

  test('filtered out', async () => {
    await expectCursor('open', '/comments', 90, { 'filter[id][lt]': 91 })
    await expectNoCursor('open', '/comments', 90, { 'filter[id][lt]': 90 })
  })

  test('without a value in the cursor column, where it has no place in the order', async () => {
    // Post 5 is a draft: it has no date of publication.
    await expectNoCursor('published', '/posts', 5)
    await expectCursor('published', '/posts', 6)
  })
})

test('a cursor that is of no account, because before goes first, is not looked at', async () => {
  const { status, body } = await get('open', '/comments', {
    'page[after]': 4711,
    'page[before]': 199,
    'page[limit]': 5,
  })
  expect({ status, meta: body.meta }).toEqual({
    status: 200,
    meta: { page: { from: '200', to: '200', hasMore: false, perPage: 5 } },
  })
})
