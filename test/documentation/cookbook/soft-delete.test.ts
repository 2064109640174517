import { expect, test } from 'vitest'
import { useRecipe } from '../../support/cookbook/recipe.ts'

const recipe = useRecipe('soft-delete')

test('the files of the page compile', () => {
  expect(recipe.compile()).toEqual([])
})

test('everything is answered as the page shows it', async () => {
  const { shown, seen } = await recipe.follow()
  expect(seen).toEqual(shown)
})

const trashed = 'GET /api/v1/posts?filter[trashed]=only&fields[posts]=title'

test('an administrator has removed the row for good, and a restored one is there again', async () => {
  expect(
    await recipe.db.post.findMany({ where: { id: { in: [1, 3] } }, select: { id: true, deletedAt: true } }),
  ).toEqual([{ id: 1, deletedAt: null }])
})

test('an editor may not remove what is in the bin', async () => {
  expect((await recipe.ask('DELETE /api/v1/posts/6', { as: 'editor@example.com' })).status).toBe(204)
  expect((await recipe.ask('DELETE /api/v1/posts/6', { as: 'editor@example.com' })).status).toBe(403)
  const { body } = await recipe.ask(trashed, { as: 'editor@example.com' })
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['6'])
})

test('the slug of a deleted post stays taken', async () => {
  const attributes = { title: 'Again', slug: 'post-6', content: 'Again' }
  const { body } = await recipe.ask('POST /api/v1/posts', {
    as: 'member3@example.com',
    body: { data: { type: 'posts', attributes } },
  })
  expect(body.errors).toEqual([
    {
      status: '422',
      code: 'unique',
      title: 'Unprocessable Entity',
      detail: 'The slug has already been taken.',
      source: { pointer: '/data/attributes/slug' },
    },
  ])
})
