import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { type EventStream, openEvents } from '../../support/event-stream.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// What a client that comes back is told of what the server keeps no more: docs/live.md. The clock of the server is the test's.

class Forgetful extends V2 {
  override readonly live = { keep: 0.01, streamsPerCaller: 2 }
}
const servers = useServers(() => exampleWith(Forgetful))
const minute = 60_000
const opened: EventStream[] = []
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterAll(() => void vi.useRealTimers())
afterEach(async () => {
  for (const stream of opened.splice(0)) await stream.close()
})

/** There is room for a stream once the server knows that the client of another one has gone. */
async function open(last?: string): Promise<EventStream> {
  const stream = await openEvents(`${servers.at}/api/v2/tags`, last === undefined ? {} : { 'Last-Event-ID': last })
  if (stream.status === 429) return open(last)
  opened.push(stream)
  return stream
}
const pass = (milliseconds: number) => void vi.setSystemTime(Date.now() + milliseconds)
const make = async (name: string) => (await servers.db.tag.create({ data: { name } })).id
const remove = (id: number) => servers.db.tag.delete({ where: { id } })
const kinds = (events: readonly { readonly event: string }[]) => events.map(({ event }) => event)

test('the log is pruned while clients watch, and one that comes back soon lacks nothing', async () => {
  const stream = await open()
  const { id: last } = await stream.next()
  await stream.close()
  const id = await make('Pruned soon')
  const other = await open()
  const { data } = await other.next()
  expect(data.data.map((tag: { id: string }) => tag.id)).toContain(String(id))
  await servers.db.$executeRawUnsafe(`UPDATE "Tag" SET "name" = 'Pruned' WHERE "id" = ${id}`)
  await other.next()
  pass(1.1 * minute)
  // On SQLite the last change stays, as ids go on from there.
  await expect.poll(() => servers.db.change.count()).toBeLessThanOrEqual(1)
  const again = await open(last)
  expect(await again.next()).toMatchObject({ event: 'upsert', data: { data: { attributes: { name: 'Pruned' } } } })
  expect(await again.rest()).toEqual([])
})

test('a client that comes back to a place which was pruned begins anew, and one behind it goes on', async () => {
  const [early, late] = [await make('Removed early'), await make('Removed late')]
  const stream = await open()
  const first = await stream.next()
  await remove(early)
  const removed = await stream.next()
  pass(5.1 * minute)
  await remove(late)
  expect(await stream.next()).toMatchObject({ event: 'remove', data: { data: { id: String(late) } } })
  const behind = await open(removed.id)
  expect(await behind.next()).toMatchObject({ event: 'remove', data: { data: { id: String(late) } } })
  expect(await behind.rest()).toEqual([])
  const anew = await open(first.id)
  const { body } = await servers.as(null)('GET', '/api/v2/tags')
  expect(await anew.next()).toMatchObject({ event: 'reset', data: {} })
  expect(await anew.next()).toMatchObject({ event: 'snapshot', data: body })
  expect(await anew.rest()).toEqual([])
})

test('a client that was away for longer than five minutes begins anew', async () => {
  const [away, other] = [await open(), await open()]
  const { id: last } = await away.next()
  await other.next()
  await away.close()
  await (await open()).close()
  pass(5.1 * minute)
  // With this change, the server has looked at the clock, too.
  await make('Much later')
  await other.next()
  const again = await open(last)
  expect(kinds([await again.next(), await again.next()])).toEqual(['reset', 'snapshot'])
})
