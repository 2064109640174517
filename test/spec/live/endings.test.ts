import type { Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import V2 from '../../../src/app/v2/server.ts'
import { authSecret, useApi } from '../../support/api.ts'
import { openBriefly, openEvents } from '../../support/event-stream.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// How streams end: docs/live.md.

const draining = new AbortController()
const api = useApi()
const ended = useApi({ draining: draining.signal })
const open = (Authorization: string, on = api) => openEvents(on.url('/api/v2/tags'), { Authorization })

describe('a stream ends', () => {
  test('when its token runs out', async () => {
    const stream = await openBriefly(async (expiresIn) =>
      open(`Bearer ${await signToken(1, authSecret, { expiresIn })}`),
    )
    expect((await stream.next()).event).toBe('snapshot')
    expect(await stream.next()).toMatchObject({ event: 'end', data: { reason: 'expired' } })
    await stream.ended
  })

  test('when its user is no more', async () => {
    const user = await api.make.user.create({})
    const stream = await open(await api.authorization(user.id))
    await stream.next()
    await api.db.user.delete({ where: { id: user.id } })
    expect(await stream.next()).toMatchObject({ event: 'end', data: { reason: 'expired' } })
    await stream.ended
  })

  test('when the process is about to end, which begins no other', async () => {
    const stream = await open(await ended.authorization(2), ended)
    await stream.next()
    draining.abort()
    expect(await stream.next()).toMatchObject({ event: 'end', data: { reason: 'draining' } })
    await stream.ended
    expect((await open(await ended.authorization(2), ended)).status).toBe(503)
  })
})

describe('a stream that is being opened', () => {
  const soon = new AbortController()
  /** It is told to end while it reads. */
  class Ending extends V2 {
    override serving(phase: Serving): void {
      super.serving(phase)
      phase.read('Tag', () => soon.abort())
    }
  }
  const ending = useServers(async () => ({ ...(await exampleWith(Ending)), draining: soon.signal }))

  test('when the process is told to end is 503', async () => {
    const { status, headers } = await openEvents(`${ending.at}/api/v2/tags`)
    expect([status, headers.get('Content-Type')]).toEqual([503, 'application/vnd.api+json'])
  })
})
