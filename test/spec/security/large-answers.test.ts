import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import V1 from '../../../src/app/v1/server.ts'
import { users } from '../../support/api.ts'
import { openTestDatabase } from '../../support/database.ts'
import { exampleWith, type Running, startServers } from '../../support/servers.ts'

// A document may be as long as 16 MiB. The process answers others while it makes one, and while it makes several at the same time.

const videos = 15

let running: Running | undefined
let database: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  database = await openTestDatabase()
  const own = { url: 'https://example.com/', ownerId: users.editor, featured: true, rating: 5 }
  const titles = Array.from({ length: videos }, (_, n) => `${'ä'.repeat(500_000)} ${n}`)
  await database.writer.video.createMany({ data: titles.map((title) => ({ ...own, title })) })
  running = await startServers(database, await exampleWith(V1))
})
afterAll(async () => {
  await running?.close()
  await database.close()
})

const get = (path: string) => (running as Running).as(null)('GET', `/api/v1${path}`)

/** The CPU time of this process in each turn of the event loop, in milliseconds. */
async function turnsDuring(work: () => Promise<unknown>): Promise<readonly number[]> {
  const turns: number[] = []
  let isDone = false
  const done = work().finally(() => {
    isDone = true
  })
  for (let before = process.cpuUsage(); !isDone; before = process.cpuUsage()) {
    await turn()
    const { user, system } = process.cpuUsage(before)
    turns.push((user + system) / 1000)
  }
  await done
  return turns
}
const path = `/videos?filter[rating]=5&page[size]=${videos}`

test('is told whole, in turns of which none takes half of the time', async () => {
  const { status, body } = await get(path)
  expect([status, body.data.length]).toEqual([200, videos])
  const lengths: readonly number[] = body.data.map(
    ({ attributes }: { attributes: { title: string } }) => attributes.title.length,
  )
  expect(new Set(lengths)).toEqual(new Set([500_002, 500_003]))
  let least = 1
  // A turn that collects garbage, or compiles, is longer now and then.
  for (let i = 0; i < 12 && least >= 1 / 2; i++) {
    const turns = await turnsDuring(() => fetchText(path))
    least = Math.min(least, Math.max(...turns) / turns.reduce((sum, each) => sum + each, 0))
  }
  expect(least).toBeLessThan(1 / 2)
})

// The event loop itself reads what SQLite has.
test.runIf(resources.provider === 'sqlite')('so are several at once', async () => {
  const longest = async (times: number) =>
    Math.max(...(await turnsDuring(() => Promise.all(Array.from({ length: times }, () => fetchText(path))))))
  // One turn of all would be four times as long each time; a turn that collects garbage is longer now and then.
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 12 && least >= 2.5; i++) {
    const alone = await longest(1)
    least = Math.min(least, (await longest(4)) / alone)
  }
  expect(least).toBeLessThan(2.5)
})

/** Its text alone: what is parsed here would be a turn of its own. */
const fetchText = async (asked: string) => {
  const { at } = running as Running
  const { status, headers, body } = await fetch(`${at}/api/v1${asked}`, {
    headers: { Accept: 'application/vnd.api+json' },
  })
  for await (const _ of body ?? []);
  expect([status, Number(headers.get('Content-Length'))]).toEqual([200, expect.any(Number)])
}
