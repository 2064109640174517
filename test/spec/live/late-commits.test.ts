import { changeLog } from '@prismapi/live/change-log'
import { expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { provider } from '../../support/database.ts'
import { openEvents } from '../../support/event-stream.ts'

// Ids are given before the commit: what began first and is committed last has smaller ones than what was told before it.

const api = useApi()

test('a transaction that is committed behind later ones is told when it is, and keeps none of them waiting', async () => {
  const headers = { Authorization: await api.authorization(users.admin) }
  const stream = await openEvents(api.url('/api/v2/tags'), headers)
  await stream.next()
  const nameOf = async () => (await stream.next()).data.data.attributes.name
  await api.db.$transaction(
    async (transaction) => {
      await transaction.tag.create({ data: { name: 'Begun first' } })
      // SQLite has no other transaction meanwhile.
      if (provider === 'sqlite') return
      await api.db.tag.create({ data: { name: 'Committed first' } })
      expect(await nameOf()).toBe('Committed first')
    },
    { timeout: 60_000 },
  )
  expect(await nameOf()).toBe('Begun first')
  expect(await stream.rest()).toEqual([])
  await stream.close()
})

test.runIf(provider === 'postgresql')('numbers of transactions that are yet to come are not told', async () => {
  const log = changeLog({ reader: api.db, writer: api.db } as never, 'postgresql')
  const end = await log.end()
  const change = { at: new Date(), model: 'Tag', action: 'update' }
  // As in a database that was restored from another server.
  await api.db.change.create({ data: { ...change, key: '1', transaction: 10n ** 15n } })
  await api.db.tag.create({ data: { name: 'Told' } })
  const { changes, position } = await log.after(end)
  expect(changes.map(({ model, key }) => [model, key === '1'])).toEqual([['Tag', false]])
  expect((await log.after(position)).changes).toEqual([])
})
