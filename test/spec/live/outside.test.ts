import { connect } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { changeLog } from '@prismapi/live/change-log'
import type { Telemetry } from 'prismapi/types'
import { afterEach, describe, expect, test } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import V2 from '../../../src/app/v2/server.ts'
import { authSecret, users } from '../../support/api.ts'
import { provider } from '../../support/database.ts'
import { type EventStream, openBriefly, openEvents, type ServerEvent } from '../../support/event-stream.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// What holds around streams: how many there are, readers that are slow, time that goes by, and what changes elsewhere. docs/live.md.

class Few extends V2 {
  override readonly live = { streams: 2, heartbeat: 1 }
}
const few = useServers(() => exampleWith(Few))
const steps: string[] = []
/** Tells when the server has ended a connection, which a client that does not read cannot see. */
const telemetry: Telemetry = {
  request: (_exchange, work) => work(),
  query: (_query, work) => work(),
  stage: (_stage, work) => work(),
  repeated: () => {},
  streamed: ({ kind }) => void steps.push(kind),
}
const api = useServers(async () => ({ ...(await exampleWith(V2)), telemetry }))

const streams: EventStream[] = []
afterEach(async () => {
  for (const stream of streams.splice(0)) await stream.close()
})
const bearer = async (user: number) => `Bearer ${await signToken(user, authSecret)}`
async function open(path: string, { as = users.admin as number | null, at = api.at, more = {} } = {}) {
  const headers = { ...(as !== null && { Authorization: await bearer(as) }), ...more }
  const stream = await openEvents(`${at}/api/v2${path}`, headers)
  streams.push(stream)
  return stream
}

describe('a process', () => {
  test('has so many streams, and then is 503 until one of them ends', async () => {
    for (const as of [users.member3, users.member4]) expect((await open('/tags', { as, at: few.at })).status).toBe(200)
    const third = await open('/tags', { as: users.member5, at: few.at })
    expect([third.status, third.headers.get('Content-Type'), third.headers.has('Retry-After')]).toEqual([
      503,
      'application/vnd.api+json',
      true,
    ])
    await streams.shift()?.close()
    await expect.poll(async () => (await open('/tags', { as: users.member5, at: few.at })).status).toBe(200)
  })

  test('keeps the streams of the clients that left last, of so many', async () => {
    const as = users.member6
    const pause = () => new Promise((resolve) => setTimeout(resolve, 300))
    const openNext = async () => {
      let stream = await open('/tags', { as, at: few.at })
      for (; stream.status === 503; stream = await open('/tags', { as, at: few.at })) await pause()
      return { stream, last: (await stream.next()).id }
    }
    const closed = async ({ stream }: { readonly stream: EventStream }) => {
      await stream.close()
      await pause()
    }
    const [first, second] = [await openNext(), await openNext()]
    await closed(second)
    await closed(await openNext())
    await closed(first)
    const again = await open('/tags', { as, at: few.at, more: { 'Last-Event-ID': first.last } })
    await few.db.tag.create({ data: { name: 'Behind the last one' } })
    expect((await again.next()).event).toBe('upsert')
  })

  test('keeps quiet connections by comment lines, as often as it is told to', async () => {
    const stream = await open('/tags', { at: few.at })
    await stream.next()
    const before = stream.text().length
    await expect.poll(() => stream.text().slice(before)).toMatch(/^(:\n\n){2,}$/)
  })

  test('ends a stream with its token, and begins it anew with the next one', async () => {
    const stream = await openBriefly(async (expiresIn) => {
      const Authorization = `Bearer ${await signToken(users.admin, authSecret, { expiresIn })}`
      return open('/tags', { as: null, more: { Authorization } })
    })
    const { id } = await stream.next()
    expect(await stream.next()).toMatchObject({ event: 'end', data: { reason: 'expired' } })
    await stream.ended
    const again = await open('/tags', { more: { 'Last-Event-ID': id } })
    expect((await again.next()).event).toBe('reset')
    expect((await again.next()).event).toBe('snapshot')
  })
})

test('a reader that is more than 1 MiB behind is cut off, and told of everything when it comes back', async () => {
  const large = 'x'.repeat(60_000)
  const posts = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      api.db.post.create({
        data: { authorId: 2, slug: `slow-${i}`, title: 'Slow', content: 'Short.', publishedAt: new Date(0) },
      }),
    ),
  )
  const path = '/posts?filter[title]=Slow&sort=id&page[size]=1'
  const Authorization = await bearer(users.admin)
  const { port } = new URL(api.at)
  const socket = connect({ port: Number(port), host: '127.0.0.1' })
  let text = ''
  const first = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk
      if (!text.includes('event: snapshot') && !text.includes('event:snapshot')) return
      // It reads no more.
      socket.pause()
      resolve()
    })
  })
  socket.on('error', () => {})
  socket.write(
    `GET /api/v2${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nAuthorization: ${Authorization}\r\n\r\n`,
  )
  await first
  const [, last = ''] = /^id: ?(.*)$/m.exec(text) ?? []
  const change = async (content: string) => {
    for (const { id } of posts) await api.db.post.update({ where: { id }, data: { content } })
  }
  // What the system's own buffers hold is not behind.
  steps.length = 0
  for (let round = 0; !steps.includes('closed'); round++) {
    await change(`${round}${large}`)
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  socket.destroy()
  await change('The last.')
  const again = await open(path, { more: { 'Last-Event-ID': last } })
  const toldBy = (events: readonly ServerEvent[]) =>
    new Map(events.map(({ data }) => [Number(data.data.id), data.data.attributes.body]))
  const final = new Map(posts.map(({ id }) => [id, 'The last.']))
  const events = await again.until((so) => isDeepStrictEqual(toldBy(so), final))
  expect(toldBy([...events, ...(await again.rest())])).toEqual(final)
})

