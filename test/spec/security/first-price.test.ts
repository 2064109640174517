import { expect, test } from 'vitest'
import { type Provider, provider } from '../../support/database.ts'
import { theExample, useServers } from '../../support/servers.ts'

const api = useServers(theExample)

/** As if there were a hundred million comments. */
const grow: Partial<Record<Provider, string>> = {
  sqlite: `INSERT INTO "Comment" ("id", "content", "authorId", "postId") VALUES (100000000, 'last', 1, 1)`,
  postgresql: `UPDATE pg_class SET reltuples = 100000000 WHERE oid = '"Comment"'::regclass`,
}

test('the first request to a server has the price that the sizes of tables make', async () => {
  await api.db.$executeRawUnsafe(grow[provider] ?? '')
  const search = '/api/v1/comments?filter[content][contains]=zzz'
  const [first, second] = await Promise.all([api.as(null)('GET', search), api.as(null)('GET', search)])
  const source = { parameter: 'filter[content][contains]' }
  const refused = { status: 400, body: { errors: [{ status: '400', source }] } }
  expect([first, second]).toMatchObject([refused, refused])
})
