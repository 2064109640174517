import type { Serving } from 'prismapi'
import { afterEach, expect, test, vi } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import V2 from '../../../src/app/v2/server.ts'
import { authSecret, users } from '../../support/api.ts'
import { type EventStream, openEvents } from '../../support/event-stream.ts'
import { addPost, addUser } from '../../support/rows.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// When a server looks at what has changed, and in which order it tells of it: docs/live.md.

let onRead: (rows: number) => unknown = () => {}
class Looking extends V2 {
  override serving(phase: Serving): void {
    super.serving(phase)
    phase.read('Post', async (rows) => void (await onRead(rows.length)))
  }
}
const api = useServers(() => exampleWith(Looking))
const opened: EventStream[] = []
afterEach(async () => {
  onRead = () => {}
  for (const stream of opened.splice(0)) await stream.close()
})
async function open(path: string, more: Record<string, string> = {}) {
  const Authorization = `Bearer ${await signToken(users.admin, authSecret)}`
  const stream = await openEvents(`${api.at}/api/v2/${path}`, { Authorization, ...more })
  opened.push(stream)
  return stream
}
const pause = (milliseconds = 400) => new Promise((resolve) => setTimeout(resolve, milliseconds))

test('a row that changes is told of while all rows are being read for the sake of others', async () => {
  const author = await addUser(api.db)
  const [post] = [await addPost(api.db, { authorId: author.id }), await addPost(api.db, { authorId: author.id })]
  const stream = await open(`posts?filter[author][id]=${author.id}&include=author`)
  await stream.next()
  expect(await stream.rest()).toEqual([])
  let goOn = () => {}
  const isReading = new Promise<void>((entered) => {
    onRead = (rows) => {
      if (rows < 2) return
      entered()
      return new Promise<void>((resolve) => {
        goOn = resolve
      })
    }
  })
  await api.db.$executeRawUnsafe(`UPDATE "User" SET "passwordHash" = 'hidden' WHERE "id" = ${author.id}`)
  await isReading
  for (const title of ['First', 'Second']) {
    await api.db.post.update({ where: { id: post.id }, data: { title } })
    expect((await stream.next()).data.data.attributes.title).toBe(title)
  }
  onRead = () => {}
  goOn()
  expect(await stream.rest()).toEqual([])
  await api.db.user.update({ where: { id: author.id }, data: { name: 'Seen' } })
  expect((await stream.until(({ length }) => length === 2)).map(({ event }) => event)).toEqual(['upsert', 'upsert'])
})

test('nothing is read for clients that have left, and they are told of all when they come back', async () => {
  const author = await addUser(api.db)
  const post = await addPost(api.db, { authorId: author.id })
  const path = `posts?filter[author][id]=${author.id}&include=author`
  const stream = await open(path)
  const { id: last } = await stream.next()
  await stream.close()
  await vi.waitFor(async () => expect(await api.queriesOf(pause)).toEqual([]), { timeout: 20_000 })
  const queries = await api.queriesOf(async () => {
    await api.db.$executeRawUnsafe(`UPDATE "User" SET "name" = 'Renamed' WHERE "id" = ${author.id}`)
    await api.db.$executeRawUnsafe(`UPDATE "Post" SET "title" = 'Changed' WHERE "id" = ${post.id}`)
    await pause()
  })
  expect(queries.filter((sql) => /^\s*select/i.test(sql))).toEqual([])
  const again = await open(path, { 'Last-Event-ID': last })
  const { event, data } = await again.next()
  expect([event, data.data.attributes.title, data.included[0].attributes.name]).toEqual([
    'upsert',
    'Changed',
    'Renamed',
  ])
  expect(await again.rest()).toEqual([])
})

test.each([
  ['the one with the smaller id first', (id: number, other: number) => id < other],
  ['the one with the larger id first', (id: number, other: number) => id > other],
])(
  'a client that comes back is told of a row that was removed and of one that was hidden then: %s',
  async (_, isFirst) => {
    const [one, two] = [await addPost(api.db, { title: 'In order' }), await addPost(api.db, { title: 'In order' })]
    const [removed, hidden] = isFirst(one.id, two.id) ? [one, two] : [two, one]
    const path = 'posts?filter[title]=In order'
    const stream = await open(path)
    const { id: last } = await stream.next()
    await stream.close()
    await pause()
    await api.db.post.delete({ where: { id: removed.id } })
    await api.db.post.update({ where: { id: hidden.id }, data: { title: 'Hidden' } })
    const again = await open(path, { 'Last-Event-ID': last })
    const told = [await again.next(), await again.next()].map(({ event, data }) => [event, data.data.id])
    expect(told).toEqual([
      ['remove', String(removed.id)],
      ['remove', String(hidden.id)],
    ])
  },
)

test('rows that change within one look are told of in the order of their commits', async () => {
  const posts = [await addPost(api.db), await addPost(api.db), await addPost(api.db)]
  const stream = await open('posts?sort=id&page[size]=1')
  await stream.next()
  expect(await stream.rest()).toEqual([])
  for (const order of [
    [2, 0, 1],
    [1, 2, 0],
  ]) {
    const ids = order.map((i) => posts[i]?.id as number)
    await api.db.$transaction(
      ids.map((id) => api.db.post.update({ where: { id }, data: { title: `In order ${order}` } })),
    )
    const told = await stream.until(({ length }) => length === 3)
    expect(told.map(({ data }) => Number(data.data.id))).toEqual(ids)
  }
})