test('what the log has forgotten does not keep a client from its place, and one that no process knows is reset', async () => {
  const stream = await open('/tags')
  const { id: last } = await stream.next()
  await stream.close()
  const beside = await open('/tags')
  await beside.next()
  const tag = await api.db.tag.create({ data: { name: 'Pruned' } })
  expect((await beside.next()).event).toBe('upsert')
  await api.db.change.updateMany({ data: { at: new Date(0) } })
  const log = changeLog({ reader: api.db, writer: api.db } as never, provider as never)
  // In small steps.
  for (let left = Infinity, now = await api.db.change.count(); now < left; now = await api.db.change.count()) {
    left = now
    await log.prune(60)
  }
  expect(await api.db.change.count()).toBeLessThan(provider === 'sqlite' ? 2 : 1)
  // The process knows what this client has been told, and compares it with the rows.
  const again = await open('/tags', { more: { 'Last-Event-ID': last } })
  expect(await again.next()).toMatchObject({ event: 'upsert', data: { data: { id: String(tag.id) } } })
  const elsewhere = await open('/tags', { at: few.at, more: { 'Last-Event-ID': last } })
  expect((await elsewhere.next()).event).toBe('reset')
  expect((await elsewhere.next()).event).toBe('snapshot')
})

test('a row that another row gave its caller is removed with it', async () => {
  const post = await api.db.post.create({
    data: { authorId: users.member3, slug: 'by-its-author', title: 'Draft', content: 'Mine.', publishedAt: null },
  })
  const comment = await api.db.comment.create({ data: { postId: 1, authorId: users.member6, content: 'Shown.' } })
  const [own, filtered] = [
    await open(`/posts?filter[id]=${post.id}`, { as: users.member3 }),
    await open(`/comments?filter[author][name]=Moved&filter[id]=${comment.id}`, { as: users.member3 }),
  ]
  expect((await own.next()).data.data).toHaveLength(1)
  expect((await filtered.next()).data.data).toHaveLength(0)
  await api.db.user.update({ where: { id: users.member6 }, data: { name: 'Moved' } })
  expect(await filtered.next()).toMatchObject({ event: 'upsert', data: { data: { id: String(comment.id) } } })
  await api.db.post.update({ where: { id: post.id }, data: { authorId: users.member4 } })
  await api.db.user.update({ where: { id: users.member6 }, data: { name: 'Moved again' } })
  expect(await own.next()).toMatchObject({ event: 'remove', data: { data: { id: String(post.id) } } })
  expect(await filtered.next()).toMatchObject({ event: 'remove', data: { data: { id: String(comment.id) } } })
})

test('a log that was emptied by hand goes on, and one change of very many rows is told', async () => {
  const path = `/tags?filter[name][in]=${encodeURIComponent('after,bulk 5999')}`
  const stream = await open(path)
  await stream.next()
  await api.db.change.deleteMany()
  await api.db.tag.create({ data: { name: 'after' } })
  expect(await stream.next()).toMatchObject({ event: 'upsert', data: { data: { attributes: { name: 'after' } } } })
  await api.db.$executeRawUnsafe(
    `WITH RECURSIVE "n"("i") AS (SELECT 1 UNION ALL SELECT "i" + 1 FROM "n" WHERE "i" < 6000)
      INSERT INTO "Tag" ("name") SELECT 'bulk ' || "i" FROM "n"`,
  )
  expect(await stream.next()).toMatchObject({ event: 'upsert', data: { data: { attributes: { name: 'bulk 5999' } } } })
  await api.db.tag.deleteMany({ where: { name: { startsWith: 'bulk' } } })
  expect((await stream.next()).event).toBe('remove')
})

test('no stream of a guest gets a byte of what guests may not see, heartbeats at their times', async () => {
  const draft = await few.db.post.create({
    data: { authorId: 2, slug: 'leak-walk', title: 'Secret', content: 'Secret.', publishedAt: null },
  })
  const paths = ['/posts', '/posts?include=author,tags,comments', '/tags?include=posts', `/posts/1/comments`]
  const hidden = [
    () => few.db.post.update({ where: { id: draft.id }, data: { title: 'Secret too' } }),
    () => few.db.comment.create({ data: { postId: draft.id, authorId: 2, content: 'Secret.' } }),
    () => few.db.post.update({ where: { id: draft.id }, data: { tags: { connect: { id: 1 } } } }),
    () => few.db.user.update({ where: { id: 2 }, data: { passwordHash: 'another' } }),
    () => few.db.comment.deleteMany({ where: { postId: draft.id } }),
  ]
  for (const path of paths) {
    let stream = await open(path, { as: null, at: few.at })
    // The server may not know yet that an earlier one has gone.
    for (; stream.status === 503; stream = await open(path, { as: null, at: few.at })) await stream.close()
    expect(stream.status, path).toBe(200)
    await stream.next()
    const before = stream.text().length
    for (const change of hidden) await change()
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(stream.text().slice(before), path).toMatch(/^(:\n\n){1,3}$/)
    await stream.close()
    await few.db.post.update({ where: { id: draft.id }, data: { tags: { set: [] } } })
  }
})
