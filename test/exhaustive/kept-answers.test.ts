import { randomFrom } from '@prismapi/testing/internal/kit/random'
import { type ModelName, Server, type Serving } from 'prismapi'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseNumber } from '../../scripts/number-option.ts'
import { users } from '../support/api.ts'
import { openTestDatabase, provider } from '../support/database.ts'
import { keptCounter } from '../support/kept-answers.ts'
import { isNight } from '../support/night.ts'
import { randomQueries, urlOf } from '../support/price/random-queries.ts'
import { samplesOf } from '../support/price/samples.ts'
import { addPost } from '../support/rows.ts'
import { type Running, startServers, theExample } from '../support/servers.ts'

// A server that keeps answers beside one that keeps none, over the same rows: the same bytes to everybody, whatever is written meanwhile.

// FC_SEED draws other questions, and repeats a run.
const seed = parseNumber('FC_SEED', process.env.FC_SEED, { otherwise: 1, from: 0 })
const rounds = isNight ? 4000 : 600

/** The example's types, whose scope names no clock. */
class Own extends Server {
  override readonly name = 'v1'
  override readonly models: readonly ModelName[] = ['User', 'Post', 'Tag', 'Video', 'Comment', 'Profile']

  override serving(phase: Serving): void {
    const { user } = phase
    if (user?.role === 'EDITOR' || user?.role === 'ADMIN') return
    const published = { publishedAt: { lt: new Date(Date.UTC(2026, 0)) } }
    phase.scope('Post', user ? { OR: [published, { authorId: user.id }] } : published)
  }
}

let database: Awaited<ReturnType<typeof openTestDatabase>>
let [keeping, plain]: Running[] = []
const { counts, telemetry } = keptCounter()
beforeAll(async () => {
  database = await openTestDatabase()
  const { policies, servers } = await theExample()
  const [v1] = servers
  const parts = { policies, servers: [{ ...v1, server: Own } as never] }
  keeping = await startServers(database, { ...parts, telemetry })
  plain = await startServers(database, { ...parts, keptAnswers: false })
})
afterAll(async () => {
  await keeping?.close()
  await plain?.close()
  await database.close()
})

const callers = [null, users.admin, users.editor, users.member3, users.member4] as const

async function told(running: Running, caller: number | null, path: string) {
  const { status, headers, text } = await running.as(caller)('GET', path)
  return { path, caller, status, text, headers: [...headers].filter(([name]) => name !== 'date') }
}

test('the same bytes to everybody, whoever writes in between', async () => {
  console.info(`Kept answers: FC_SEED=${seed}`)
  const random = randomFrom(seed)
  const below = (most: number) => Math.floor(random() * most)
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T
  const { writer } = database
  const [server] = (keeping as Running).api.servers
  if (!server) throw new Error('There is a server.')
  const questions = randomQueries(server, await samplesOf(server, writer), seed)
  const paths = Array.from({ length: 12 }, () => urlOf(server, questions.next()))
  for (const type of ['posts/1', 'posts/2/author', 'posts/1/relationships/tags', 'users/3', 'tags/1/posts'])
    paths.push(`/api/v1/${type}`)
  const posts = (await writer.post.findMany({ select: { id: true } })).map(({ id }) => id)
  const writes = [
    (n: number) => writer.post.update({ where: { id: pick(posts) }, data: { title: `The ${n}th` } }),
    (n: number) =>
      writer.post.update({ where: { id: pick(posts) }, data: { publishedAt: n % 2 ? null : new Date(0) } }),
    (n: number) => writer.post.update({ where: { id: pick(posts) }, data: { authorId: 1 + (n % 4) } }),
    (n: number) => writer.user.update({ where: { id: users.editor }, data: { role: n % 2 ? 'MEMBER' : 'EDITOR' } }),
    (n: number) =>
      writer.tag.update({
        where: { id: 1 },
        data: { posts: { [n % 2 ? 'connect' : 'disconnect']: { id: pick(posts) } } },
      }),
    (n: number) => writer.user.update({ where: { id: users.member3 }, data: { name: `Member ${n}` } }),
  ]
  // Few are asked often, and many seldom.
  const hot = () => paths[Math.floor(paths.length * random() ** 3)] as string
  for (let n = 0; n < rounds; n++) {
    if (random() < 0.03) await pick(writes)(n)
    const [caller, path] = [pick(callers), hot()]
    const expected = await told(plain as Running, caller, path)
    expect(await told(keeping as Running, caller, path), `FC_SEED=${seed}`).toEqual(expected)
  }
  // PostgreSQL counts the transactions of all its databases together, those of other tests among them.
  expect(counts.found).toBeGreaterThan(provider === 'sqlite' ? rounds / 20 : 0)
  expect(counts.missed).toBeGreaterThan(rounds / 40)
})

test('what a client has been told is written is in each answer that is asked for afterwards', async () => {
  const { id } = await addPost(database.writer)
  const path = `/api/v1/posts/${id}`
  const ask = (keeping as Running).as(users.admin)
  let committed = 0
  let isOver = false
  const before = counts.found
  await database.writer.post.update({ where: { id }, data: { synopsis: '0' } })
  const reading = Array.from({ length: 6 }, async () => {
    while (!isOver) {
      const least = committed
      const { body } = await ask('GET', path)
      expect(Number(body.data.attributes.synopsis)).toBeGreaterThanOrEqual(least)
    }
  })
  for (let n = 1; n <= 25; n++) {
    const data = { synopsis: String(n) }
    if (n % 2) await database.writer.post.update({ where: { id }, data })
    else await ask('PATCH', path, { body: { data: { type: 'posts', id: String(id), attributes: data } } })
    committed = n
    for (let asked = 0; asked < 6; asked++) await ask('GET', path)
  }
  isOver = true
  await Promise.all(reading)
  if (provider === 'sqlite') expect(counts.found).toBeGreaterThan(before)
})
