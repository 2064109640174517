import { beforeAll, expect, test } from 'vitest'
import { useRecipe } from '../../support/cookbook/recipe.ts'

const recipe = useRecipe('tenant-in-path')

const ann = 'ann@example.com'
const gil = 'gil@example.com'
const idea = (more: object = {}) => ({ data: { type: 'ideas', attributes: { title: 'An idea' }, ...more } })
const ids = async (path: string, as?: string) =>
  (await recipe.ask(`GET ${path}`, { ...(as && { as }) })).body.data.map(({ id }: { id: string }) => id)

let titles: (api: unknown, user: object | null, organization: string) => Promise<readonly unknown[]>
let api: unknown
beforeAll(async () => {
  titles = (await recipe.load('src/app/ideas.ts')).titles
  api = await (await recipe.load('src/app/api.ts')).makeApi(recipe.parts)
})

test('the files of the page compile', () => {
  expect(recipe.compile()).toEqual([])
})

test('without HTTP, each path has its ideas, too', async () => {
  expect(await titles(api, { id: 1, name: 'Ann' }, 'acme')).toEqual(['acme in colour', 'A secret of acme'])
  expect(await titles(api, { id: 1, name: 'Ann' }, 'globex')).toEqual(['globex in colour'])
  expect(await titles(api, null, 'globex')).toEqual(['globex in colour'])
  await expect(titles(api, null, 'initech')).rejects.toMatchObject({ status: 404 })
})

test('everything is answered as the page shows it', async () => {
  const { shown, seen } = await recipe.follow()
  expect(seen).toEqual(shown)
})

test('a member of one organization is a guest in the other', async () => {
  expect(await ids('/api/acme/v1/ideas?sort=id', ann)).toEqual(['1', '2', '5'])
  expect(await ids('/api/acme/v1/ideas?sort=id', gil)).toEqual(['1'])
  expect(await ids('/api/globex/v1/ideas?sort=id', gil)).toEqual(['3', '4'])
  expect(await ids('/api/globex/v1/ideas?filter[id]=1,2,3,4', ann)).toEqual(['3'])
})

test('nothing is written by the path of another organization', async () => {
  const before = await recipe.db.idea.findMany()
  const patch = { data: { type: 'ideas', id: '2', attributes: { title: 'Taken' } } }
  const asked = [
    ['PATCH /api/acme/v1/ideas/2', gil, 403],
    ['PATCH /api/globex/v1/ideas/2', gil, 404],
    ['DELETE /api/globex/v1/ideas/2', gil, 404],
    ['DELETE /api/acme/v1/ideas/1', gil, 403],
    ['PATCH /api/acme/v1/ideas/1', undefined, 401],
    ['POST /api/initech/v1/ideas', ann, 404],
  ] as const
  for (const [start, as, expected] of asked) {
    const body = start.startsWith('POST') ? idea() : patch
    const { status } = await recipe.ask(start, { ...(as && { as }), body })
    expect({ start, status }).toEqual({ start, status: expected })
  }
  expect(await recipe.db.idea.findMany()).toEqual(before)
})

test('an organization is no member of a document', async () => {
  const elsewhere = idea({ relationships: { organization: { data: { type: 'organizations', id: 'globex' } } } })
  expect((await recipe.ask('POST /api/acme/v1/ideas', { as: ann, body: elsewhere })).status).toBe(400)
})

test('a key of one path is a new one at another', async () => {
  await recipe.db.membership.create({ data: { organizationId: 'globex', userId: 1 } })
  const headers = { 'Idempotency-Key': 'once' }
  const send = async (organization: string) => {
    const { body } = await recipe.ask(`POST /api/${organization}/v1/ideas`, { as: ann, body: idea(), headers })
    return recipe.db.idea.findUnique({
      where: { id: Number(body.data.id) },
      select: { id: true, organizationId: true },
    })
  }
  const [here, there, again] = [await send('acme'), await send('globex'), await send('acme')]
  expect([here.organizationId, there.organizationId]).toEqual(['acme', 'globex'])
  expect(again).toEqual(here)
})

test('a name may be percent-encoded, and has no slash', async () => {
  expect(await ids('/api/%61cme/v1/ideas?filter[isPublic]=true')).toEqual(['1'])
  expect((await recipe.ask('GET /api/acme%2Fv1/v1/ideas')).status).toBe(404)
})
