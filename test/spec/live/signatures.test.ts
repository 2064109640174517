import { requestId, type Serving } from 'prismapi'
import { beforeAll, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { users } from '../../support/api.ts'
import { provider } from '../../support/database.ts'
import { addTag } from '../../support/rows.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// Whose name stands in the log, however the write was done: docs/live.md.

let register: (phase: Serving) => void = () => {}
class Hooked extends V2 {
  override serving(phase: Serving): void {
    super.serving(phase)
    register(phase)
  }
}
const api = useServers(async () => ({ ...(await exampleWith(V2)), before: () => requestId() }))
const hooked = useServers(async () => ({ ...(await exampleWith(Hooked)), transactions: { holdMilliseconds: 500 } }))
beforeAll(async () => {
  for (const { db } of [api, hooked]) await db.user.update({ where: { id: users.editor }, data: { role: 'ADMIN' } })
})
const tag = (name: string, id?: number, relationships: object = {}) => ({
  body: { data: { type: 'tags', ...(id !== undefined && { id: String(id) }), attributes: { name }, relationships } },
  headers: { 'X-Request-Id': name.replaceAll(' ', '-') },
})

const gate = () => {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), passed }
}

test('a write that is one statement is signed without a transaction of Prisma', async () => {
  await api.db.tag.count()
  const { id } = await addTag(api.db)
  const queries = await api.queriesOf(async () => {
    expect((await api.as(users.admin)('PATCH', `/api/v2/tags/${id}`, tag('Signed', id))).status).toBe(200)
    const headers = { 'X-Request-Id': 'Signed-too' }
    expect((await api.as(users.admin)('DELETE', `/api/v2/tags/${id}`, { headers })).status).toBe(204)
  })
  // Prisma shouts.
  const own = queries.flatMap((sql) => /^(?:begin|insert|update|delete|commit)/i.exec(sql) ?? [])
  expect(own).toEqual(['update', 'delete'])
  const changes = await api.db.change.findMany({ orderBy: { id: 'desc' }, take: 2 })
  expect(changes).toMatchObject([
    { key: String(id), action: 'delete', request: 'client:Signed-too', user: '1' },
    { key: String(id), action: 'update', request: 'client:Signed', user: '1' },
  ])
})

test('writers at the same time sign their own changes, and nobody those of SQL by hand', async () => {
  const writers = [users.admin, users.editor, null]
  const rounds = Array.from({ length: 12 }, (_, i) => i)
  const before = await api.db.change.findFirst({ orderBy: { id: 'desc' } })
  const statuses = await Promise.all(
    rounds.flatMap((i) =>
      writers.map(async (user) => {
        const name = `${user} ${i}`
        if (user === null) {
          // On the one connection of a SQLite file, what is in no transaction would be in somebody's.
          await api.db.$transaction(async (db) => {
            const { id } = await db.tag.create({ data: { name } })
            await db.$executeRawUnsafe(`UPDATE "Tag" SET "name" = 'null ${i} by hand' WHERE "id" = ${id}`)
          })
          return []
        }
        const ask = api.as(user)
        const created = await ask('POST', '/api/v2/tags', tag(name))
        const id = Number(created.body.data?.id)
        const taken = await ask('POST', '/api/v2/tags', tag(name))
        const renamed = await ask('PATCH', `/api/v2/tags/${id}`, tag(`${name} renamed`, id))
        const posts = { posts: { data: [{ type: 'posts', id: '1' }] } }
        const related = await ask('PATCH', `/api/v2/tags/${id}`, tag(`${name} related`, id, posts))
        const removed = i % 2 === 0 ? await ask('DELETE', `/api/v2/tags/${id}`) : related
        return [created, taken, renamed, related, removed].map(({ status }) => status)
      }),
    ),
  )
  expect(new Set(statuses.filter((each) => each.length > 0).map(String))).toEqual(
    new Set(['201,422,200,200,204', '201,422,200,200,200']),
  )
  const changes = await api.db.change.findMany({ where: { id: { gt: before?.id ?? 0n }, model: 'Tag' } })
  const names = changes.map(({ before, after, action, user, request }) => {
    const { name } = (after ?? before) as { name: string }
    return {
      by: name.split(' ')[0],
      user: String(user),
      isAsked: action === 'delete' || request === null || request === `client:${name.replaceAll(' ', '-')}`,
    }
  })
  expect(names.filter(({ by, user, isAsked }) => by !== user || !isAsked)).toEqual([])
  expect(names.length).toBe(rounds.length * (3 + 3 + 2) + rounds.length)
})

test.runIf(provider === 'sqlite')('a transaction that took too long signs nothing of the next one', async () => {
  const { id } = await addTag(hooked.db, 'removed meanwhile')
  const [inSlow, inNext, slowIsAnswered] = [gate(), gate(), gate()]
  register = (phase) => {
    phase.saved('Tag', async () => {
      inSlow.open()
      await inNext.passed
    })
    phase.deleted('Tag', async () => {
      inNext.open()
      await slowIsAnswered.passed
    })
  }
  const before = await hooked.db.change.findFirst({ orderBy: { id: 'desc' } })
  const slow = hooked.as(users.editor)('POST', '/api/v2/tags', tag('too slow'))
  await inSlow.passed
  const next = hooked.as(users.admin)('DELETE', `/api/v2/tags/${id}`)
  expect((await slow).status).toBe(503)
  slowIsAnswered.open()
  expect((await next).status).toBe(204)
  const changes = await hooked.db.change.findMany({ where: { id: { gt: before?.id ?? 0n } } })
  expect(changes).toMatchObject([{ model: 'Tag', key: String(id), action: 'delete', user: '1' }])
})
