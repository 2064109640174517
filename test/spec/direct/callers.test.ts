import { JsonApiError, type Serving, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { users } from '../../support/api.ts'
import { fresh } from '../../support/idempotency.ts'
import { addPost, addTag, tagsOf } from '../../support/rows.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// Who acts on a server without HTTP: the rules of a request hold, and rows come as their caller sees them.

const ran: string[] = []

class Hooked extends V2 {
  override serving(phase: Serving): void {
    super.serving(phase)
    phase.saved('Post', ({ slug, title }, { action }) => {
      ran.push(`${action} ${slug}`)
      if (title === 'Broken') throw new Error('The hook is broken.')
    })
  }
}

class Forgetful extends V2 {
  override readonly name = 'forgetful' as never
  override readonly basePath = '/api/forgetful'
  override readonly idempotency = false
}

// A machine that is busy ends no transaction.
const transactions = { timeout: 60_000, holdMilliseconds: 60_000 }
const example = useServers(async () => {
  const { policies, servers = [] } = await exampleWith(Hooked)
  const forgetful = servers.map((parts) => ({ ...parts, server: Forgetful }))
  return { policies, servers: [...servers, ...forgetful], transactions }
})

const userOf = async (id: number): Promise<User> =>
  example.db.user.findUniqueOrThrow({ where: { id }, select: { id: true, name: true, email: true, role: true } })
const as = async (id: number | null, server = 'v2') => example.api.as(id === null ? null : await userOf(id), { server })
const system = () => example.api.asSystem('nightly', { server: 'v2' })

/** The errors that a call throws. */
async function errorsOf(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(JsonApiError)
  const { status, errors } = error as JsonApiError
  return { status, errors }
}

describe('a row', () => {
  test('comes with its attributes, whom it leads to, and what is included in its place', async () => {
    const { id, slug } = await addPost(example.db, { authorId: users.member3 })
    const caller = await as(users.member3)
    const post = await caller.find('Post', id, { include: ['author', 'tags'], fields: { User: ['name', 'email'] } })
    const { name, email } = await userOf(users.member3)
    const row = await example.db.post.findUniqueOrThrow({ where: { id } })
    expect(post).toEqual({
      type: 'posts',
      id: String(id),
      title: row.title,
      slug,
      body: row.content,
      excerpt: row.content,
      synopsis: row.synopsis,
      publishedAt: row.publishedAt?.toISOString() ?? null,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      author: { type: 'users', id: String(users.member3), name, email },
      tags: [],
    })
    expect((await caller.find('Post', id)).author).toEqual({ type: 'users', id: String(users.member3) })
  })

  test('has no field that its caller may not see', async () => {
    const seen = await (await as(users.member3)).find('User', users.member4)
    expect(seen).not.toHaveProperty('email')
    expect(await system().find('User', users.member4)).toHaveProperty('email')
  })

  test('that is hidden is 404, as by HTTP', async () => {
    const { id } = await addPost(example.db, { authorId: users.member4, publishedAt: null })
    const byHttp = await example.as(users.member3)('GET', `/api/v2/posts/${id}`)
    expect(await errorsOf((await as(users.member3)).find('Post', id))).toEqual({
      status: 404,
      errors: byHttp.body.errors,
    })
    expect((await system().find('Post', id)).id).toBe(String(id))
  })
})

describe('a write', () => {
  test('is validated, filled by hooks, and answered with its row', async () => {
    const slug = fresh('direct-post')
    const caller = await as(users.member3)
    const tag = await addTag(example.db)
    const post = await caller.create(
      'Post',
      { title: 'One', slug, body: 'Text', tags: [tag.id] },
      { include: ['tags'] },
    )
    expect(post).toMatchObject({ title: 'One', slug, author: { type: 'users', id: String(users.member3) } })
    expect(post.tags).toEqual([{ type: 'tags', id: String(tag.id), name: tag.name }])
    expect(ran).toContain(`create ${slug}`)
    const changed = await caller.update('Post', post, { title: 'Two', publishedAt: new Date('2026-01-02T03:04:05Z') })
    expect(changed).toMatchObject({ title: 'Two', publishedAt: '2026-01-02T03:04:05.000Z' })
    await caller.delete('Post', post)
    expect((await errorsOf(caller.find('Post', post))).status).toBe(404)
  })

  test('that is refused has the errors of HTTP', async () => {
    const body = { data: { type: 'posts', attributes: { title: '', slug: 'No slug', bodies: 'x' } } }
    const wrong = { data: { type: 'posts', attributes: { title: '', slug: 'No slug', body: 'x' } } }
    for (const { data } of [body, wrong]) {
      const byHttp = await example.as(users.member3)('POST', '/api/v2/posts', { body: { data } })
      const { status, errors } = await errorsOf((await as(users.member3)).create('Post', data.attributes as object))
      expect({ status, errors }).toEqual({ status: byHttp.status, errors: byHttp.body.errors })
    }
    expect((await errorsOf((await as(null)).create('Post', { title: 'x' }))).status).toBe(403)
  })

  test('by a job needs no permission, and is validated all the same', async () => {
    const { id } = await addPost(example.db, { authorId: users.member4, publishedAt: null })
    const changed = await system().update('Post', id, { title: 'By a job' })
    expect(changed?.title).toBe('By a job')
    expect((await errorsOf(system().update('Post', id, { title: '' }))).status).toBe(422)
    const [logged] = await example.db.change.findMany({ where: { model: 'Post', key: String(id), action: 'update' } })
    expect(logged).toMatchObject({ user: 'nightly' })
  })

  test('compares the version of a row', async () => {
    const { id } = await addPost(example.db, { authorId: users.member3 })
    const caller = await as(users.member3)
    const read = await caller.find('Post', id)
    expect((await caller.update('Post', id, { title: 'First' }, { ifMatch: read }))?.title).toBe('First')
    expect((await errorsOf(caller.update('Post', id, { title: 'Late' }, { ifMatch: read }))).status).toBe(412)
  })

  test('links and unlinks', async () => {
    const { id } = await addPost(example.db, { authorId: users.member3 })
    const tag = await addTag(example.db)
    const caller = await as(users.editor)
    await caller.link('Post', id, 'tags', tag.id)
    expect(await tagsOf(example.db, id)).toEqual([tag.id])
    await caller.unlink('Post', id, 'tags', [tag.id])
    expect(await tagsOf(example.db, id)).toEqual([])
  })

  test('may be an action', async () => {
    const { id } = await addPost(example.db, { authorId: users.member3, publishedAt: null })
    const caller = await as(users.member3)
    const { data } = await caller.act('Post', id, 'publish')
    expect(data).toMatchObject({ type: 'posts', id: String(id) })
    expect((await errorsOf(caller.act('Post', id, 'publish'))).status).toBe(409)
    expect((await errorsOf(caller.act('Post', id, 'nothing'))).status).toBe(404)
  })

  test('with a key is carried out once', async () => {
    const caller = await as(users.member3)
    const fields = { title: 'Once', slug: fresh('once'), body: 'Text' }
    const key = fresh('key')
    const first = await caller.create('Post', fields, { idempotencyKey: key, include: ['author'] })
    expect(first).toMatchObject({ title: 'Once', author: { id: String(users.member3), type: 'users' } })
    expect(await caller.create('Post', fields, { idempotencyKey: key, include: ['author'] })).toEqual(first)
    expect((await errorsOf(caller.create('Post', { ...fields, title: 'Other' }, { idempotencyKey: key }))).status).toBe(
      422,
    )
    expect(await example.db.post.count({ where: { slug: fields.slug } })).toBe(1)
  })

  test('with a key is refused where its server keeps no answers, in the words of who would keep them', async () => {
    const caller = await as(users.member3, 'forgetful')
    const failed = caller.create('Post', { title: 'Once', slug: fresh('once'), body: 'Text' }, { idempotencyKey: 'k' })
    const error = await failed.catch((error: Error) => error)
    expect((error as Error).cause).toEqual(
      new Error(
        'idempotencyKey: server forgetful keeps no answers. Add the model IdempotencyKey to the Prisma schema, as docs/idempotency.md shows it, and leave out idempotency = false in its class.',
      ),
    )
  })

  test('with a key that has failed throws what it has thrown before', async () => {
    const caller = await as(users.member3)
    const fields = { title: 'Broken', slug: fresh('broken'), body: 'Text' }
    const ask = () => errorsOf(caller.create('Post', fields, { idempotencyKey: fields.slug }))
    const first = await ask()
    expect(first).toEqual({
      status: 500,
      errors: [expect.objectContaining({ status: '500', id: expect.any(String), title: 'Internal Server Error' })],
    })
    expect(await ask()).toEqual(first)
    expect(ran.filter((each) => each === `create ${fields.slug}`)).toHaveLength(1)
  })
})

describe('a collection', () => {
  test('is one page where it is awaited', async () => {
    const caller = await as(users.admin)
    const rows = await caller.list('User', {
      sort: ['-id'],
      filter: { role: ['MEMBER'], name: { not: 'a, b' } },
      page: { number: 1, size: 2 },
    })
    const byHttp = await example.as(users.admin)(
      'GET',
      '/api/v2/users?sort=-id&filter[role]=MEMBER&filter[name][not]=a, b&page[number]=1&page[size]=2',
    )
    expect(rows.map(({ id }) => id)).toEqual(byHttp.body.data.map(({ id }: { id: string }) => id))
    expect(rows.meta).toEqual(byHttp.body.meta)
    expect(rows.next).toEqual({ number: 2, size: 2 })
  })

  test('is gone through as a whole', async () => {
    const { id: authorId } = await userOf(users.member5)
    for (let i = 0; i < 5; i++) await addPost(example.db, { authorId })
    const ids: string[] = []
    for await (const { id } of (await as(users.member5)).list('Post', { filter: { author: authorId }, sort: 'id' }))
      ids.push(id)
    const rows = await example.db.post.findMany({ where: { authorId, deletedAt: null }, orderBy: { id: 'asc' } })
    expect(ids).toEqual(rows.map(({ id }) => String(id)))
  })

  test('is filtered behind relations, and by groups', async () => {
    const tag = await addTag(example.db)
    const { id } = await addPost(example.db, { authorId: users.member3, tags: { connect: { id: tag.id } } })
    const caller = await as(users.member3)
    const ask = async (filter: NonNullable<Parameters<typeof caller.list<'Post'>>[1]>['filter']) =>
      (await caller.list('Post', { filter: { id, ...filter } })).map((row) => row.id)
    expect(await ask({ tags: { name: tag.name } })).toEqual([String(id)])
    expect(await ask({ tags: { none: { name: tag.name } } })).toEqual([])
    expect(await ask({ author: { id: users.member3 } })).toEqual([String(id)])
    expect(await ask({ or: [{ title: 'nothing' }, { author: users.member3 }] })).toEqual([String(id)])
    expect(await ask({ author: { not: users.member3 } })).toEqual([])
    await expect(ask({ id: [] })).rejects.toThrow('filter: id is an empty list.')
  })

  test('has the errors of HTTP, by the keys of parameters', async () => {
    const byHttp = await example.as(null)('GET', '/api/v2/posts?filter[passwordHash]=x&sort=nothing&include=authors')
    const query = { filter: { passwordHash: 'x' }, sort: 'nothing', include: ['authors'] }
    const { status, errors } = await errorsOf(Promise.resolve((await as(null)).list('Post', query as object)))
    expect({ status, errors }).toEqual({ status: 400, errors: byHttp.body.errors })
  })
})

describe('a server', () => {
  test('that is not there is an error', () => {
    expect(() => example.api.as(null, { server: 'v3' })).toThrow('There is no server v3. There are: v2, forgetful.')
    expect(() => example.api.asSystem('', { server: 'v2' })).toThrow("api.asSystem('', …)")
  })
})
