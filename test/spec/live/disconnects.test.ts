import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { openEvents, type ServerEvent } from '../../support/event-stream.ts'

// Nothing is lost, whenever a connection ends: after it has come back, each client has what the database has.

const api = useApi()
const path = '/api/v2/tags'

interface Client {
  readonly names: Map<string, string>
  last: string
}

/** Takes all events of a stream into what the client knows. */
function take(client: Client, events: readonly ServerEvent[]) {
  for (const { event, id, data } of events) {
    client.last = id
    if (event === 'snapshot') {
      client.names.clear()
      for (const tag of data.data) client.names.set(tag.id, tag.attributes.name)
    } else if (event === 'upsert') {
      // Nothing comes twice.
      expect(client.names.get(data.data.id)).not.toBe(data.data.attributes.name)
      client.names.set(data.data.id, data.data.attributes.name)
    } else if (event === 'remove') expect(client.names.delete(data.data.id)).toBe(true)
  }
}

test('clients that are cut off again and again under writes end with what the database has', async () => {
  const Authorization = await api.authorization(users.admin)
  const clients: Client[] = [0, 1, 2].map(() => ({ names: new Map(), last: '' }))
  let isWriting = true
  let writes = 0
  const writing = (async () => {
    const ids: number[] = []
    while (isWriting) {
      const name = `Written ${++writes}`
      if (ids.length < 5 || writes % 3 === 0) ids.push((await api.make.tag.create({ name })).id)
      else if (writes % 3 === 1)
        await api.db.tag.update({ where: { id: ids[writes % ids.length] ?? 0 }, data: { name } })
      else await api.db.tag.delete({ where: { id: ids.shift() ?? 0 } })
      await sleep(5)
    }
  })()
  const headersOf = ({ last }: Client) => ({ Authorization, ...(last !== '' && { 'Last-Event-ID': last }) })
  await Promise.all(
    clients.map(async (client, i) => {
      for (let times = 0; times < 10; times++) {
        const stream = await openEvents(api.url(path), headersOf(client))
        await sleep(20 + ((times * 37 + i * 53) % 150))
        await stream.close()
        // What came until then; the rest comes again.
        take(client, await stream.rest(0))
      }
    }),
  )
  isWriting = false
  await writing
  const stored = new Map((await api.db.tag.findMany()).map(({ id, name }) => [String(id), name]))
  for (const client of clients) {
    const stream = await openEvents(api.url(path), headersOf(client))
    while (!isDeepStrictEqual(client.names, stored)) take(client, [await stream.next()])
    take(client, await stream.rest())
    await stream.close()
    expect(client.names).toEqual(stored)
  }
  expect(writes).toBeGreaterThan(20)
})
