import { expect, test } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import V2 from '../../../src/app/v2/server.ts'
import { authSecret, users } from '../../support/api.ts'
import { openEvents } from '../../support/event-stream.ts'
import { exampleWith, useServers } from '../../support/servers.ts'
import { useTelemetry } from '../../support/telemetry.ts'

// What OpenTelemetry is told of streams: docs/observability.md.

const { telemetry, pointsOf } = useTelemetry()
const live = useServers(async () => ({ ...(await exampleWith(V2)), telemetry }))

test('streams are counted while they are open, their events by name, and how late these are', async () => {
  const Authorization = `Bearer ${await signToken(users.admin, authSecret)}`
  const stream = await openEvents(`${live.at}/api/v2/tags`, { Authorization })
  await stream.next()
  const { id } = await live.db.tag.create({ data: { name: 'Measured' } })
  await stream.next()
  await live.db.tag.delete({ where: { id } })
  await stream.next()
  const value = async (name: string) => (await pointsOf(name)).map(({ unit, value }) => [unit, value])
  expect(await value('prismapi.live.streams')).toEqual([['{stream}', 1]])
  expect((await pointsOf('prismapi.live.events')).map(({ attributes, value }) => [attributes, value])).toEqual([
    [{ 'prismapi.live.event': 'snapshot' }, 1],
    [{ 'prismapi.live.event': 'upsert' }, 1],
    [{ 'prismapi.live.event': 'remove' }, 1],
  ])
  const [lag] = await pointsOf('prismapi.live.lag')
  expect(lag).toMatchObject({ unit: 's', value: { count: 2 } })
  const { sum } = (lag as unknown as { readonly value: { readonly sum: number } }).value
  expect(sum).toBeGreaterThan(0)
  expect(sum).toBeLessThan(60)
  await stream.close()
  await expect.poll(() => value('prismapi.live.streams')).toEqual([['{stream}', 0]])
})
