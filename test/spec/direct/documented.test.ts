import { JsonApiError, type PrismApi, type Serving, type User } from 'prismapi'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { users } from '../../support/api.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// What docs/outside-http.md shows.

/** The API, once it is made: hooks are found before. */
const running: { api: PrismApi } = { api: undefined as never }
let isTagging = false

class Tagging extends V1 {
  override serving(phase: Serving): void {
    super.serving(phase)
    if (!isTagging) return
    phase.created('Post', async ({ slug }, _event) => {
      await running.api.asSystem('tagging', { server: 'v1' }).create('Tag', { name: slug })
    })
  }
}

// A machine that is busy ends no transaction.
const transactions = { timeout: 60_000, holdMilliseconds: 60_000 }
const example = useServers(async () => ({ ...(await exampleWith(Tagging)), transactions }))

let api: PrismApi
let user: User
beforeAll(async () => {
  api = example.api
  running.api = api
  const select = { id: true, name: true, email: true, role: true }
  user = await example.db.user.findUniqueOrThrow({ where: { id: users.editor }, select })
})
beforeEach(() => {
  isTagging = false
})

test('a user acts', async () => {
  const told: unknown[] = []
  const console = { log: (...words: readonly unknown[]) => told.push(words) }
  const caller = api.as(user, { server: 'v1' })

  const post = await caller.create('Post', { title: 'One', slug: 'one', content: 'Text', tags: [1, 2] })
  await caller.update('Post', post.id, { publishedAt: new Date() })
  for await (const { id, title } of caller.list('Post', { filter: { author: user.id } })) console.log(id, title)
  expect(told).toContainEqual([post.id, 'One'])
})

test('a job acts', async () => {
  const job = api.asSystem('nightly invoices', { server: 'v1' })

  await job.create('Tag', { name: 'overdue' })
  expect(await example.db.tag.count({ where: { name: 'overdue' } })).toBe(1)
})

describe('a row', () => {
  test('is read', async () => {
    const post = await api
      .as(null, { server: 'v1' })
      .find('Post', 1, { include: ['author'], fields: { User: ['name'] } })
    expect(post).toMatchObject({ type: 'posts', id: '1', author: { type: 'users', name: expect.any(String) } })
    expect(Object.keys(post.author ?? {})).toEqual(['type', 'id', 'name'])
  })

  test('is changed', async () => {
    const caller = api.as(user, { server: 'v1' })
    const read = await caller.find('Post', 1)
    await caller.update('Post', read, { title: 'Changed', publishedAt: new Date('2026-01-01') }, { ifMatch: read })
    const late = caller.update('Post', read, { title: 'Too late' }, { ifMatch: read })
    await expect(late).rejects.toMatchObject({ status: 412 })
    const fields = { title: 'Once', slug: 'only-once', content: 'Text' }
    const first = await caller.create('Post', fields, { idempotencyKey: 'job-4711' })
    expect(await caller.create('Post', fields, { idempotencyKey: 'job-4711' })).toEqual(first)
  })
})

test('rows are asked for', async () => {
  const posts = await api.as(user, { server: 'v1' }).list('Post', {
    filter: { title: { contains: '1' }, or: [{ synopsis: null }, { author: user.id }] },
    sort: ['-createdAt', 'id'],
    include: ['author'],
    page: { number: 1, size: 1 },
  })
  const { meta, next } = posts
  expect(posts).toHaveLength(1)
  expect({ meta, next }).toMatchObject({ meta: { page: { currentPage: 1 } }, next: { number: 2, size: 1 } })
})

test('an error is that of HTTP', async () => {
  const told: unknown[] = []
  const console = { log: (...words: readonly unknown[]) => told.push(words) }
  try {
    await api.as(null, { server: 'v1' }).create('Post', { title: '' })
  } catch (error) {
    if (error instanceof JsonApiError) console.log(error.status, error.errors)
  }
  expect(told).toMatchObject([[403, [{ status: '403' }]]])
})

test('several calls are one transaction', async () => {
  await api.asSystem('import', { server: 'v1' }).transaction(async (within) => {
    const tag = await within.create('Tag', { name: 'imported' })
    await within.link('Post', 1, 'tags', tag)
  })
  expect(await example.db.post.count({ where: { id: 1, tags: { some: { name: 'imported' } } } })).toBe(1)
})

test('a hook acts in the transaction of its write', async () => {
  isTagging = true
  await api.as(user, { server: 'v1' }).create('Post', { title: 'Tagged', slug: 'tagged-post', content: 'Text' })
  expect(await example.db.tag.count({ where: { name: 'tagged-post' } })).toBe(1)
})
