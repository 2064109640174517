import { Policy, type Rules, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { fresh } from '../../support/idempotency.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// The entity tag of an answer follows what its caller sees: of a value that is hidden it tells nothing, and not that it changed.

/** The address is seen by its user and by administrators. */
class UserPolicy extends Policy<'User'> {
  override abilities({ can, cannot }: Rules<'User'>, user: User | null) {
    can([this.reads, 'update'])
    if (user?.role === 'ADMIN') return
    cannot('view', 'email')
    if (user) can('view', 'email', { id: user.id })
  }
}

/** A note of the staff, and with it when it was last changed. */
class PostPolicy extends Policy<'Post'> {
  override abilities({ can, cannot }: Rules<'Post'>, user: User | null) {
    can([this.reads, 'update'])
    if (user?.role !== 'ADMIN') cannot('view', ['synopsis', 'updatedAt'])
  }
}

/** Everybody puts tags on posts and takes them away, which only the staff sees there. */
class TaggedPolicy extends Policy<'Post'> {
  override abilities({ can, cannot }: Rules<'Post'>, user: User | null) {
    can([this.reads, 'attachTags', 'detachTags'])
    if (user?.role !== 'ADMIN') cannot('view', 'tags')
  }
}

const api = useServers(async () => {
  const { policies, servers } = await exampleWith(V2)
  return { servers, policies: new Map([...policies, ['User', UserPolicy], ['Post', PostPolicy]] as const) as never }
})

const tagging = useServers(async () => {
  const { policies, servers } = await exampleWith(V2)
  return { servers, policies: new Map([...policies, ['Post', TaggedPolicy]] as const) as never }
})

const [admin, masked, guest] = [1, 4, null]
const get = (as: number | null, path: string, headers: Readonly<Record<string, string>> = {}) =>
  api.as(as)('GET', `/api/v2${path}`, { headers })
const tagOf = async (as: number | null, path: string) => (await get(as, path)).headers.get('etag') as string
const statusOf = async (as: number | null, path: string, tag: string) =>
  (await get(as, path, { 'If-None-Match': tag })).status
const patch = (as: number | null, type: string, id: string, attributes: object, headers = {}) =>
  api.as(as)('PATCH', `/api/v2/${type}/${id}`, { headers, body: { data: { type, id, attributes } } })

const places = ['/users/3', '/users', '/posts?include=author&filter[author]=3', '/users/3/comments?include=author']

describe.each(places)('%s', (path) => {
  test('has a tag for each of those who see different things, and no 304 for the tag of another one', async () => {
    const [whole, less] = [await tagOf(admin, path), await tagOf(guest, path)]
    expect(whole).not.toBe(less)
    expect([await statusOf(admin, path, whole), await statusOf(guest, path, less)]).toEqual([304, 304])
    expect([await statusOf(admin, path, less), await statusOf(guest, path, whole)]).toEqual([200, 200])
  })

  test('has the same tag when a value changes that is hidden, for whom it is hidden', async () => {
    const [whole, less] = [await tagOf(admin, path), await tagOf(guest, path)]
    const { updatedAt } = await api.db.user.findUniqueOrThrow({ where: { id: 3 } })
    await api.db.user.update({ where: { id: 3 }, data: { email: `${fresh('new')}@example.org`, updatedAt } })
    expect([await statusOf(admin, path, whole), await statusOf(guest, path, less)]).toEqual([200, 304])
    expect(await tagOf(guest, path)).toBe(less)
  })
})

test('a change by the API is told where the version is seen, as the document tells it', async () => {
  const before = await get(masked, '/users/3')
  expect((await patch(admin, 'users', '3', { email: `${fresh('told')}@example.org` })).status).toBe(200)
  const after = await get(masked, '/users/3')
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
  const { updatedAt } = after.body.data.attributes
  expect(updatedAt).not.toBe(before.body.data.attributes.updatedAt)
  expect({ ...before.body.data, attributes: { ...before.body.data.attributes, updatedAt } }).toEqual(after.body.data)
})

describe('a type whose version is hidden', () => {
  const path = '/posts/1'

  test('has the same tag for who does not see what an administrator has changed', async () => {
    const [whole, less] = [await tagOf(admin, path), await tagOf(masked, path)]
    expect((await patch(admin, 'posts', '1', { synopsis: fresh('A note') })).status).toBe(200)
    expect(await tagOf(masked, path)).toBe(less)
    expect(await statusOf(masked, path, less)).toBe(304)
    expect(await tagOf(admin, path)).not.toBe(whole)
  })

  test('has a weak tag, which no write can name, whatever the version is', async () => {
    const tag = await tagOf(masked, path)
    expect(tag).toMatch(/^W\//)
    const version = await tagOf(admin, path)
    for (const match of [tag, version, '"another"']) {
      const answer = await patch(masked, 'posts', '1', { title: 'Changed' }, { 'If-Match': match })
      expect([answer.status, answer.text]).toEqual([412, (await stale()).text])
    }
    expect((await patch(admin, 'posts', '1', { title: 'Changed' }, { 'If-Match': version })).status).toBe(200)
  })

  const stale = () => patch(masked, 'posts', '1', { title: 'Changed' }, { 'If-Match': '"2001-01-01T00:00:00.000Z"' })
})

test('the tag of one caller names the version for another one, where both see it', async () => {
  const tag = await tagOf(admin, '/users/3')
  expect((await patch(masked, 'users', '3', { name: 'Renamed' }, { 'If-Match': tag })).status).toBe(200)
  expect((await patch(masked, 'users', '3', { name: 'Renamed' }, { 'If-Match': tag })).status).toBe(412)
})

test.each([
  ['POST', 1],
  ['POST', 4],
  ['DELETE', 1],
  ['DELETE', 4],
])(
  '%s of a member of a relationship that is hidden is a new version, whether it was in it or not',
  async (verb, tag) => {
    const data = { title: 'T', slug: fresh('tagged'), content: 'C', authorId: 5, publishedAt: new Date(0) }
    const { id } = await tagging.db.post.create({ data: { ...data, tags: { connect: { id: 1 } } } })
    const ask = tagging.as(masked)
    const tags = async () => (await ask('GET', `/api/v2/posts/${id}`)).headers.get('etag')
    const before = await tags()
    const body = { data: [{ type: 'tags', id: `${tag}` }] }
    expect((await ask(verb, `/api/v2/posts/${id}/relationships/tags`, { body })).status).toBe(204)
    expect(await tags()).not.toBe(before)
  },
)
