import { DocumentSize } from '@prismapi/core/read/loading/loading'
import { afterEach, describe, expect, test } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import V2 from '../../../src/app/v2/server.ts'
import { authSecret, users } from '../../support/api.ts'
import { type EventStream, openEvents } from '../../support/event-stream.ts'
import { addPost } from '../../support/rows.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// A stream watches no more text than a document may have: docs/limits.md, docs/live.md.

class Small extends V2 {
  override readonly limits = { maxPageSize: 100, documentBytes: 20_000 }
}
const api = useServers(() => exampleWith(Small))
const opened: EventStream[] = []
afterEach(async () => {
  for (const stream of opened.splice(0)) await stream.close()
})
async function open(path: string) {
  const Authorization = `Bearer ${await signToken(users.admin, authSecret)}`
  const stream = await openEvents(`${api.at}/api/v2/${path}`, { Authorization })
  opened.push(stream)
  return stream
}
const text = (length: number) => 'x'.repeat(length)
const codeOf = async (path: string, headers: Record<string, string> = {}) => {
  const { status, body } = await api.as(users.admin)('GET', `/api/v2/${path}`, { headers })
  return [status, body.errors?.[0].code]
}

test.each([
  ['one text of a resource', 100_000, 1],
  ['the text of a page', 3000, 10],
])('what GET refuses for %s is refused as a stream, too', async (title, length, count) => {
  for (let i = 0; i < count; i++) await addPost(api.db, { title, content: text(length) })
  const path = `posts?filter[title]=${title}&page[size]=20`
  expect(await codeOf(path)).toEqual([400, 'too-large'])
  expect(await codeOf(path, { Accept: 'text/event-stream' })).toEqual([400, 'too-large'])
})

describe('a stream that grows beyond that ends', () => {
  const ended = async (stream: EventStream) => {
    const told = await stream.until((events) => events.at(-1)?.event === 'end')
    await stream.ended
    return told.at(-1)?.data
  }

  test.each([
    ['of a collection', (id: number) => `posts?filter[id]=${id}`],
    ['of a resource', (id: number) => `posts/${id}`],
  ])('by one text: %s', async (_, pathOf) => {
    const { id } = await addPost(api.db)
    const stream = await open(pathOf(id))
    await stream.next()
    await api.db.post.update({ where: { id }, data: { content: text(100_000) } })
    expect(await ended(stream)).toEqual({ reason: 'gone' })
    expect(await codeOf(pathOf(id), { Accept: 'text/event-stream' })).toEqual([400, 'too-large'])
  })

  test('by rows that come one after the other', async () => {
    const path = 'posts?filter[title]=One by one'
    const stream = await open(path)
    await stream.next()
    const ending = ended(stream)
    for (let i = 0; i < 8; i++) {
      await addPost(api.db, { title: 'One by one', content: text(3000) })
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(await ending).toEqual({ reason: 'gone' })
  })
})

test('Json counts while rows are read', () => {
  const at = { url: new URL('http://localhost/'), search: '' }
  const size = new DocumentSize({ at, limits: { resources: 10, documentBytes: 1000 } } as never)
  const json = { list: [{ key: text(100) }, text(100)], [text(100)]: null }
  size.addRow({ json })
  size.addRow({ json })
  size.addRow({ json })
  expect(() => size.addRow({ json })).toThrow(expect.objectContaining({ status: 400 }))
})
