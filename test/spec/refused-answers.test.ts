import { beforeAll, expect, test } from 'vitest'
import PostSchema from '../../src/app/v1/post.schema.ts'
import V1 from '../../src/app/v1/server.ts'
import { users } from '../support/api.ts'
import { identifier } from '../support/row-documents.ts'
import { addPost } from '../support/rows.ts'
import { exampleWith, theExample, useServers } from '../support/servers.ts'
import { snapshot } from '../support/snapshot.ts'

// What a write answers with may be refused, such as a document that is too large. Then nothing was written.

class Posts extends PostSchema {
  override actions() {
    return [
      this.action('publish', {
        async handle({ db }) {
          const publishedAt = new Date(0)
          await db.post.updateMany({ data: { publishedAt } })
          return db.post.findMany({ take: 41 })
        },
      }),
    ]
  }
}

class Small extends V1 {
  override readonly limits = { resources: 40 }
}
const api = useServers(async () => {
  const { servers } = await theExample()
  return exampleWith(Small, { schemas: new Map(servers[0]?.schemas).set('Post', Posts) })
})
const admin: ReturnType<typeof api.as> = (...args) => api.as(users.admin)(...args)

let post: number
beforeAll(async () => {
  post = (await addPost(api.db, { authorId: users.admin, publishedAt: null })).id
  const comment = { content: 'Text', postId: post, authorId: users.admin }
  // A post, 19 comments and their identifiers are 39; each comment's author is one, and one more for all of them.
  await api.db.comment.createMany({ data: Array.from({ length: 19 }, () => comment) })
})

const title = (text: string) => ({ data: { ...identifier('posts', post), attributes: { title: text } } })
const newPost = (slug: string) => ({
  data: { type: 'posts', attributes: { title: 'New', slug, content: 'Text' } },
})

test.each<[string, () => Parameters<typeof admin>]>([
  ['a change', () => ['PATCH', `/api/v1/posts/${post}?include=comments.author`, { body: title('Changed') }]],
  ['a new resource', () => ['POST', '/api/v1/posts?include=author.posts.comments', { body: newPost('refused') }]],
  [
    'a relationship',
    () => [
      'PATCH',
      `/api/v1/posts/${post}/relationships/tags?include=tags.posts.comments`,
      { body: { data: [identifier('tags', 1)] } },
    ],
  ],
  ['an action', () => ['POST', `/api/v1/posts/${post}/-actions/publish`]],
])('%s whose document is too large is refused, and is not written', async (_, request) => {
  const before = await snapshot(api.db)
  expect(await admin(...request())).toMatchObject({ status: 400, body: { errors: [{ code: 'too-many-resources' }] } })
  expect(await snapshot(api.db)).toEqual(before)
})

test('one that is not is written, and shown with what it includes', async () => {
  const path = `/api/v1/posts/${post}?include=comments`
  const { status, body } = await admin('PATCH', path, { body: title('Shown') })
  expect(status).toBe(200)
  expect(body).toEqual((await admin('GET', path)).body)
  expect(body.data.attributes.title).toBe('Shown')
  expect(body.included).toHaveLength(19)
  const created = await admin('POST', '/api/v1/posts?include=author', { body: newPost('shown') })
  expect(created).toMatchObject({ status: 201, body: { included: [identifier('users', users.admin)] } })
})
