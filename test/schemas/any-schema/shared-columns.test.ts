import { expect, test } from 'vitest'
import { to, toOne, useFixture } from '../../support/any-schema/use-fixture.ts'

// Foreign keys that share columns with each other, and with the id: what moves one of them moves no other.

const api = useFixture('tenants')

async function twoTenants() {
  const [a, b] = [crypto.randomUUID(), crypto.randomUUID()]
  for (const id of [a, b]) await api.create('tenants', { name: id }, {}, { id })
  const employee = (tenant: string, number: number) =>
    api.create('employees', { number, name: `${number}` }, { tenant: toOne('tenants', tenant) })
  return { a, b, anna: await employee(a, 1), anton: await employee(a, 2), berta: await employee(b, 1) }
}

const patch = (url: string, body: object) => api.ask('PATCH', url, body)
const unfit = (detail: string) => [
  { status: '422', title: 'Unprocessable Entity', code: 'fitting', detail, source: { pointer: '/data' } },
]

test('two relations of a new resource have to agree', async () => {
  const { a, berta, anna } = await twoTenants()
  const project = (lead: string) =>
    api.ask('POST', '/projects', {
      data: {
        type: 'projects',
        attributes: { title: 'p' },
        relationships: { tenant: toOne('tenants', a), lead: toOne('employees', lead) },
      },
    })
  const refused = await project(berta)
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    unfit('The tenant relation does not fit the lead relation.'),
  ])
  expect((await project(anna)).status).toBe(201)
})

test('a relation does not take others along, but for those that are sent with it', async () => {
  const { a, b, anna, anton, berta } = await twoTenants()
  const tied = { tenant: toOne('tenants', a), lead: toOne('employees', anna), deputy: toOne('employees', anton) }
  const id = await api.create('projects', { title: 'q' }, tied)
  const alone = await patch(`/projects/${id}/relationships/lead`, toOne('employees', berta))
  const relationships = { tenant: toOne('tenants', b), lead: toOne('employees', berta) }
  const data = { type: 'projects', id, relationships }
  const half = await patch(`/projects/${id}`, { data })
  const all = await patch(`/projects/${id}`, {
    data: { ...data, relationships: { ...relationships, deputy: toOne('employees', null) } },
  })
  expect([alone.status, half.status, all.status]).toEqual([422, 422, 200])
  expect(half.body.errors).toEqual(unfit('The tenant relation does not fit the deputy relation.'))
  expect([
    await api.linkage(`/projects/${id}/relationships/tenant`),
    await api.linkage(`/projects/${id}/relationships/lead`),
    await api.linkage(`/projects/${id}/relationships/deputy`),
  ]).toEqual([{ type: 'tenants', id: b }, { type: 'employees', id: berta }, null])
})

test('emptying a relation keeps the columns that others need', async () => {
  const { a, anna, anton } = await twoTenants()
  const id = await api.create(
    'projects',
    { title: 'r' },
    { tenant: toOne('tenants', a), lead: toOne('employees', anna), deputy: toOne('employees', anton) },
  )
  const { status } = await patch(`/projects/${id}/relationships/deputy`, toOne('employees', null))
  expect([status, await api.linkage(`/projects/${id}/relationships/tenant`)]).toEqual([200, { type: 'tenants', id: a }])
})

test('a relation that is partly the id moves inside of it', async () => {
  const { anna, anton, berta } = await twoTenants()
  const url = `/employees/${encodeURIComponent(anton)}/relationships/manager`
  const inside = await patch(url, toOne('employees', anna))
  const outside = await patch(url, toOne('employees', berta))
  const none = await patch(url, toOne('employees', null))
  expect([inside.status, outside.status, none.status]).toEqual([200, 422, 200])
  expect(outside.body.errors).toEqual(unfit('The manager relation would change the id of the resource.'))
})

test('a resource whose id is the relation stays where it is', async () => {
  const { a, b, anna } = await twoTenants()
  const own = await api.ask('PATCH', `/employees/${encodeURIComponent(anna)}/relationships/tenant`, toOne('tenants', b))
  const list = await api.ask('POST', `/tenants/${b}/relationships/employees`, to('employees', anna))
  expect([own.status, own.allow, list.status, list.allow]).toEqual([403, null, 403, null])
  expect(await api.linkage(`/employees/${encodeURIComponent(anna)}/relationships/tenant`)).toEqual({
    type: 'tenants',
    id: a,
  })
})

test('a list does not draw in what other relations tie', async () => {
  const { a, anna, anton, berta } = await twoTenants()
  const id = await api.create(
    'projects',
    { title: 's' },
    { tenant: toOne('tenants', a), lead: toOne('employees', anna) },
  )
  const url = (employee: string) => `/employees/${encodeURIComponent(employee)}/relationships/leads`
  const away = await api.ask('POST', url(berta), to('projects', id))
  const inside = await api.ask('POST', url(anton), to('projects', id))
  expect([away.status, inside.status]).toEqual([409, 204])
  expect(await api.linkage(url(anton))).toEqual(to('projects', id).data)
})
