import { beforeEach, expect, test } from 'vitest'
import { useOvertaking } from '../support/overtaken.ts'

const { api, overtake } = useOvertaking()

let id: number
beforeEach(async () => {
  const post = await api.db.post.create({
    data: {
      title: 'Mine',
      slug: `mine-${Math.random()}`.replace('.', '-'),
      content: 'C',
      authorId: 4,
      publishedAt: new Date('2024-01-01'),
    },
  })
  id = post.id
})

const author: ReturnType<typeof api.as> = (...args) => api.as(4)(...args)
const path = (rest = '') => `/api/v1/posts/${id}${rest}`
const titled = (title: string) => ({ body: { data: { type: 'posts', id: String(id), attributes: { title } } } })

test('a write is judged by the row as it is then: who lost it meanwhile is refused', async () => {
  overtake(() => api.db.post.update({ where: { id }, data: { authorId: 5 } }))
  expect((await author('PATCH', path(), titled('Stolen'))).status).toBe(403)
  expect(await api.db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({ title: 'Mine', authorId: 5 })
})

test('a DELETE too', async () => {
  overtake(() => api.db.post.update({ where: { id }, data: { authorId: 5 } }))
  expect((await author('DELETE', path())).status).toBe(403)
  expect(await api.db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({ deletedAt: null })
})

test('a change that takes nothing away is kept, and the write goes on', async () => {
  overtake(() => api.db.post.update({ where: { id }, data: { content: 'Theirs' } }))
  expect((await author('PATCH', path(), titled('Ours'))).status).toBe(200)
  expect(await api.db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({ title: 'Ours', content: 'Theirs' })
})

test.each([
  ['attributes', titled('Gone')],
  [
    'relationships alone',
    { body: { data: { type: 'posts', relationships: { tags: { data: [{ type: 'tags', id: '2' }] } } } } },
  ],
])('a row that was hidden meanwhile is 404, and stays as it is: %s', async (_, send) => {
  Object.assign(send.body.data, { id: String(id) })
  overtake(() => api.db.post.update({ where: { id }, data: { deletedAt: new Date() } }))
  expect((await author('PATCH', path(), send)).status).toBe(404)
  expect(await api.db.post.findUniqueOrThrow({ where: { id }, include: { tags: true } })).toMatchObject({
    title: 'Mine',
    tags: [],
  })
})

test('parallel changes of one row all happen, one after the other', async () => {
  const answers = await Promise.all(
    ['title', 'content', 'synopsis'].map((name) =>
      author('PATCH', path(), {
        body: { data: { type: 'posts', id: String(id), attributes: { [name]: `new ${name}` } } },
      }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await api.db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({
    title: 'new title',
    content: 'new content',
    synopsis: 'new synopsis',
  })
})
