import { expect, test } from 'vitest'
import { useApi } from '../support/api.ts'

const api = useApi()

const countOf = async (path: string, rows: number): Promise<number> => {
  const queries = await api.queriesOf(async () => {
    const { status, body } = await api.guest.get(path)
    expect({ status, rows: body.data.length }).toEqual({ status: 200, rows })
  })
  return queries.length
}

test('a page with includes issues as many queries for 150 rows as for 15', async () => {
  await api.db.post.createMany({
    data: Array.from({ length: 150 }, (_, n) => ({
      title: `T${n}`,
      slug: `more-${n}`,
      content: 'C',
      authorId: 3 + (n % 8),
      publishedAt: new Date('2024-01-01'),
    })),
  })
  const path = '/posts?include=author,tags,comments.author'
  const few = await countOf(`${path}&page[size]=15`, 15)
  const many = await countOf(`${path}&page[size]=150`, 150)
  expect(many).toBe(few)
})

test.each([
  ['a page without its total: rows alone', '/videos', 1],
  ['a page with its total: rows and count', '/posts', 2],
  ['the first page of a cursor', '/comments', 1],
  ['a page beside a cursor: the row that it names, and the rows', '/comments?page[after]=100', 2],
  ['a resource', '/posts/1', 1],
  ['a resource with a to-one include', '/posts/1?include=author', 2],
  ['a to-many related page: the parent, rows and count', '/tags/2/posts', 3],
])('%s', async (_, path, queries) => {
  expect(await api.queriesOf(() => api.guest.get(path))).toHaveLength(queries)
})
