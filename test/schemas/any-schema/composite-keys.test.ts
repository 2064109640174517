import { describe, expect, test } from 'vitest'
import { toOne, useFixture } from '../../support/any-schema/use-fixture.ts'

// Columns that are parts of something: of a foreign key that may be half empty, and of an id.

const api = useFixture('tenants')

const refused = (container: 'attributes' | 'relationships', name: string) => [
  {
    status: '403',
    title: 'Not Supported',
    detail: `The field ${name} is part of the id, which never changes.`,
    source: { pointer: `/data/${container}/${name}` },
  },
]

const commission = async (attributes: object, partner: string | null) => {
  const { status, body } = await api.ask('POST', '/commissions', {
    data: { type: 'commissions', attributes, relationships: { partner: toOne('partners', partner) } },
  })
  return { status, body }
}

test('what is required of a foreign key that may be half empty is an attribute', async () => {
  await api.create('partners', { title: 'first' }, {}, { id: 'summer_ann' })
  const alone = await commission({ programId: 'winter', amount: 1 }, null)
  const linked = await commission({ programId: 'summer', amount: 2 }, 'summer_ann')
  const missing = await commission({ amount: 3 }, null)
  const other = await commission({ programId: 'winter', amount: 4 }, 'summer_ann')
  expect([alone.status, alone.body.data.attributes]).toEqual([201, { programId: 'winter', amount: 1 }])
  expect([linked.status, linked.body.data.attributes.programId]).toEqual([201, 'summer'])
  expect([missing.status, missing.body.errors[0].meta]).toEqual([422, { field: 'programId' }])
  expect([other.status, other.body.errors[0].detail]).toEqual([
    422,
    'The programId field does not fit the partner relation.',
  ])
  const { id } = linked.body.data
  const moved = await api.ask('PATCH', `/commissions/${id}`, {
    data: { type: 'commissions', id, attributes: { programId: 'winter' } },
  })
  expect([moved.status, moved.body.errors[0].detail]).toEqual([
    422,
    'The programId field does not fit the partner relation.',
  ])
  expect((await api.ask('GET', '/commissions?filter[programId]=summer')).body.data).toHaveLength(1)
})

test('a part of an id is taken as it is, and as nothing else', async () => {
  const id = await api.create('partners', {}, {}, { id: 'autumn_bob' })
  const patch = (attributes: object) =>
    api.ask('PATCH', `/partners/${id}`, { data: { type: 'partners', id, attributes } })
  const same = await patch({ programId: 'autumn', title: 'kept' })
  const other = await patch({ programId: 'spring', title: 'lost' })
  const wrong = await patch({ partnerId: 7 })
  expect([same.status, same.body.data.attributes]).toEqual([
    200,
    { programId: 'autumn', partnerId: 'bob', title: 'kept' },
  ])
  expect([other.status, other.body.errors, wrong.status, wrong.body.errors]).toEqual([
    403,
    refused('attributes', 'programId'),
    403,
    refused('attributes', 'partnerId'),
  ])
})

test('a relation that is part of an id is taken as it is, and as nothing else', async () => {
  const [a, b] = [
    await api.create('tenants', { name: 'a' }, {}, { id: 'a' }),
    await api.create('tenants', { name: 'b' }, {}, { id: 'b' }),
  ]
  const id = await api.create('employees', { number: 1, name: 'anna' }, { tenant: toOne('tenants', a) })
  const patch = (tenant: object) =>
    api.ask('PATCH', `/employees/${id}`, { data: { type: 'employees', id, relationships: { tenant } } })
  const [same, other, none] = [
    await patch(toOne('tenants', a)),
    await patch(toOne('tenants', b)),
    await patch(toOne('tenants', null)),
  ]
  expect([same.status, other.status, none.status]).toEqual([200, 403, 403])
  expect([other.body.errors, none.body.errors]).toEqual([
    refused('relationships', 'tenant'),
    refused('relationships', 'tenant'),
  ])
})

