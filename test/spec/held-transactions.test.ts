import type { Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V1 from '../../src/app/v1/server.ts'
import { users } from '../support/api.ts'
import { provider } from '../support/database.ts'
import { fresh } from '../support/idempotency.ts'
import { exampleWith, useServers } from '../support/servers.ts'

let begin: () => void = () => {}
const begun = new Promise<void>((resolve) => (begin = resolve))
let resume: () => void = () => {}
const resumed = new Promise<void>((resolve) => (resume = resolve))

/** A hook that holds the transaction of one tag until it is told to go on. */
class Holding extends V1 {
  override serving(phase: Serving): void {
    super.serving(phase)
    phase.created('Tag', async ({ name }) => {
      if (!name.startsWith('held')) return
      begin()
      await resumed
    })
  }
}

// Elsewhere a transaction that is held keeps no other writer waiting.
describe.runIf(provider === 'sqlite')('on SQLite', () => {
  const api = useServers(async () => ({ ...(await exampleWith(Holding)), transactions: { holdMilliseconds: 500 } }))

  test('a transaction that is held too long is undone, 503, and others write', async () => {
    const name = fresh('held')
    const post = (tag: string) =>
      api.as(users.admin)('POST', '/api/v1/tags', { body: { data: { type: 'tags', attributes: { name: tag } } } })
    const held = post(name)
    await begun
    // Waits for the transaction, whose hook does not end it.
    const other = fresh('other')
    expect((await post(other)).status).toBe(201)
    resume()
    const { status, headers } = await held
    expect({ status, again: headers.get('Retry-After') }).toEqual({ status: 503, again: '1' })
    expect(await api.db.tag.findMany({ where: { name: { in: [name, other] } } })).toMatchObject([{ name: other }])
  })
})
