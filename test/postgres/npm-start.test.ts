import { expect, test } from 'vitest'
import { signToken } from '../../src/app/auth.ts'
import { freePort, startServer } from '../support/npm-start.ts'
import { useClone, useOwnDatabase } from '../support/postgres-clone.ts'

// The example on PostgreSQL, for which nothing is done but to name the database.

const secret = 'a secret of the tests that is long enough'
const database = useOwnDatabase()
const clone = useClone()

async function start() {
  const port = await freePort()
  const { said, stop } = await startServer(clone.folder, port, { DATABASE_URL: database.url, AUTH_SECRET: secret })
  const lines = said.split('\n').filter((line) => line !== '' && !line.startsWith('>'))
  return { at: `http://127.0.0.1:${port}/api/v1`, lines, stop }
}

test('`npm start` generates, migrates, seeds and serves; the second time it only serves', async () => {
  const first = await start()
  expect(first.lines).toEqual([
    'prisma/generated is for postgresql now.',
    expect.stringMatching(new RegExp(`^Migrations applied to postgres(ql)?://\\S+/${database.name}: \\d+\\.$`)),
    `prismapi listens on ${first.at}`,
  ])
  const posts = await fetch(`${first.at}/posts?page[size]=1`)
  expect(await posts.json()).toMatchObject({ meta: { page: { total: 48 } } })
  await first.stop()

  const second = await start()
  expect(second.lines).toEqual([`prismapi listens on ${second.at}`])
  // The seed names its ids, and PostgreSQL goes on behind them.
  const type = 'application/vnd.api+json'
  const created = await fetch(`${second.at}/tags`, {
    method: 'POST',
    headers: { Accept: type, 'Content-Type': type, Authorization: `Bearer ${await signToken(1, secret)}` },
    body: JSON.stringify({ data: { type: 'tags', attributes: { name: 'one more' } } }),
  })
  expect({ status: created.status, id: ((await created.json()) as { data: { id: string } }).data.id }).toEqual({
    status: 201,
    id: '13',
  })
  await second.stop()
})
