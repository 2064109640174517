import { ResourceRequest, Schema, type Serving, string } from 'prismapi'
import type { Validator } from 'prismapi/rules'
import { afterEach, describe, expect, test } from 'vitest'
import { expectErrors, invalid, notFound } from '../support/answers.ts'
import { provider } from '../support/database.ts'
import { isGuarded } from '../support/guarded.ts'
import { openServer } from '../support/open-server.ts'
import { useServers } from '../support/servers.ts'

// A new row that names another one: where a foreign key of the database is sure to refuse it, nobody looks for the other one before.

const seen: unknown[] = []

class Validated extends ResourceRequest<'Post'> {
  override withValidator(validator: Validator) {
    validator.after(() => void seen.push(validator.data.author))
  }
}

class Unruled extends ResourceRequest<'Video'> {
  override rules() {
    return this.checked({ title: string().required(), url: string().required() })
  }
}

class ReadOnly extends Schema<'Video'> {
  override fields() {
    return [this.relation('owner').asReadOnly()]
  }
}

const models = { Post: Schema, User: Schema, Comment: Schema } as const
const videos = { Video: Schema, User: Schema } as const
const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    openServer('open', models),
    openServer('prisma', models, { reads: 'prisma' }),
    openServer('scoped', models, { serving: (phase: Serving) => phase.scope('User', { id: { lt: 4 } }) }),
    openServer('hooked', models, { serving: (phase: Serving) => phase.creating('Post', () => ({})) }),
    openServer('validated', models, { requests: { Post: { request: Validated as never } } }),
    openServer('unruled', videos, { requests: { Video: { request: Unruled as never } } }),
    openServer('readonly', { ...videos, Video: ReadOnly }),
  ],
}))

let made = 0
const create = (server: string, author: number | string, attributes: object = {}) => {
  const slug = `left-${server}-${made++}`
  const relationships = { author: { data: { type: 'users', id: String(author) } } }
  return servers.as(null)('POST', `/api/${server}/posts`, {
    body: { data: { type: 'posts', attributes: { title: 'T', slug, content: 'C', ...attributes }, relationships } },
  })
}

const createVideo = (server: string, owner: number) =>
  servers.as(null)('POST', `/api/${server}/videos`, {
    body: {
      data: {
        type: 'videos',
        attributes: { title: 'T', url: 'https://example.com/' },
        relationships: { owner: { data: { type: 'users', id: String(owner) } } },
      },
    },
  })

/** Statements that look for users. */
const lookUpsOf = async (work: () => Promise<unknown>) => {
  // What is kept of the database's catalogue is asked once.
  await create('open', 2)
  const queries = await servers.queriesOf(work)
  return queries.filter((sql) => /^select .* from (?:"[^"]+"\.)?"User"/i.test(sql)).length
}
const absent = {
  ...notFound,
  detail: 'The related resource does not exist.',
  source: { pointer: '/data/relationships/author' },
}
const leaves = provider === 'postgresql' && !isGuarded

afterEach(() => void seen.splice(0))

test('what is created is the same, and on PostgreSQL nobody looks for its author', async () => {
  const bodies: unknown[] = []
  const ask = (server: string) =>
    lookUpsOf(async () => {
      const { status, body } = await create(server, 3, { slug: 'the-same' })
      expect(status).toBe(201)
      const { authorId } = await servers.db.post.delete({ where: { slug: 'the-same' } })
      expect(authorId).toBe(3)
      const { createdAt, updatedAt, ...attributes } = body.data.attributes
      bodies.push({ ...attributes, relationships: Object.keys(body.data.relationships) })
    })
  expect(await ask('open')).toBe(leaves ? 0 : 1)
  for (const other of ['scoped', 'hooked', 'validated']) expect(await ask(other)).toBeGreaterThan(0)
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
})

describe('an author that does not exist', () => {
  test.each(['open', 'prisma', 'scoped', 'hooked', 'validated'])('is 404 on the server %s', async (server) => {
    const before = await servers.db.post.count()
    expectErrors(await create(server, 999_999), absent)
    expectErrors(await create(server, 'x'), absent)
    expect(await servers.db.post.count()).toBe(before)
    expect(seen).toEqual([])
  })

  test('is told before rules that fail, and before a value that is taken', async () => {
    expectErrors(await create('open', 999_999, { title: 1 }), absent)
    expect((await create('open', 2, { slug: 'taken' })).status).toBe(201)
    expectErrors(await create('open', 999_999, { slug: 'taken' }), absent)
    expectErrors(
      await create('open', 2, { slug: 'taken' }),
      invalid('unique', 'The slug has already been taken.', '/data/attributes/slug'),
    )
  })

  test('is 404 where a scope hides it, though the database has it', async () => {
    expectErrors(await create('scoped', 5), absent)
    expect((await create('scoped', 3)).status).toBe(201)
  })

  test.each(['unruled', 'readonly'])('is 404 where nobody would write it: the server %s', async (server) => {
    expectErrors(await createVideo(server, 999_999), { ...absent, source: { pointer: '/data/relationships/owner' } })
    const { status, body } = await createVideo(server, 2)
    expect(status).toBe(201)
    expect(await servers.db.video.findUnique({ where: { id: body.data.id } })).toMatchObject({ ownerId: null })
  })
})
