import { Schema } from 'prismapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '../../support/api.ts'
import { openTestDatabase } from '../../support/database.ts'
import { openServer } from '../../support/open-server.ts'
import { browserAccept, formIn } from '../../support/pages.ts'
import { identifier } from '../../support/row-documents.ts'
import { addPost } from '../../support/rows.ts'
import { type Database, type Running, startServers, theExample } from '../../support/servers.ts'
import { clientsOf } from '../../support/transactions/clients-around.ts'

// No request waits for a connection while it has one, whatever the server still has to find out: it may be the last.

const atomic = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
const all = '?include=author,tags,comments'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

/** Does the work with a server that has only begun, so that it knows nothing of its database. */
async function cold(connections: number, work: (running: Running) => Promise<void>): Promise<void> {
  const { policies, servers } = await theExample()
  const clients = await clientsOf(database, { connections, connectMilliseconds: 3000 })
  const plain = openServer('plain', { Post: Schema<'Post'>, Tag: Schema<'Tag'>, User: Schema<'User'> })
  const running = await startServers(clients, { clients, policies, servers: [...servers, plain], production: false })
  try {
    await work(running)
  } finally {
    await running.close()
    await clients.close()
  }
}

const tags = (...ids: readonly number[]) => ids.map((id) => identifier('tags', id))
const unique = () => `cold ${Math.random()}`.replace('.', '')

type Door = (running: Running, postId: number) => Promise<{ readonly status: number }>
const ask =
  (method: string, path: (postId: number) => string, body?: (postId: number) => object, headers = {}): Door =>
  (running, postId) =>
    running.as(users.admin)(method, path(postId), { headers, ...(body && { body: body(postId) }) })

const doors: Readonly<Record<string, Door>> = {
  'a collection with all that it can show': ask('GET', () => `/api/v1/posts${all}`),
  'a resource': ask('GET', (id) => `/api/v1/posts/${id}${all}`),
  'a relationship': ask('GET', (id) => `/api/v1/posts/${id}/relationships/tags`),
  'a new resource': ask(
    'POST',
    () => `/api/v1/tags?include=posts`,
    () => ({
      data: { type: 'tags', attributes: { name: unique() } },
    }),
  ),
  'a resource that changes': ask(
    'PATCH',
    (id) => `/api/v1/posts/${id}${all}`,
    (id) => ({
      data: { ...identifier('posts', id), attributes: { title: 'Cold' }, relationships: { tags: { data: tags(1) } } },
    }),
  ),
  'a relationship that changes': ask(
    'PATCH',
    (id) => `/api/v1/posts/${id}/relationships/tags`,
    () => ({
      data: tags(1, 2),
    }),
  ),
  'what is added to a relationship': ask(
    'POST',
    (id) => `/api/v1/posts/${id}/relationships/tags`,
    () => ({
      data: tags(3),
    }),
  ),
  'a request that is kept': ask(
    'POST',
    () => '/api/v1/tags?include=posts',
    () => ({ data: { type: 'tags', attributes: { name: unique() } } }),
    { 'Idempotency-Key': 'cold' },
  ),
  'an action': ask('POST', (id) => `/api/v1/posts/${id}/-actions/publish?include=author,tags`),
  operations: ask(
    'POST',
    () => '/api/v2/operations',
    (id) => ({
      'atomic:operations': [
        { op: 'add', data: { type: 'tags', attributes: { name: unique() } } },
        { op: 'update', ref: { ...identifier('posts', id), relationship: 'tags' }, data: tags(2) },
      ],
    }),
    { 'Content-Type': atomic, Accept: atomic },
  ),
  'a page': ({ at }) => fetch(`${at}/api/plain/posts`, { headers: { Accept: browserAccept } }),
  async 'a form'({ at }, postId) {
    const accepted = { Accept: browserAccept, 'Sec-Fetch-Site': 'same-origin' }
    const page = await fetch(`${at}/api/plain/posts/${postId}/relationships/tags`, { headers: accepted })
    const { action, fields } = formIn(await page.text(), 'replace')
    const body = new URLSearchParams(fields)
    const { status } = await fetch(at + action, { method: 'POST', body, headers: accepted, redirect: 'manual' })
    return { status: status === 303 ? 200 : status }
  },
}

describe('with one connection, right after the start', () => {
  test.each(Object.entries(doors))('%s', async (_, door) => {
    const { id } = await addPost(database.writer, { publishedAt: null })
    await cold(1, async (running) => {
      expect((await door(running, id)).status).toBeLessThan(300)
    })
  })
})

test.each([10, 1])('a dozen changes of one relationship at once, right after the start, of %i', async (connections) => {
  const { id } = await addPost(database.writer)
  await cold(connections, async ({ as }) => {
    const sent = Array.from({ length: 12 }, (_, n) =>
      as(users.admin)('PATCH', `/api/v1/posts/${id}/relationships/tags`, { body: { data: tags(1 + (n % 6)) } }),
    )
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(sent.map(() => 200))
  })
})
