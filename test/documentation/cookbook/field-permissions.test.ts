import { expect, test } from 'vitest'
import { useRecipe } from '../../support/cookbook/recipe.ts'

const recipe = useRecipe('field-permissions')
const [member, admin] = ['member5@example.com', 'admin@example.com']

const patch = (as: string, id: string, attributes: object) =>
  recipe.ask(`PATCH /api/v1/profiles/${id}`, { as, body: { data: { type: 'profiles', id, attributes } } })

test('the files of the page compile', () => {
  expect(recipe.compile()).toEqual([])
})

test('everything is answered as the page shows it', async () => {
  const { shown, seen } = await recipe.follow()
  expect(seen).toEqual(shown)
})

test('guests, users and administrators see what the rule says', async () => {
  const seen = async (as?: string) => {
    const { body } = await recipe.ask('GET /api/v1/profiles', as === undefined ? {} : { as })
    const shown = body.data.filter(({ attributes }: { attributes: object }) => 'website' in attributes)
    return [shown.length, body.data.length]
  }
  expect([await seen(), await seen(member), await seen(admin)]).toEqual([
    [0, 10],
    [1, 10],
    [10, 10],
  ])
})

test('a guest cannot ask for it, neither there nor across a relation', async () => {
  for (const path of ['profiles?filter[website]=x', 'profiles?sort=website', 'posts?filter[author.profile.website]=x'])
    expect((await recipe.ask(`GET /api/v1/${path}`)).status).toBe(400)
})

test('its user may not change it, and an administrator may', async () => {
  expect((await patch(member, '5', { bio: 'Mine' })).body.data.attributes.bio).toBe('Mine')
  const refused = await patch(member, '5', { website: 'https://elsewhere.example' })
  expect(refused).toMatchObject({
    status: 403,
    body: {
      errors: [{ detail: 'You may not change the field website.', source: { pointer: '/data/attributes/website' } }],
    },
  })
  const changed = await patch(admin, '5', { website: 'https://elsewhere.example' })
  expect(changed.body.data.attributes.website).toBe('https://elsewhere.example')
})
