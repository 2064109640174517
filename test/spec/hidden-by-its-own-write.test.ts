import { Server, type Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { expectAnswer, expectErrors, expectNothing, notFound } from '../support/answers.ts'
import { users } from '../support/api.ts'
import { at, documentOf, identifier, postResource, relationshipDocument } from '../support/row-documents.ts'
import { addPost, tagsOf } from '../support/rows.ts'
import { exampleWith, useServers } from '../support/servers.ts'

// In the example everybody sees what they may write. Here drafts, and posts with the tag 2, are hidden from everybody.
class Strict extends Server {
  override readonly name = 'v1'

  override serving(phase: Serving): void {
    phase.scope('Post', { publishedAt: { not: null }, tags: { none: { id: 2 } } })
    phase.creating('Post', ({ authorId = phase.user?.id ?? users.admin }) => ({ authorId }))
  }
}

const api = useServers(() => exampleWith(Strict))
const post = (id: number) => api.db.post.findUniqueOrThrow({ where: { id } })
const member = (method: string, path: string, data: unknown) =>
  api.as(users.member3)(method, `/api/v1${path}`, { body: { data } })
const read = (id: number) => api.as(users.member3)('GET', `/api/v1/posts/${id}`)

describe('a write that hides the resource from its writer', () => {
  test.each(['', '?include=author,tags', '?fields[posts]=title'])('PATCH%s is 204, and is done', async (query) => {
    const { id } = await addPost(api.db)
    const data = { type: 'posts', id: String(id), attributes: { title: 'A draft again', publishedAt: null } }
    expectNothing(await member('PATCH', `/posts/${id}${query}`, data))
    expect(await post(id)).toMatchObject({ title: 'A draft again', publishedAt: null })
    expectErrors(await read(id), notFound)
  })

  test('PATCH of a relationship is 204, and is done', async () => {
    const { id } = await addPost(api.db)
    const sent = [identifier('tags', 2), identifier('tags', 3)]
    expectNothing(await member('PATCH', `/posts/${id}/relationships/tags`, sent))
    expect(await tagsOf(api.db, id)).toEqual([2, 3])
    expectErrors(await read(id), notFound)
  })

  test('POST to a relationship is 204, as ever', async () => {
    const { id } = await addPost(api.db)
    expectNothing(await member('POST', `/posts/${id}/relationships/tags`, [identifier('tags', 2)]))
    expect(await tagsOf(api.db, id)).toEqual([2])
  })

  test('POST answers 201 with what was created all the same', async () => {
    const attributes = { title: 'A draft', slug: 'a-draft', content: 'Not yet.' }
    const answer = await member('POST', '/posts', { type: 'posts', attributes })
    const row = await api.db.post.findUniqueOrThrow({ where: { slug: 'a-draft' } })
    expect(row.authorId).toBe(users.member3)
    expectAnswer(answer, 201, documentOf(at(`/posts/${row.id}`), postResource(row)))
    expect(answer.headers.get('Location')).toBe(at(`/posts/${row.id}`))
    expectErrors(await read(row.id), notFound)
  })
})

describe('a write that does not hide it', () => {
  test('PATCH answers with the resource', async () => {
    const { id } = await addPost(api.db)
    const data = { type: 'posts', id: String(id), attributes: { title: 'Still here' } }
    const answer = await member('PATCH', `/posts/${id}`, data)
    expectAnswer(
      answer,
      200,
      documentOf(at(`/posts/${id}`), postResource({ ...(await post(id)), title: 'Still here' })),
    )
  })

  test('PATCH of a relationship answers with the linkage', async () => {
    const { id } = await addPost(api.db)
    const sent = [identifier('tags', 3)]
    const answer = await member('PATCH', `/posts/${id}/relationships/tags`, sent)
    expectAnswer(answer, 200, relationshipDocument(`/posts/${id}`, 'tags', sent))
  })
})
