import type { Serving } from 'prismapi'
import { expect, test } from 'vitest'
import { toOne, useFixture } from '../../support/any-schema/use-fixture.ts'

// A part of an id that is a relation to a unique that is no id.

let hidden: object = {}
const api = useFixture('strangers', {
  serving(phase: Serving) {
    const { scope } = phase as unknown as Record<string, (model: string, where: object) => void>
    scope?.('Depot', hidden)
  },
})

const patch = async (id: string, depot: object) =>
  (await api.ask('PATCH', `/bays/${id}`, { data: { type: 'bays', id, relationships: { depot } } })).status

test('is taken as it is, and as nothing else', async () => {
  const [north, south] = [await api.create('depots', { code: 'n' }), await api.create('depots', { code: 's' })]
  const id = await api.create('bays', { number: 1 }, { depot: toOne('depots', north) })
  expect([id, await patch(id, toOne('depots', north)), await patch(id, toOne('depots', south))]).toEqual([
    'n_1',
    200,
    403,
  ])
  expect(await patch(id, toOne('depots', null))).toBe(403)
  hidden = { code: 's' }
  // It is shown as null now, and can be sent back so.
  expect([await api.linkage(`/bays/${id}/relationships/depot`), await patch(id, toOne('depots', null))]).toEqual([
    null,
    200,
  ])
})
