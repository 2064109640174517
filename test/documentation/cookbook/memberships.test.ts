import { expect, test } from 'vitest'
import { useRecipe } from '../../support/cookbook/recipe.ts'

const recipe = useRecipe('memberships')

const ann = 'ann@example.com'
const cy = 'cy@example.com'

test('the files of the page compile', () => {
  expect(recipe.compile()).toEqual([])
})

test('everything is answered as the page shows it', async () => {
  const { shown, seen } = await recipe.follow()
  expect(seen).toEqual(shown)
})

test('what Ann does not belong to is not there for her, by whatever way', async () => {
  const paths = ['projects/2', 'organizations/2', 'tasks/2', 'users/2', 'projects/2/tasks', 'memberships/2_3']
  const statuses = await Promise.all(paths.map((path) => recipe.ask(`GET /api/v1/${path}`, { as: ann })))
  expect(statuses.map(({ status }) => status)).toEqual(paths.map(() => 404))
  const filters = ['tasks?filter[project]=2', 'tasks?filter[project.organization.name]=Globex', 'projects?filter[id]=2']
  const lists = await Promise.all(filters.map((path) => recipe.ask(`GET /api/v1/${path}`, { as: ann })))
  expect(lists.map(({ body }) => body.data)).toEqual(filters.map(() => []))
  const shared = await recipe.ask('GET /api/v1/users/3?include=memberships.organization', { as: ann })
  expect(shared.body.included.map(({ type, id }: { type: string; id: string }) => `${type} ${id}`)).toEqual([
    'memberships 1_3',
    'organizations 1',
  ])
})

test('a project stays where it is, and a code is taken in its own organization alone', async () => {
  const to = (id: string) => ({ organization: { data: { type: 'organizations', id } } })
  const moved = { data: { type: 'projects', id: '1', relationships: to('2') } }
  expect((await recipe.ask('PATCH /api/v1/projects/1', { as: ann, body: moved })).status).toBe(403)
  await recipe.db.membership.update({
    where: { organizationId_userId: { organizationId: 2, userId: 3 } },
    data: { role: 'ADMIN' },
  })
  const add = (code: string, id: string) =>
    recipe.ask('POST /api/v1/projects', {
      as: cy,
      body: { data: { type: 'projects', attributes: { code, name: 'Rover' }, relationships: to(id) } },
    })
  expect([(await add('R1', '2')).status, (await add('R2', '2')).status, (await add('R3', '1')).status]).toEqual([
    422, 201, 403,
  ])
})

test('a membership that ends, ends at once', async () => {
  expect((await recipe.ask('GET /api/v1/tasks/1', { as: cy })).status).toBe(200)
  expect((await recipe.ask('DELETE /api/v1/memberships/1_3', { as: ann })).status).toBe(204)
  expect((await recipe.ask('GET /api/v1/tasks/1', { as: cy })).status).toBe(404)
})
