import { beforeAll, describe, expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { users } from '../../support/api.ts'
import { newPost } from '../../support/operations.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// Caps of pages hold for each parent. What they make together has an end as well.

/** Ten tags, then posts with comments of one author. */
class Small extends V1 {
  override readonly limits = { resources: 40, documentBytes: 60_000 }
}
const api = useServers(async () => ({ ...(await exampleWith(Small)), production: false }))
const get = (path: string) => api.as(null)('GET', `/api/v1${path}`)

let post: number
beforeAll(async () => {
  const { body, ...data } = newPost()
  const created = { ...data, content: body, authorId: users.admin, publishedAt: new Date(0) }
  post = (await api.db.post.create({ data: created })).id
  const comment = { content: 'Text', postId: post, authorId: users.admin }
  // A post, 19 comments and their identifiers are 39; each comment's author is one, and one more for all of them.
  await api.db.comment.createMany({ data: Array.from({ length: 19 }, () => comment) })
})

const refused = (code: string, parameter: string) => ({
  status: 400,
  body: { errors: [{ status: '400', code, source: { parameter } }] },
})

describe('resources', () => {
  test('a document at the limit is answered', async () => {
    const { status, body } = await get(`/posts/${post}?include=comments`)
    expect({ status, included: body.included.length }).toEqual({ status: 200, included: 19 })
  })

  test('one beyond it is refused, and says what to leave out', async () => {
    expect(await get(`/posts/${post}?include=comments.author`)).toMatchObject(refused('too-many-resources', 'include'))
  })

  test('a level is not read for a document that is too large already', async () => {
    const queries = await api.queriesOf(() => get(`/posts/${post}?include=comments.author.posts`))
    expect(queries.filter((sql) => /from "Post"/i.test(sql)).length).toBeLessThanOrEqual(1)
  })

  test('pages that are too long are refused at their parameter', async () => {
    // By titles, which are short whatever posts of other tests have in them.
    expect(await get('/posts?page[size]=50&page[number]=1&fields[posts]=title')).toMatchObject(
      refused('too-many-resources', 'page[size]'),
    )
  })
})

describe('bytes', () => {
  test('a document that is too long is refused', async () => {
    const { body, ...data } = newPost()
    const created = { ...data, content: 'x'.repeat(50_000), authorId: users.admin, publishedAt: new Date(0) }
    const { id } = await api.db.post.create({ data: created })
    expect(await get(`/posts/${id}`)).toMatchObject({ status: 200 })
    await api.db.post.update({ where: { id }, data: { content: 'x'.repeat(60_000) } })
    expect(await get(`/posts/${id}`)).toMatchObject(refused('too-large', 'page'))
    expect(await get(`/posts/${id}?fields[posts]=title`)).toMatchObject({ status: 200 })
  })
})

describe('texts', () => {
  test('a statement is read no further than twice the document, and nothing after it', async () => {
    const { body, ...data } = newPost()
    const created = { ...data, content: 'y'.repeat(50_000), authorId: users.admin, publishedAt: new Date(0) }
    const slugs = ['long-1', 'long-2', 'long-3']
    await api.db.post.createMany({ data: slugs.map((slug) => ({ ...created, slug })) })
    const paths = [
      '/posts?filter[slug]=long-1,long-2,long-3&include=comments',
      // Beside the event loop, where the database is SQLite.
      '/posts?filter[content][startsWith]=yyy&filter[slug]=long-1,long-2,long-3&include=comments',
    ]
    for (const path of paths) {
      const queries = await api.queriesOf(async () =>
        expect(await get(path)).toMatchObject(refused('too-large', 'include')),
      )
      expect(queries.filter((sql) => /from "Comment"/i.test(sql))).toEqual([])
    }
    const titles = await get(`${paths[1]}&fields[posts]=title`)
    expect(titles).toMatchObject({ status: 200 })
    expect(titles.body.data).toHaveLength(3)
    await api.db.post.deleteMany({ where: { slug: { in: slugs } } })
  })
})

describe('a level', () => {
  test('is read no further than the document may go, whatever lies behind its parents', async () => {
    const comment = { content: 'Text', authorId: users.admin }
    const postIds = (await api.db.post.findMany({ where: { publishedAt: { lt: new Date() } }, take: 4 })).map(
      ({ id }) => id,
    )
    const data = postIds.flatMap((postId) => Array.from({ length: 60 }, () => ({ ...comment, postId })))
    await api.db.comment.createMany({ data })
    const levels = async (path: string) => {
      const answer = await api.as(null)('GET', `/api/v1${path}`, { headers: { Prefer: 'explain' } })
      expect(answer).toMatchObject(refused('too-many-resources', 'include'))
      return answer.body.meta.explain.levels as { model: string; rows: number }[]
    }
    const read = await levels(`/posts?filter[id]=${postIds.join()}&include=comments`)
    // Forty-one, and one of each parent that is not shown.
    expect(read.find(({ model }) => model === 'Comment')?.rows).toBe(45)
  })
})
