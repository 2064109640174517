import { randomUUID } from 'node:crypto'
import type { ConformanceWrites } from '@prismapi/testing/kit'

/** Resources of every type of the example that an administrator may create, by servers on which they are not the same. */
export function makers(): ConformanceWrites['make'] {
  let count = 0
  const next = () => `made ${++count}`
  return {
    tags: () => ({ attributes: { name: next() } }),
    users: () => {
      const name = next()
      const password = `secret of ${name}`
      const email = `${name.replace(' ', '-')}@example.org`
      return { attributes: { name, email, role: 'EDITOR', password, passwordConfirmation: password } }
    },
    posts: (server) => {
      const title = next()
      const content = { [server === 'v2' ? 'body' : 'content']: `What is ${title}.` }
      const publishedAt = '2024-02-29T12:00:00.000Z'
      return { attributes: { title, slug: title.replace(' ', '-'), synopsis: null, publishedAt, ...content } }
    },
    videos: () => ({
      id: randomUUID(),
      attributes: { title: next(), url: 'https://example.org/1', featured: true, durationSeconds: 7, rating: 2.5 },
    }),
    comments: () => ({
      attributes: { content: next() },
      relationships: { commentable: { data: { type: 'posts', id: '1' } } },
    }),
  }
}
