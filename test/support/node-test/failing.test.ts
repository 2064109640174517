import { after, test } from 'node:test'
import { expectFetchedMany, expectFetchedOne } from '@prismapi/testing'
import { openExample } from './example.ts'

// The server is not closed here: it must not keep the process alive.
const { client, make, database } = await openExample()
after(database.close)

test('a title is another one', async () => {
  const post = await make.post.create({ title: 'One', publishedAt: new Date('2025-01-01') })
  expectFetchedOne(await client.get(`/posts/${post.id}`), { type: 'posts', id: post.id, attributes: { title: 'Two' } })
})

test('a draft is hidden', async () => {
  const draft = await make.post.create({ publishedAt: null })
  expectFetchedMany(await client.get('/posts').filter({ id: [draft.id] }), [draft])
})
