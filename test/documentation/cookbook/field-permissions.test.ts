import { expect, test } from 'vitest'
import { useRecipe } from '../../support/cookbook/recipe.ts'

const recipe = useRecipe('field-permissions')

test('the files of the page compile', () => {
  expect(recipe.compile()).toEqual([])
})

test('everything is answered as the page shows it', async () => {
  const { shown, seen } = await recipe.follow()
  expect(seen).toEqual(shown)
})

test('a member reads the own profile', async () => {
  const { body } = await recipe.ask('GET /api/v1/profiles?fields[profiles]=bio', { as: 'member3@example.com' })
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['3'])
})

test('what the public server hides cannot be written there', async () => {
  const data = { type: 'users', id: '3', attributes: { email: 'other@example.com' } }
  const { body } = await recipe.ask('PATCH /api/v1/users/3', { as: 'member3@example.com', body: { data } })
  expect(body.errors[0]).toMatchObject({ status: '400', source: { pointer: '/data/attributes' } })
})

test('an administrator changes a role, and an address on the server of the staff', async () => {
  const as = 'admin@example.com'
  const role = { data: { type: 'users', id: '6', attributes: { role: 'EDITOR' } } }
  expect((await recipe.ask('PATCH /api/v1/users/6', { as, body: role })).body.data.attributes.role).toBe('EDITOR')
  const email = { data: { type: 'users', id: '6', attributes: { email: 'six@example.com' } } }
  expect((await recipe.ask('PATCH /api/staff/users/6', { as, body: email })).body.data.attributes.email).toBe(
    'six@example.com',
  )
})

test('a member who sends no role is heard', async () => {
  const data = { type: 'users', id: '4', attributes: { name: 'Four' } }
  const { body } = await recipe.ask('PATCH /api/v1/users/4', { as: 'member4@example.com', body: { data } })
  expect(body.data.attributes).toMatchObject({ name: 'Four', role: 'MEMBER' })
})
