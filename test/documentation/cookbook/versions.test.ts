import { expect, test } from 'vitest'
import { useRecipe } from '../../support/cookbook/recipe.ts'

const recipe = useRecipe('versions')

test('the files of the page compile', () => {
  expect(recipe.compile()).toEqual([])
})

test('everything is answered as the page shows it', async () => {
  const { shown, seen } = await recipe.follow()
  expect(seen).toEqual(shown)
})

test('versions write the same rows', async () => {
  const as = 'member3@example.com'
  const attributes = { title: 'Three', slug: 'three', body: 'By its new name.' }
  const created = await recipe.ask('POST /api/v3/posts', { as, body: { data: { type: 'posts', attributes } } })
  expect(created.status).toBe(201)
  expect(created.body.data.attributes).not.toHaveProperty('synopsis')
  const { body } = await recipe.ask(`GET /api/v1/posts/${created.body.data.id}?fields[posts]=content,synopsis`, { as })
  expect(body.data.attributes).toEqual({ content: 'By its new name.', synopsis: null })
})

test('a type that is not served is no relation either', async () => {
  const { body } = await recipe.ask('GET /api/v3/users/3', { as: 'member3@example.com' })
  expect(Object.keys(body.data.relationships)).toEqual(['posts', 'comments', 'videos'])
})

test('only the old version says that it ends, with errors, too', async () => {
  const sunset = async (path: string) => (await recipe.ask(`GET ${path}`)).headers.get('Sunset')
  expect(await sunset('/api/v1/nothing')).toBe('Wed, 01 Jan 2031 00:00:00 GMT')
  expect(await sunset('/api/v3/posts')).toBeNull()
  expect(await sunset('/api/v10')).toBeNull()
})
