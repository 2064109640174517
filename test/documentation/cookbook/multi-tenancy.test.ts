import { expect, test } from 'vitest'
import { useRecipe } from '../../support/cookbook/recipe.ts'

const recipe = useRecipe('multi-tenancy')

test('the files of the page compile', () => {
  expect(recipe.compile()).toEqual([])
})

test('everything is answered as the page shows it', async () => {
  const { shown, seen } = await recipe.follow()
  expect(seen).toEqual(shown)
})

const ann = 'ann@acme.example'
const gil = 'gil@globex.example'
const ids = async (path: string, as?: string) =>
  (await recipe.ask(`GET ${path}`, { ...(as && { as }) })).body.data.map(({ id }: { id: string }) => id)

test('each tenant has rows of its own, at every URL that lists them', async () => {
  for (const type of ['users', 'projects', 'tasks']) {
    const lists = [await ids(`/api/v1/${type}`, ann), await ids(`/api/v1/${type}`, gil)].flat()
    expect(new Set(lists).size).toBe(lists.length)
  }
  expect(await ids('/api/v1/projects/2/tasks', gil)).toEqual(['2'])
  expect((await recipe.ask('GET /api/v1/projects/2/tasks', { as: ann })).status).toBe(404)
})

test('nothing of another tenant is changed', async () => {
  const data = { type: 'tasks', id: '2', attributes: { done: true } }
  expect((await recipe.ask('PATCH /api/v1/tasks/2', { as: ann, body: { data } })).status).toBe(404)
  expect((await recipe.ask('DELETE /api/v1/projects/2', { as: ann })).status).toBe(404)
  const moved = { data: { type: 'projects', id: '2' } }
  const path = 'PATCH /api/v1/tasks/1/relationships/project'
  expect((await recipe.ask(path, { as: ann, body: moved })).status).toBe(404)
  expect(await recipe.db.task.findMany({ select: { id: true, done: true, projectId: true } })).toEqual([
    { id: 1, done: false, projectId: 1 },
    { id: 2, done: false, projectId: 2 },
  ])
})

test('what is created belongs to the tenant of its creator, whatever the document says', async () => {
  const relationships = { project: { data: { type: 'projects', id: '1' } } }
  const task = { type: 'tasks', attributes: { title: 'Mine' }, relationships }
  const { body } = await recipe.ask('POST /api/v1/tasks', { as: ann, body: { data: task } })
  expect(await recipe.db.task.findUnique({ where: { id: Number(body.data.id) } })).toMatchObject({ tenantId: 1 })
  const tenant = { data: { type: 'tenants', id: '2' } }
  const other = { ...task, relationships: { ...relationships, tenant } }
  expect((await recipe.ask('POST /api/v1/tasks', { as: ann, body: { data: other } })).status).toBe(400)
})

test('a name is unique within a tenant', async () => {
  const data = { type: 'projects', attributes: { name: 'Website' } }
  expect((await recipe.ask('POST /api/v1/projects', { as: ann, body: { data } })).status).toBe(422)
  expect((await recipe.ask('POST /api/v1/projects', { as: gil, body: { data } })).status).toBe(201)
})

test('tenants are no type, and guests see nothing', async () => {
  expect((await recipe.ask('GET /api/v1/tenants', { as: ann })).status).toBe(404)
  expect((await recipe.ask('GET /api/v1/projects/1')).status).toBe(404)
  expect((await recipe.ask('GET /api/v1/projects')).status).toBe(403)
})
