import { conflict, Schema, type Serving } from 'prismapi'
import type { Row } from 'prismapi/types'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openServer } from '../support/open-server.ts'
import { useServers } from '../support/servers.ts'

// What `deleteOnDetach()` deletes is deleted as a DELETE would: softly where its schema says so, and with its hooks.

class Users extends Schema<'User'> {
  override fields() {
    return [this.relation('posts').deleteOnDetach(), this.relation('comments').deleteOnDetach()]
  }
}
class Posts extends Schema<'Post'> {
  override softDelete = 'deletedAt' as const
  override fields() {
    return [this.attribute('deletedAt').hidden()]
  }
}
class Comments extends Schema<'Comment'> {}

const told: unknown[] = []
const tell =
  (name: string) =>
  ({ id }: Row) =>
    void told.push([name, id])

function hooks(phase: Serving): void {
  phase.deleting('Post', tell('deleting'))
  phase.deleted('Post', tell('deleted'))
  phase.deleting('Comment', ({ id, content }) => {
    if (content === 'kept') throw conflict('It is kept.')
    told.push(['deleting', id])
  })
  phase.deleted('Comment', tell('deleted'))
}

const schemas = { User: Users, Post: Posts, Comment: Comments }
const api = useServers(() => ({
  policies: new Map(),
  servers: [openServer('hooked', schemas, { serving: hooks }), openServer('plain', schemas)],
}))

beforeEach(() => void told.splice(0))

let user: number
beforeEach(async () => {
  user = (await api.db.user.create({ data: { name: 'Owner', email: 'owner@example.com', passwordHash: 'x' } })).id
})
afterEach(async () => {
  await api.db.comment.deleteMany({ where: { authorId: user } })
  await api.db.post.deleteMany({ where: { authorId: user } })
  await api.db.user.delete({ where: { id: user } })
})

const change = async (method: string, relation: 'posts' | 'comments', ids: readonly number[], server = 'hooked') => {
  const body = { data: ids.map((id) => ({ type: relation, id: String(id) })) }
  const answer = await api.as(null)(method, `/api/${server}/users/${user}/relationships/${relation}`, { body })
  return answer.status < 300 ? answer.status : [answer.status, answer.body.errors[0].detail]
}

describe('of a type that is deleted softly', () => {
  const makePosts = async () => {
    const ids: number[] = []
    for (const slug of ['of-owner-1', 'of-owner-2', 'of-owner-3'])
      ids.push((await api.db.post.create({ data: { authorId: user, title: slug, slug, content: 'C' } })).id)
    return ids as [number, number, number]
  }
  const found = async () => {
    const rows = await api.db.post.findMany({ where: { authorId: user }, orderBy: { id: 'asc' } })
    return rows.map(({ id, deletedAt }) => [id, deletedAt instanceof Date])
  }

  test.each(['hooked', 'plain'])('rows are marked, by the server %s', async (server) => {
    const [a, b, c] = await makePosts()
    expect(await change('DELETE', 'posts', [a], server)).toBe(204)
    expect(await found()).toEqual([
      [a, true],
      [b, false],
      [c, false],
    ])
    expect(await change('PATCH', 'posts', [c], server)).toBe(200)
    expect(await found()).toEqual([
      [a, true],
      [b, true],
      [c, false],
    ])
    const statuses = await Promise.all(
      [a, b, c].map(async (id) => (await api.as(null)('GET', `/api/${server}/posts/${id}`)).status),
    )
    expect(statuses).toEqual([404, 404, 200])
    const events = [a, b].flatMap((id) => [
      ['deleting', id],
      ['deleted', id],
    ])
    expect(told).toEqual(server === 'hooked' ? events : [])
  })

  test('rows that are marked already stay', async () => {
    const [a, b, c] = await makePosts()
    await api.db.post.update({ where: { id: a }, data: { deletedAt: new Date() } })
    expect(await change('PATCH', 'posts', [])).toBe(200)
    expect(await found()).toEqual([a, b, c].map((id) => [id, true]))
  })
})

describe('of a type with hooks', () => {
  const makeComments = async (...contents: string[]) => {
    const ids: number[] = []
    for (const content of contents)
      ids.push((await api.db.comment.create({ data: { authorId: user, postId: 1, content } })).id)
    return ids
  }
  const found = async () =>
    (await api.db.comment.findMany({ where: { authorId: user }, orderBy: { id: 'asc' } })).map(({ id }) => id)

  test('they are told of each row that goes', async () => {
    const [a, b, c] = (await makeComments('a', 'b', 'c')) as [number, number, number]
    expect([await change('DELETE', 'comments', [b]), await found()]).toEqual([204, [a, c]])
    expect([await change('PATCH', 'comments', []), await found()]).toEqual([200, []])
    expect(told).toEqual(
      [b, a, c].flatMap((id) => [
        ['deleting', id],
        ['deleted', id],
      ]),
    )
  })

  test('one that refuses keeps all of them', async () => {
    const ids = await makeComments('a', 'kept')
    expect([await change('PATCH', 'comments', []), await found()]).toEqual([[409, 'It is kept.'], ids])
  })

  test('without any, all rows go by one statement', async () => {
    await makeComments('a', 'kept', 'c')
    const queries = await api.queriesOf(() => change('PATCH', 'comments', [], 'plain'))
    expect([queries.filter((sql) => /^\s*delete/i.test(sql)).length, await found()]).toEqual([1, []])
  })
})
