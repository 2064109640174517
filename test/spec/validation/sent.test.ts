import { dateTime, future, ResourceRequest, Schema, Server, string, toMany, toOne, whenSent } from 'prismapi'
import type { Validator } from 'prismapi/rules'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectErrors } from '../../support/answers.ts'
import { users } from '../../support/api.ts'
import { useServers } from '../../support/servers.ts'

// Rules that look at what the client sends, and not at what the resource has already; and relations that nobody sent.

let told: string[] = []

class PostRequest extends ResourceRequest<'Post'> {
  override rules() {
    return {
      title: string(),
      publishedAt: dateTime().nullable().test(whenSent(future())),
      author: toOne(),
      tags: toMany(),
      comments: toMany(),
    }
  }

  override withValidator(validator: Validator) {
    validator.after(async () => {
      const author = await this.toOne('author')
      const tags = await this.toMany('tags')
      const comments = await this.toMany('comments')
      told.push(`${author?.email} ${tags.map(({ name }) => name)} ${comments.length}`)
    })
  }
}

class Plain extends Server {
  override readonly name = 'v1'
  override authorizable = () => false
  override serving() {}
}

class CommentSchema extends Schema<'Comment'> {
  override fields() {
    return [this.morphTo('commentable', ['post', 'video'])]
  }
}

const api = useServers(() => ({
  policies: new Map(),
  servers: [
    {
      server: Plain,
      schemas: new Map([['Comment', CommentSchema]]),
      authorizers: new Map(),
      requests: new Map([['Post', { request: PostRequest, query: null, collectionQuery: null }]]),
    },
  ],
}))
const admin: ReturnType<typeof api.as> = (...args) => api.as(users.admin)(...args)
const patch = (attributes: object) =>
  admin('PATCH', '/api/v1/posts/1', { body: { data: { type: 'posts', id: '1', attributes } } })

beforeEach(async () => {
  told = []
  await api.db.post.update({
    where: { id: 1 },
    data: { publishedAt: new Date(0), authorId: users.member4, tags: { set: [{ id: 2 }, { id: 3 }] } },
  })
})

describe('whenSent(future())', () => {
  test('leaves the current value alone', async () => {
    expect((await patch({ title: 'new' })).status).toBe(200)
  })

  test('a value that is sent lies in the future, or is none', async () => {
    expectErrors(await patch({ publishedAt: '2000-01-01T00:00Z' }), {
      status: '422',
      code: 'future',
      title: 'Unprocessable Entity',
      detail: 'The published at field must be in the future.',
      source: { pointer: '/data/attributes/publishedAt' },
    })
    expect((await patch({ publishedAt: '2999-01-01T00:00Z' })).status).toBe(200)
    expect((await patch({ publishedAt: null })).status).toBe(200)
  })

  test('what is no date is told once', async () => {
    const { body } = await patch({ publishedAt: 'tomorrow' })
    expect(body.errors.map(({ code }: { code: string }) => code)).toEqual(['dateTime'])
  })
})

describe('a relation that was not sent has its current value', () => {
  const current = async () => {
    const { author, tags, comments } = await api.db.post.findUniqueOrThrow({
      where: { id: 1 },
      include: { author: true, tags: { orderBy: { id: 'asc' } }, comments: true },
    })
    return `${author.email} ${tags.map(({ name }) => name)} ${comments.length}`
  }

  test('of an update', async () => {
    expect((await patch({ title: 'other' })).status).toBe(200)
    expect(told).toEqual([await current()])
  })

  test.each([
    ['PATCH', '/api/v1/posts/1/relationships/author', { type: 'users', id: '5' }],
    ['PATCH', '/api/v1/posts/1/relationships/tags', [{ type: 'tags', id: '4' }]],
  ])('of %s %s', async (method, url, data) => {
    expect((await admin(method, url, { body: { data } })).status).toBe(200)
    // What was sent is what there is now.
    expect(told).toEqual([await current()])
  })

  test.each([
    ['POST', [{ type: 'tags', id: '4' }]],
    ['DELETE', [{ type: 'tags', id: '3' }]],
  ])('of %s of a relationship', async (method, data) => {
    const { author, comments } = await api.db.post.findUniqueOrThrow({
      where: { id: 1 },
      include: { author: true, comments: true },
    })
    expect((await admin(method, '/api/v1/posts/1/relationships/tags', { body: { data } })).status).toBe(204)
    expect(told).toEqual([`${author.email} tag-${data[0]?.id} ${comments.length}`])
  })

  test('of a deletion', async () => {
    const expected = await current()
    await admin('DELETE', '/api/v1/posts/1')
    expect(told[0]).toBe(expected)
  })
})
