import { expect, test } from 'vitest'
import { follow } from '../../clients/live/follow.ts'
import { useApi, users } from '../../support/api.ts'

// The client that docs/live.md shows.

const api = useApi()

test('the client of the documentation follows a collection until it is told to stop', async () => {
  const Authorization = await api.authorization(users.admin)
  const names = new Map<string, string>()
  const stop = new AbortController()
  type Tag = { id: string; attributes: { name: string } }
  const following = follow(
    api.url('/api/v2/tags'),
    { Authorization },
    (event, { data }) => {
      if (event === 'snapshot') for (const { id, attributes } of data as Tag[]) names.set(id, attributes.name)
      if (event === 'upsert') names.set((data as Tag).id, (data as Tag).attributes.name)
      if (event === 'remove') names.delete((data as Tag).id)
    },
    stop.signal,
  )
  await expect.poll(() => names.size).toBeGreaterThan(0)
  const tag = await api.make.tag.create({ name: 'Followed' })
  await expect.poll(() => names.get(String(tag.id))).toBe('Followed')
  // Line ends of JavaScript that are none of the format.
  for (const name of ['one\u2028two', 'one\u2029two', 'one\u0085two', 'one\rtwo\nthree']) {
    await api.db.tag.update({ where: { id: tag.id }, data: { name } })
    await expect.poll(() => names.get(String(tag.id))).toBe(name)
  }
  await api.db.tag.delete({ where: { id: tag.id } })
  await expect.poll(() => names.has(String(tag.id))).toBe(false)
  stop.abort()
  await following
})

test('the client of the documentation says why it cannot', async () => {
  const refused = follow(api.url('/api/v2/tags/999999'), {}, () => {}, new AbortController().signal)
  await expect(refused).rejects.toThrow('Not Found')
})
