import { expect, test } from 'vitest'
import { theExample, useServers } from '../../support/servers.ts'

const api = useServers(async () => ({ ...(await theExample()), rows: { Comment: 100_000_000 } }))

test('the first request to a server has the price that the sizes of tables make', async () => {
  const search = '/api/v1/comments?filter[content][contains]=zzz'
  const [first, second] = await Promise.all([api.as(null)('GET', search), api.as(null)('GET', search)])
  const source = { parameter: 'filter[content][contains]' }
  const refused = { status: 400, body: { errors: [{ status: '400', source }] } }
  expect([first, second]).toMatchObject([refused, refused])
})
