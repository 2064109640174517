import { afterEach, expect, test } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import V2 from '../../../src/app/v2/server.ts'
import { authSecret, users } from '../../support/api.ts'
import { type EventStream, openEvents } from '../../support/event-stream.ts'
import { addPost, addTag } from '../../support/rows.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// What a change costs the database: docs/live.md.

const api = useServers(() => exampleWith(V2))
const streams: EventStream[] = []
afterEach(async () => {
  for (const stream of streams.splice(0)) await stream.close()
})

test('a change is read once for all streams of a URL whose callers see the same, however many they are', async () => {
  const { id } = await addTag(api.db, 'watched')
  const Authorization = `Bearer ${await signToken(users.admin, authSecret)}`
  const groups: readonly (readonly [string, Record<string, string>])[] = [
    ['/tags', {}],
    ['/tags?filter[name][contains]=watched', {}],
    ['/tags', { Authorization }],
  ]
  const open = async () => {
    for (const [path, headers] of groups) {
      const stream = await openEvents(`${api.at}/api/v2${path}`, headers)
      streams.push(stream)
      await stream.next()
    }
  }
  const change = () =>
    api.queriesOf(async () => {
      await api.db.$executeRawUnsafe(`UPDATE "Tag" SET "name" = "name" || '!' WHERE "id" = ${id}`)
      for (const stream of streams) expect((await stream.next()).event).toBe('upsert')
    })
  const reads = (queries: readonly string[]) => queries.filter((sql) => /^select .*"Tag"/i.test(sql)).length
  await open()
  expect(reads(await change())).toBe(groups.length)
  await open()
  expect(streams.length).toBe(2 * groups.length)
  expect(reads(await change())).toBe(groups.length)
})

test('a row that has changed is read by its id, though what is included with it is behind a join table', async () => {
  const { id } = await addPost(api.db, { tags: { connect: { id: 1 } } })
  const stream = await openEvents(`${api.at}/api/v2/posts?include=tags`)
  streams.push(stream)
  await stream.next()
  // The log tells of the new post and its tags a moment after the stream has begun.
  expect(await stream.rest()).toEqual([])
  const queries = await api.queriesOf(async () => {
    await api.db.$executeRawUnsafe(`UPDATE "Post" SET "title" = 'Read once' WHERE "id" = ${id}`)
    expect((await stream.next()).data.data.id).toBe(String(id))
  })
  expect(queries.filter((sql) => /^select .*from (?:"public"\.)?"Post"/i.test(sql))).toHaveLength(1)
})
