import { Schema } from 'prismapi'
import { beforeAll, describe, expect, test } from 'vitest'
import { provider } from '../support/database.ts'
import { openServer } from '../support/open-server.ts'
import { identifier } from '../support/row-documents.ts'
import { addPost } from '../support/rows.ts'
import { useServers } from '../support/servers.ts'

// However many links one request changes, they are a statement for each thousand, others have their turn meanwhile, and the time of a
// transaction ends it.

const limits = { linkage: 1e6, bodyBytes: 1e9, cost: 1e9, resources: 1e6, documentBytes: 1e9 }
const schemas = { Post: Schema<'Post'>, Tag: Schema<'Tag'>, User: Schema<'User'> }
const parts = { policies: new Map(), production: false, servers: [openServer('plain', schemas, { limits })] }
const patience = { timeout: 60_000, holdMilliseconds: 60_000 }
const servers = useServers(() => ({ ...parts, transactions: patience }))
const count = 20_000
let tags: readonly number[]
beforeAll(async () => {
  const names = Array.from({ length: count }, (_, n) => ({ name: `many ${n}` }))
  for (const from of [0, count / 2]) await servers.db.tag.createMany({ data: names.slice(from, from + count / 2) })
  const found = await servers.db.tag.findMany({ where: { name: { startsWith: 'many' } }, orderBy: { id: 'asc' } })
  tags = found.map(({ id }) => id)
})

const send = (method: string, postId: number, ids: readonly number[], to: Pick<typeof servers, 'as'> = servers) =>
  to.as(null)(method, `/api/plain/posts/${postId}/relationships/tags`, {
    body: { data: ids.map((id) => identifier('tags', id)) },
  })
const linked = async (postId: number, of: Pick<typeof servers, 'db'> = servers) => {
  const found = await of.db.tag.findMany({ where: { posts: { some: { id: postId } } }, orderBy: { id: 'asc' } })
  return found.map(({ id }) => id)
}

describe('three thousand links', () => {
  test.each<[string, (ids: readonly number[]) => { readonly before: number[]; readonly after: number[] }]>([
    ['PATCH', (ids) => ({ before: ids.slice(0, 2000), after: ids.slice(1000) })],
    ['POST', (ids) => ({ before: ids.slice(0, 1500), after: [...ids] })],
    ['DELETE', (ids) => ({ before: [...ids], after: [] })],
  ])('are changed by a few statements: %s', async (method, plan) => {
    const ids = tags.slice(0, 3000)
    const { before, after } = plan(ids)
    const { id } = await addPost(servers.db)
    await send('PATCH', id, before)
    expect(await linked(id)).toEqual(before)
    const queries = await servers.queriesOf(async () => {
      const sent = method === 'PATCH' ? after : ids
      expect((await send(method, id, [...sent, ...sent.slice(0, 5)])).status).toBeLessThan(300)
    })
    expect(await linked(id)).toEqual(after)
    const changes = queries.filter((sql) => /^\s*(INSERT|DELETE)/i.test(sql))
    expect(changes.length).toBeLessThanOrEqual(4)
    // Beside the look-ups of what the identifiers name.
    expect(queries.length - changes.length).toBeLessThan(25)
  })

  test('one of which has no resource change nothing', async () => {
    const { id } = await addPost(servers.db)
    expect((await send('PATCH', id, [...tags.slice(0, 3000), 99_999_999])).status).toBe(404)
    expect(await linked(id)).toEqual([])
  })
})

test('others have their turn while twenty thousand links change', { timeout: 60_000 }, async () => {
  const { id } = await addPost(servers.db)
  let isDone = false
  const changing = send('PATCH', id, tags).finally(() => {
    isDone = true
  })
  let answered = 0
  while (!isDone) {
    await servers.as(null)('GET', '/api/plain/tags/1')
    if (!isDone) answered++
  }
  expect((await changing).status).toBe(200)
  expect(await linked(id)).toEqual(tags)
  expect(answered).toBeGreaterThan(4)
})

/** The most CPU time, of all of the process, between two turns of the event loop, in milliseconds. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  let longest = 0
  let before = process.cpuUsage()
  const look = () => {
    const { user, system } = process.cpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
    before = process.cpuUsage()
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await work()
  isOver = true
  return longest
}

test.each(['POST', 'DELETE', 'PATCH'])(
  'others have their turn while the resources that %s names are looked up',
  { timeout: 60_000 },
  async (method) => {
    const { id } = await addPost(servers.db)
    // Each is looked up, and half of them are not there.
    const named = [...tags, ...tags.map((tag) => tag + 10_000_000)]
    const longest = await longestTurn(async () => {
      const { status, body } = await send(method, id, named)
      expect({ status, errors: body.errors.length }).toEqual({ status: 404, errors: 1000 })
    })
    expect(longest).toBeLessThan(250)
  },
)

// Elsewhere a transaction that takes long keeps no other writer waiting.
describe.runIf(provider === 'sqlite')('on SQLite', () => {
  const brief = useServers(() => ({ ...parts, transactions: { holdMilliseconds: 40 } }))

  test('a change of links that takes too long is 503, and undone', { timeout: 60_000 }, async () => {
    const { id } = await addPost(brief.db)
    const names = Array.from({ length: count }, (_, n) => ({ name: `many ${n}` }))
    for (const from of [0, count / 2]) await brief.db.tag.createMany({ data: names.slice(from, from + count / 2) })
    const found = await brief.db.tag.findMany({ where: { name: { startsWith: 'many' } } })
    const { status, headers } = await send(
      'PATCH',
      id,
      found.map((tag) => tag.id),
      brief,
    )
    expect({ status, after: headers.get('Retry-After') }).toEqual({ status: 503, after: '1' })
    expect(await linked(id, brief)).toEqual([])
  })
})
