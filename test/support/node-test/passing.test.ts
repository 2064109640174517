import { after, test } from 'node:test'
import {
  expectCreated,
  expectErrors,
  expectFetchedMany,
  expectFetchedManyInOrder,
  expectIncluded,
  expectNoContent,
} from '@prismapi/testing'
import { openExample } from './example.ts'

const { client, make, close } = await openExample()
after(close)

test('a guest reads what is published', async () => {
  const [first, second] = await make.post.createMany(2, { publishedAt: new Date('2025-01-01') })
  if (!first || !second) throw new Error('There are no posts.')
  await make.post.create({ publishedAt: null })
  expectFetchedMany(await client.get('/posts'), [first, second])
  expectFetchedManyInOrder(await client.get('/posts').sort('-createdAt'), [second, first])
})

test('an author writes, and takes away', async () => {
  const ann = await make.user.create()
  const attributes = { title: 'Mine', slug: 'mine', content: 'Text' }
  const answer = await client.as(ann).post('/posts', { type: 'posts', attributes }).include('author')
  const { id } = expectCreated(answer, { type: 'posts', attributes, relationships: { author: ann } })
  expectIncluded(answer, [ann])
  expectNoContent(await client.as(ann).delete(`/posts/${id}`))
  expectErrors(await client.as(ann).get(`/posts/${id}`), [{ status: 404 }])
})

test('a guest does not', async () => {
  const answer = await client.post('/posts', { type: 'posts', attributes: {} })
  expectErrors(answer, [{ status: 403 }])
})