const post = (path: string, data: object) => api.ask('POST', `/${path}`, { data: { type: path, ...data } })

describe('the parts of the id of a new resource are', () => {
  const attributes = { programId: 'fall', title: 'new' }

  test.each([
    ['in the id', { id: 'fall_one', attributes: { title: 'new' } }, 'one'],
    ['attributes', { attributes: { ...attributes, partnerId: 'two' } }, 'two'],
    ['both', { id: 'fall_three', attributes: { ...attributes, partnerId: 'three' } }, 'three'],
    ['in the id, and some of them attributes', { id: 'fall_four', attributes }, 'four'],
  ])('%s', async (_, data, partnerId) => {
    const { status, body } = await post('partners', data)
    expect({ status, errors: body.errors, id: body.data?.id, attributes: body.data?.attributes }).toEqual({
      status: 201,
      errors: undefined,
      id: `fall_${partnerId}`,
      attributes: { programId: 'fall', partnerId, title: 'new' },
    })
  })

  test('taken once', async () => {
    const { status, body } = await post('partners', { attributes: { ...attributes, partnerId: 'one' } })
    expect([status, body.errors[0].source]).toEqual([409, { pointer: '/data/id' }])
  })

  const contradicting = (container: 'attributes' | 'relationships', name: string) => ({
    status: '409',
    title: 'Not Supported',
    detail: `The field ${name} does not fit the id, of which it is a part.`,
    source: { pointer: `/data/${container}/${name}` },
  })

  test('not contradicted', async () => {
    const other = await post('partners', { id: 'fall_five', attributes: { ...attributes, partnerId: 'six' } })
    const both = await post('partners', { id: 'fall_five', attributes: { programId: 7, partnerId: 'six' } })
    expect([other.status, other.body.errors, both.status, both.body.errors]).toEqual([
      409,
      [contradicting('attributes', 'partnerId')],
      409,
      [contradicting('attributes', 'programId'), contradicting('attributes', 'partnerId')],
    ])
    expect((await api.ask('GET', '/partners/fall_five')).status).toBe(404)
  })

  test('values of their columns', async () => {
    const { status, body } = await post('partners', { attributes: { ...attributes, partnerId: 7 } })
    expect([status, body.errors]).toEqual([
      422,
      [
        {
          status: '422',
          title: 'Unprocessable Entity',
          code: 'id',
          detail: 'The partnerId field is no part of an id.',
          source: { pointer: '/data/attributes/partnerId' },
        },
      ],
    ])
  })

  test('relationships, which an id may repeat', async () => {
    const tenant = await api.create('tenants', { name: 'repeats' }, {}, { id: 'repeats' })
    const employee = (id: string, number: number, to = tenant) =>
      post('employees', { id, attributes: { number, name: 'x' }, relationships: { tenant: toOne('tenants', to) } })
    const agreeing = await employee('repeats_1', 1)
    const wrong = await employee('repeats_2', 3)
    const elsewhere = await employee('a_4', 4)
    const nowhere = await employee('nobody_5', 5, 'nobody')
    const alone = await post('employees', { id: 'repeats_6', attributes: { number: 6, name: 'x' } })
    expect([agreeing.status, agreeing.body.data?.id]).toEqual([201, 'repeats_1'])
    expect([wrong.status, wrong.body.errors]).toEqual([409, [contradicting('attributes', 'number')]])
    expect([elsewhere.status, elsewhere.body.errors]).toEqual([409, [contradicting('relationships', 'tenant')]])
    expect([nowhere.status, alone.status]).toEqual([404, 403])
  })
})

describe('a scope that Prisma Client alone knows: no target behind a foreign key of several columns', () => {
  const scope = { project: { is: null } }
  const scoped = useFixture('tenants', { serving: (phase) => phase.scope('Task' as never, scope as never) })

  test('a page behind more than a thousand rows is empty', async () => {
    const { status, body } = await scoped.ask('GET', '/tasks?page[number]=1001&page[size]=10')
    expect([status, body.data]).toEqual([200, []])
  })
})
