import { Policy, type Rules } from 'prismapi'
import { afterEach, expect, test, vi } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import V2 from '../../../src/app/v2/server.ts'
import { authSecret, users } from '../../support/api.ts'
import { type EventStream, openEvents } from '../../support/event-stream.ts'
import { fieldServers } from '../../support/field-policies.ts'
import { useServers } from '../../support/servers.ts'

// Rules about fields hold for streams as they do for GET: docs/authorization.md, docs/live.md.

class TimedPolicy extends Policy<'Video'> {
  override abilities({ can, cannot }: Rules<'Video'>) {
    can(this.reads)
    cannot('view', 'title', { createdAt: { gt: new Date() } })
  }
}
const api = useServers(() => fieldServers(V2))
const timed = useServers(async () => {
  const { policies, ...parts } = await fieldServers(V2)
  return { ...parts, policies: new Map([...policies, ['Video', TimedPolicy]]) }
})

const streams: EventStream[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const stream of streams.splice(0)) await stream.close()
})
async function open(path: string, as = users.member3, at = api.at) {
  const stream = await openEvents(`${at}/api/v2${path}`, { Authorization: `Bearer ${await signToken(as, authSecret)}` })
  streams.push(stream)
  return stream
}
const run = (sql: string) => api.db.$executeRawUnsafe(sql)
const told = async (stream: EventStream) =>
  [await stream.next(), ...(await stream.rest())].map(({ event, data }) => [
    event,
    Number(data.data.id),
    data.data.attributes?.title,
  ])

/** A post of member 6 whose title and content member 3 may not see. */
const secretPost = (slug: string) =>
  api.db.post.create({ data: { authorId: 6, slug, title: 'Hidden', content: 'Hidden.', publishedAt: new Date(0) } })

async function noByte(stream: EventStream, ...changes: readonly string[]) {
  const before = stream.text().length
  for (const sql of changes) await run(sql)
  expect(await stream.rest()).toEqual([])
  expect(stream.text().length).toBe(before)
}

test('a change of a field that is hidden sends no byte, and one that is shown is an upsert', async () => {
  const stream = await open('/users')
  await stream.next()
  await noByte(stream, `UPDATE "User" SET "email" = 'other@example.org' WHERE "id" = 4`)
  await run(`UPDATE "User" SET "name" = 'Shown' WHERE "id" = 4`)
  const { event, data } = await stream.next()
  expect([event, data.data.id, data.data.attributes.name]).toEqual(['upsert', '4', 'Shown'])
  expect(data.data.attributes).not.toHaveProperty('email')
  expect(stream.text()).not.toContain('other@example.org')
})

test('a field that comes to be seen, or to be hidden, is an upsert: by a column, and by a relation', async () => {
  const { id } = await secretPost('secret-upsert')
  const stream = await open(`/posts?filter[id]=${id}`)
  const { data } = await stream.next()
  expect(data.data[0].attributes).not.toHaveProperty('title')
  await noByte(stream, `UPDATE "Post" SET "title" = 'Hidden as well' WHERE "id" = ${id}`)
  await run(`UPDATE "Post" SET "slug" = 'open-upsert' WHERE "id" = ${id}`)
  expect(await told(stream)).toEqual([['upsert', id, 'Hidden as well']])
  await run(`UPDATE "Post" SET "slug" = 'secret-again' WHERE "id" = ${id}`)
  expect(await told(stream)).toEqual([['upsert', id, undefined]])
  const comment = await api.db.comment.create({ data: { postId: id, authorId: 3, content: 'Mine.' } })
  expect(await told(stream)).toEqual([['upsert', id, 'Hidden as well']])
  await run(`DELETE FROM "Comment" WHERE "id" = ${comment.id}`)
  expect(await told(stream)).toEqual([['upsert', id, undefined]])
})

test('a filter takes what is hidden for null', async () => {
  const { id } = await secretPost('secret-filter')
  const stream = await open('/posts?filter[title][contains]=Zebra')
  expect((await stream.next()).data.data).toEqual([])
  await noByte(stream, `UPDATE "Post" SET "title" = 'Zebra' WHERE "id" = ${id}`)
  await run(`UPDATE "Post" SET "slug" = 'open-filter' WHERE "id" = ${id}`)
  expect(await told(stream)).toEqual([['upsert', id, 'Zebra']])
  await run(`UPDATE "Post" SET "slug" = 'secret-filter' WHERE "id" = ${id}`)
  expect(await told(stream)).toEqual([['remove', id, undefined]])
})

test('a sort tells nothing of what is hidden', async () => {
  const path = '/users?sort=email&page[size]=100'
  const stream = await open(path)
  expect((await stream.next()).data).toEqual((await api.as(users.member3)('GET', `/api/v2${path}`)).body)
  await noByte(stream, `UPDATE "User" SET "email" = 'aaaa@example.org' WHERE "id" = 4`)
})

test('what is included has no hidden fields, and a relation that is hidden includes nothing', async () => {
  const { id } = await secretPost('included')
  const stream = await open(`/posts?filter[id]=${id}&include=author`)
  expect((await stream.next()).data.included.map((each: { id: string }) => each.id)).toEqual(['6'])
  await noByte(stream, `UPDATE "User" SET "email" = 'six@example.org' WHERE "id" = 6`)
  await run(`UPDATE "Post" SET "authorId" = 5 WHERE "id" = ${id}`)
  const { event, data } = await stream.next()
  expect([event, data.data.relationships.author, data.included ?? []]).toEqual(['upsert', undefined, []])
  await noByte(stream, `UPDATE "User" SET "name" = 'Nobody sees' WHERE "id" = 5`)
  await run(`UPDATE "Post" SET "authorId" = 6 WHERE "id" = ${id}`)
  expect((await stream.next()).data.included.map((each: { id: string }) => each.id)).toEqual(['6'])
})

test('a field that time alone shows is told, though its rule is judged in memory', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { id } = await timed.db.video.findFirstOrThrow({ orderBy: { id: 'asc' } })
  await timed.db.video.update({ where: { id }, data: { title: 'In time', createdAt: new Date(Date.now() + 20_000) } })
  const stream = await open('/videos?page[size]=100', users.member3, timed.at)
  const { data } = await stream.next()
  expect(data.data.find((video: { id: string }) => video.id === String(id)).attributes).not.toHaveProperty('title')
  vi.setSystemTime(Date.now() + 40_000)
  expect(await stream.next()).toMatchObject({ event: 'upsert', data: { data: { attributes: { title: 'In time' } } } })
})
