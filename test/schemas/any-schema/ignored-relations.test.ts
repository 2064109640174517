import { expect, test } from 'vitest'
import { useFixture } from '../../support/any-schema/use-fixture.ts'

const api = useFixture('skipped')

test('the foreign key of a relation that is ignored is written like any other attribute, and leads to a row', async () => {
  const [first, second] = [await api.create('customers', { name: 'a' }), await api.create('customers', { name: 'b' })]
  const at = '2026-01-31T09:30:00.000Z'
  const id = await api.create('visits', { at, customerId: Number(first) })
  const patch = (customerId: number) =>
    api.ask('PATCH', `/visits/${id}`, { data: { type: 'visits', id, attributes: { customerId } } })
  const [moved, lost] = [await patch(Number(second)), await patch(99)]
  expect([moved.status, moved.body.data.attributes, moved.body.data.relationships]).toEqual([
    200,
    { at, customerId: Number(second) },
    undefined,
  ])
  expect(lost.status).toBe(409)
})
