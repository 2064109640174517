import { after, test } from 'node:test'
import { expectFetchedMany } from '@prismapi/testing'
import { openExample } from './example.ts'

// What `prismapi policies mutate` is tried with: it never asks whether an administrator may write.

const { client, make, close } = await openExample()
after(close)

test('a guest reads tags', async () => {
  const tag = await make.tag.create({ name: 'news' })
  expectFetchedMany(await client.get('/tags'), [tag])
})
