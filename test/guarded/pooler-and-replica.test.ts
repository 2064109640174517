import pg from 'pg'
import type { ServerParts } from 'prismapi/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GuardedCluster, openGuardedCluster } from '../support/guarded-cluster.ts'
import { Holed, Scoped, withoutIds } from '../support/holed.ts'
import { exampleWith, type Running, startServers } from '../support/servers.ts'

// Sixteen callers at once share three connections of a PgBouncer in transaction mode, to a primary and to a replica. The framework has
// every hole, so an answer is right where the database knows who is asking, and shows another caller's rows where a setting stays.

let cluster: GuardedCluster
let intact: Running
let holed: Running

beforeAll(async () => {
  cluster = await openGuardedCluster()
  const { trusted, guarded } = cluster
  const { policies, servers } = await exampleWith(Holed as ServerParts['server'])
  intact = await startServers(trusted, { ...(await exampleWith(Scoped as ServerParts['server'])), clients: trusted })
  holed = await startServers(trusted, { policies, servers, clients: guarded })
})

afterAll(async () => {
  await holed?.close()
  await intact?.close()
  await cluster?.close()
})

const callers: readonly (number | null)[] = [null, ...Array.from({ length: 15 }, (_, i) => i + 1)]
const paths = [
  '/posts?page[number]=1&page[size]=1',
  '/posts?page[size]=50',
  '/posts/5',
  '/users/8?include=posts',
  '/users/8/posts',
  '/users/8/relationships/posts',
  '/comments?include=commentable',
  '/tags/1?include=posts',
  '/users?filter[posts.slug]=post-5',
].map((path) => `/api/v1${path}`)

type Answered = Readonly<Record<string, string>>

async function ask(server: Running, caller: number | null, asked = paths): Promise<Answered> {
  const answers: Record<string, string> = {}
  for (const path of asked) {
    const { status, text } = await server.as(caller)('GET', path)
    answers[path] = `${status} ${withoutIds(text)}`
  }
  return answers
}

/** Each in an order of its own, so that any two requests of any two callers meet. */
const turned = (by: number): readonly string[] => [
  ...paths.slice(by % paths.length),
  ...paths.slice(0, by % paths.length),
]

test('a setting of a session would be seen by whoever comes next: the pooler is one', async () => {
  const clients = Array.from({ length: 8 }, () => new pg.Client(cluster.primaryPooled))
  for (const client of clients) await client.connect()
  const [first, ...others] = clients as [pg.Client, ...pg.Client[]]
  const pids = await Promise.all(
    clients.map(async (each) => (await each.query('SELECT pg_backend_pid() AS pid')).rows[0].pid),
  )
  expect(new Set(pids).size).toBeLessThanOrEqual(cluster.connections)
  await first.query(`SELECT set_config('prismapi.tested', 'left behind', false)`)
  const seen = []
  for (const client of others)
    seen.push((await client.query(`SELECT current_setting('prismapi.tested', true) AS it`)).rows[0].it)
  expect(seen).toContain('left behind')
  await first.query(`RESET ALL`)
  for (const client of clients) await client.end()
})

test('each of sixteen callers at once is answered as if it were alone', async () => {
  const expected = new Map<number | null, Answered>()
  for (const caller of callers) expected.set(caller, await ask(intact, caller))
  expect(new Set([...expected.values()].map((each) => JSON.stringify(each))).size).toBeGreaterThan(2)
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(callers.map((caller, i) => ask(holed, caller, [...turned(round + i)])))
    for (const [i, caller] of callers.entries()) expect(answers[i], `user ${caller}`).toEqual(expected.get(caller))
  }
}, 300_000)

test('reads are the replica’s, and guarded there', async () => {
  await cluster.onReplica('SELECT pg_wal_replay_pause()')
  try {
    const data = {
      title: 'Written behind the pause',
      slug: 'behind-the-pause',
      content: 'Text',
      publishedAt: new Date(0),
    }
    const { id } = await cluster.trusted.writer.post.create({ data: { ...data, authorId: 8 } })
    const path = `/api/v1/posts/${id}`
    expect((await intact.as(null)('GET', path)).status).toBe(200)
    // What has not come to the replica is not there for who has not written it.
    expect((await holed.as(null)('GET', path)).status).toBe(404)
    expect((await holed.as(null)('GET', '/api/v1/posts/5')).status).toBe(404)
    expect((await holed.as(8)('GET', '/api/v1/posts/5')).status).toBe(200)
    await cluster.trusted.writer.post.delete({ where: { id } })
  } finally {
    await cluster.onReplica('SELECT pg_wal_replay_resume()')
  }
})

test('of sixteen callers who write at once, each changes what is its own', async () => {
  const rows = () => cluster.trusted.writer.user.findMany({ orderBy: { id: 'asc' }, select: { id: true, name: true } })
  const before = await rows()
  const written = callers.flatMap((caller, i) =>
    [3, 4, 5, 6, 7].map(async (id) => {
      const data = { type: 'users', id: `${id}`, attributes: { name: `Written by ${caller} ${i}` } }
      const { status } = await holed.as(caller)('PATCH', `/api/v1/users/${id}`, { body: { data } })
      return { caller, id, status }
    }),
  )
  const answers = await Promise.all(written)
  const taken = answers.filter(({ status }) => status === 200).map(({ caller, id }) => `${caller} ${id}`)
  const mayWrite = (caller: number | null, id: number) => caller === id || caller === 1
  expect(taken.toSorted()).toEqual(
    answers
      .filter(({ caller, id }) => mayWrite(caller, id))
      .map(({ caller, id }) => `${caller} ${id}`)
      .toSorted(),
  )
  const after = await rows()
  const changed = after.filter(({ name }, i) => name !== before[i]?.name)
  expect(changed.map(({ id }) => id)).toEqual([3, 4, 5, 6, 7])
  for (const { id, name } of changed) expect([`Written by ${id} ${id}`, 'Written by 1 1']).toContain(name)
})

test('no connection of a pooler keeps who has asked', async () => {
  const kept = `SELECT current_user AS role, current_setting('prismapi.caller', true) AS caller, current_setting('prismapi.written', true) AS written`
  for (const url of [cluster.primaryPooled, cluster.replicaPooled]) {
    const clients = Array.from({ length: 8 }, () => new pg.Client(url))
    for (const client of clients) await client.connect()
    const found = await Promise.all(clients.map(async (client) => (await client.query(kept)).rows[0]))
    for (const { role, caller, written } of found)
      expect([role, caller ?? '', written ?? '']).toEqual(['prismapi_test_guarded', '', ''])
    for (const client of clients) await client.end()
  }
})
