import { Schema } from 'prismapi'
import { beforeAll, describe, expect, test } from 'vitest'
import { openServer } from '../../support/open-server.ts'
import { identifier } from '../../support/row-documents.ts'
import { addPost, addUser } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'

// A write costs what it names, and what it takes the place of: links that it ends are counted as they are found.

const cost = 10_000
const schemas = { Post: Schema<'Post'>, Tag: Schema<'Tag'>, User: Schema<'User'>, Video: Schema<'Video'> }
const version = '1.1'
const priced = openServer('priced', schemas, { limits: { cost }, version })
const plain = openServer('plain', schemas, { limits: { linkage: 1e6 }, version })
const api = useServers(() => ({
  policies: new Map(),
  production: false,
  servers: [priced, plain],
  // How long a write may hold the database is another limit.
  transactions: { timeout: 60_000, holdMilliseconds: 60_000, maxWait: 60_000 },
}))
const links = 500
let tags: readonly number[]
beforeAll(async () => {
  const names = Array.from({ length: links + 1 }, (_, n) => ({ name: `dear ${n}` }))
  await api.db.tag.createMany({ data: names })
  const found = await api.db.tag.findMany({ where: { name: { startsWith: 'dear' } }, orderBy: { id: 'asc' } })
  tags = found.map(({ id }) => id)
})

const identifiers = (ids: readonly number[]) => ids.map((id) => identifier('tags', id))
const send = (method: string, postId: number, ids: readonly number[], server = 'priced') =>
  api.as(null)(method, `/api/${server}/posts/${postId}/relationships/tags`, { body: { data: identifiers(ids) } })
const linked = (postId: number) => api.db.tag.count({ where: { posts: { some: { id: postId } } } })

async function tagged(count: number): Promise<number> {
  const { id } = await addPost(api.db)
  expect(await send('POST', id, tags.slice(0, count), 'plain')).toMatchObject({ status: 204 })
  return id
}

const refused = (pointer: string, detail: string) => ({
  status: 400,
  body: {
    errors: [{ status: '400', code: 'too-expensive', title: 'Bad Request', detail, source: { pointer } }],
  },
})
const tooMuch = 'The request would cost too much. Change fewer links at a time.'

describe('what a document names', () => {
  // Twenty points for the resource, and 120 for each identifier.
  const most = (cost - 20) / 120

  test('has its price', async () => {
    const { id } = await addPost(api.db)
    expect(await send('POST', id, tags.slice(0, Math.floor(most)))).toMatchObject({ status: 204 })
    expect(await linked(id)).toBe(Math.floor(most))
  })

  test('is refused above the limit, before anything is read', async () => {
    const { id } = await addPost(api.db)
    const queries = await api.queriesOf(async () => {
      const told = `${tooMuch} Its price is 15020, and 10000 is the limit.`
      expect(await send('POST', id, tags.slice(0, 125))).toMatchObject(refused('/data', told))
    })
    expect(queries).toEqual([])
  })
})

describe('links that end', () => {
  test('are counted up to the limit', async () => {
    const id = await tagged(links)
    expect(await send('PATCH', id, [])).toMatchObject({ status: 200 })
    expect(await linked(id)).toBe(0)
  })

  test('are refused above it, and stay', async () => {
    const id = await tagged(links + 1)
    expect(await send('PATCH', id, [])).toMatchObject(refused('/data', tooMuch))
    expect(await linked(id)).toBe(links + 1)
    // Some of them at a time.
    expect(await send('DELETE', id, tags.slice(0, 2))).toMatchObject({ status: 204 })
    expect(await send('PATCH', id, [])).toMatchObject({ status: 200 })
  })

  test('are counted together where one request has several operations', async () => {
    const ids = [await tagged(300), await tagged(300)]
    const operation = (id: number) => ({
      op: 'update',
      ref: { type: 'posts', id: String(id), relationship: 'tags' },
      data: [],
    })
    const operate = (operations: readonly object[]) =>
      api.as(null)('POST', '/api/priced/operations', {
        headers: { 'Content-Type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' },
        body: { 'atomic:operations': operations },
      })
    expect(await operate(ids.map(operation))).toMatchObject(refused('/atomic:operations/1/data', tooMuch))
    expect(await Promise.all(ids.map(linked))).toEqual([300, 300])
    for (const id of ids) expect((await operate([operation(id)])).status).toBeLessThan(300)
    expect(await Promise.all(ids.map(linked))).toEqual([0, 0])
  })
})

describe('rows that keep the links', () => {
  const owning = async (count: number) => {
    const { id } = await addUser(api.db)
    const own = { title: 'T', url: 'https://example.com/', ownerId: id }
    await api.db.video.createMany({ data: Array.from({ length: count }, () => own) })
    const set = (server: string) =>
      api.as(null)('PATCH', `/api/${server}/users/${id}/relationships/videos`, { body: { data: [] } })
    return { set, owned: () => api.db.video.count({ where: { ownerId: id } }) }
  }

  test.each([400, 401, 600])('%s of them', async (count) => {
    const { set, owned } = await owning(count)
    if (count * 25 > cost) {
      expect(await set('priced')).toMatchObject(refused('/data', tooMuch))
      expect(await owned()).toBe(count)
    }
    expect(await set(count * 25 > cost ? 'plain' : 'priced')).toMatchObject({ status: 200 })
    expect(await owned()).toBe(0)
  })
})

describe('what goes with a resource', () => {
  const most = cost / 80
  const tagged = async (count: number) => {
    const own = { title: 'T', url: 'https://example.com/' }
    const { id } = await api.db.video.create({
      data: { ...own, tags: { connect: tags.slice(0, count).map((tag) => ({ id: tag })) } },
    })
    return { remove: () => api.as(null)('DELETE', `/api/priced/videos/${id}`), links: () => linkedTo(id) }
  }
  const linkedTo = (id: string) => api.db.tag.count({ where: { videos: { some: { id } } } })

  test('goes up to the limit', async () => {
    const { remove, links } = await tagged(most)
    expect(await remove()).toMatchObject({ status: 204 })
    expect(await links()).toBe(0)
  })

  test('keeps it above the limit, and nothing goes', async () => {
    const { remove, links } = await tagged(most + 1)
    const detail = 'More goes with this resource than one request may remove. Remove some of that first.'
    expect(await remove()).toMatchObject({
      status: 400,
      body: { errors: [{ status: '400', code: 'too-expensive', title: 'Bad Request', detail }] },
    })
    expect(await links()).toBe(most + 1)
  })

  test('is counted together for all operations of a request', async () => {
    const videos = [await tagged(most - 20), await tagged(most - 20)]
    const paths = await api.db.video.findMany({ orderBy: { createdAt: 'desc' }, take: 2, select: { id: true } })
    const answer = await api.as(null)('POST', '/api/priced/operations', {
      headers: { 'Content-Type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' },
      body: { 'atomic:operations': paths.map(({ id }) => ({ op: 'remove', ref: { type: 'videos', id } })) },
    })
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ code: 'too-expensive' }] } })
    expect(await Promise.all(videos.map(({ links }) => links()))).toEqual([most - 20, most - 20])
  })
})
