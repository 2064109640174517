import { afterAll, beforeAll, expect, test } from 'vitest'
import { openThings, type Things } from '../support/postgres-things/things.ts'

// Columns that the database computes, and takes no value for.

let things: Things
let served: Awaited<ReturnType<Things['serve']>>

beforeAll(async () => {
  things = await openThings()
  await things.execute('ALTER TABLE "Priced" DROP COLUMN gross')
  await things.execute('ALTER TABLE "Priced" ADD COLUMN gross integer GENERATED ALWAYS AS (net * 2) STORED')
  served = await things.serve()
})
afterAll(() => things.close())

const body = (attributes: object, id?: string) => ({ data: { type: 'priceds', ...(id && { id }), attributes } })

test('a value for it is ignored, as for every read-only attribute', async () => {
  const created = await served.ask('POST', '/priceds', body({ net: 5, gross: 1, note: 'mine' }))
  expect([created.status, created.body.data?.attributes]).toEqual([201, { net: 5, gross: 10, note: 'mine' }])
  const { id } = created.body.data
  const patch = async (attributes: object) => {
    const { status, body: answer } = await served.ask('PATCH', `/priceds/${id}`, body(attributes, id))
    return [status, answer.data?.attributes]
  }
  expect(await patch({ net: 7, gross: 10 })).toEqual([200, { net: 7, gross: 14, note: 'mine' }])
  expect(await patch({ gross: 3 })).toEqual([200, { net: 7, gross: 14, note: 'mine' }])
  expect(await patch({ net: 8, gross: 3, note: 'other' })).toEqual([200, { net: 8, gross: 16, note: 'other' }])
})
