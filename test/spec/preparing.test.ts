import type { Serving, User } from 'prismapi'
import { beforeEach, expect, test } from 'vitest'
import V2 from '../../src/app/v2/server.ts'
import { users } from '../support/api.ts'
import { fresh } from '../support/idempotency.ts'
import { atomic, path } from '../support/operations.ts'
import { exampleWith, useServers } from '../support/servers.ts'

const prepared: string[] = []
/** What runs while a tag is prepared. */
let meanwhile: () => Promise<unknown> = async () => {}

class Preparing extends V2 {
  override readonly idempotency = { callerOf: ({ id }: User) => String(id) }

  override serving(phase: Serving): void {
    super.serving(phase)
    phase.preparing('Tag', async ({ name = '' }, { action, row, input }) => {
      prepared.push(`${action} ${row?.name ?? ''}>${name} ${input.name}`)
      await meanwhile()
      return { name: `${name}!` }
    })
    phase.saving('Tag', (data) => void prepared.push(`saving ${data.name}`))
  }
}

const api = useServers(() => exampleWith(Preparing))
const admin: ReturnType<typeof api.as> = (...args) => api.as(users.admin)(...args)

beforeEach(() => {
  prepared.length = 0
  meanwhile = async () => {}
})

const named = (name: string, id?: number) => ({
  data: { type: 'tags', ...(id !== undefined && { id: String(id) }), attributes: { name } },
})
const operate = (operations: readonly object[], headers: Readonly<Record<string, string>> = {}) =>
  admin('POST', path, {
    headers: { 'Content-Type': atomic, ...headers },
    body: { 'atomic:operations': operations },
  })
const tagNamed = async () => {
  const name = fresh('prepared')
  return { name, id: (await api.db.tag.create({ data: { name } })).id }
}

test('what the hook returns is filled in, and hooks of the transaction see it', async () => {
  const name = fresh('prepared')
  const created = await admin('POST', '/api/v2/tags', { body: named(name) })
  expect(created).toMatchObject({ status: 201, body: { data: { attributes: { name: `${name}!` } } } })
  const id = Number(created.body.data.id)
  const updated = await admin('PATCH', `/api/v2/tags/${id}`, { body: named(`${name}2`, id) })
  expect(updated).toMatchObject({ status: 200, body: { data: { attributes: { name: `${name}2!` } } } })
  expect(prepared).toEqual([
    `create >${name} ${name}`,
    `saving ${name}!`,
    `update ${name}!>${name}2 ${name}2`,
    `saving ${name}2!`,
  ])
})

test('nothing is prepared for what is not valid', async () => {
  expect(await admin('POST', '/api/v2/tags', { body: named('') })).toMatchObject({ status: 422 })
  expect(await api.as(users.member3)('POST', '/api/v2/tags', { body: named('x') })).toMatchObject({ status: 403 })
  expect(prepared).toEqual([])
})

// On SQLite a write beside an open transaction would wait for it, which waits for the write.
test.each([
  ['a request', (name: string) => admin('POST', '/api/v2/tags', { body: named(name) })],
  [
    'a request with a key',
    (name: string) => admin('POST', '/api/v2/tags', { headers: { 'Idempotency-Key': fresh() }, body: named(name) }),
  ],
  ['operations', (name: string) => operate([{ op: 'add', ...named(name) }])],
  ['operations with a key', (name: string) => operate([{ op: 'add', ...named(name) }], { 'Idempotency-Key': fresh() })],
])('others write while %s prepares, once', async (_, send) => {
  meanwhile = () => api.db.tag.create({ data: { name: fresh('beside') } })
  const name = fresh('prepared')
  expect((await send(name)).status).toBeLessThan(300)
  expect(prepared.filter((each) => each.startsWith('create'))).toEqual([`create >${name} ${name}`])
  expect(await api.db.tag.count({ where: { name: `${name}!` } })).toBe(1)
})

test('each of many operations is prepared once, one that depends on those before it among them', async () => {
  const tags = await Promise.all([tagNamed(), tagNamed(), tagNamed()])
  const lid = { type: 'tags', lid: 'new' }
  meanwhile = () => api.db.tag.create({ data: { name: fresh('beside') } })
  const { status } = await operate([
    ...tags.map(({ name, id }) => ({ op: 'update', ...named(`${name}-2`, id) })),
    { op: 'add', data: { ...lid, attributes: { name: fresh('first') } } },
    { op: 'update', ref: lid, data: { ...lid, attributes: { name: fresh('second') } } },
  ])
  expect(status).toBe(200)
  const done = prepared.filter((each) => !each.startsWith('saving'))
  expect(done).toHaveLength(5)
  expect(new Set(done).size).toBe(5)
  expect(await api.db.tag.count({ where: { name: { in: tags.map(({ name }) => `${name}-2!`) } } })).toBe(3)
})

test('what a hook throws is the answer, and nothing is written', async () => {
  meanwhile = async () => {
    throw new Error('a bug')
  }
  const name = fresh('prepared')
  expect((await admin('POST', '/api/v2/tags', { body: named(name) })).status).toBe(500)
  expect((await operate([{ op: 'add', ...named(name) }])).status).toBe(500)
  expect(await api.db.tag.count({ where: { name: { startsWith: name } } })).toBe(0)
})
