import { afterEach, expect, test } from 'vitest'
import { parseNumber } from '../../../scripts/number-option.ts'
import { signToken } from '../../../src/app/auth.ts'
import V2 from '../../../src/app/v2/server.ts'
import { authSecret, users } from '../../support/api.ts'
import { type EventStream, openEvents } from '../../support/event-stream.ts'
import { randomNumbers } from '../../support/readers/random-rows.ts'
import { addPost, addUser } from '../../support/rows.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// A stream tells nothing that was written after its reader's right was withdrawn: docs/live.md.

class Quiet extends V2 {
  // It does not ask again by itself who a caller is.
  override readonly live = { heartbeat: 3600, streamsPerCaller: 100 }
}
const api = useServers(() => exampleWith(Quiet))
const opened: EventStream[] = []
afterEach(async () => {
  for (const stream of opened.splice(0)) await stream.close()
})
async function open(user: number, path: string, more: Record<string, string> = {}) {
  const Authorization = `Bearer ${await signToken(user, authSecret)}`
  const stream = await openEvents(`${api.at}/api/v2/${path}`, { Authorization, ...more })
  opened.push(stream)
  return stream
}

const withdrawals = {
  role: (id: number) => api.db.user.update({ where: { id }, data: { role: 'MEMBER' } }),
  user: (id: number) => api.db.user.delete({ where: { id } }),
}
const write = (id: number, content: string) => api.db.post.update({ where: { id }, data: { content } })

test.each(Object.keys(withdrawals) as (keyof typeof withdrawals)[])(
  'what one transaction withdraws and writes is not told: %s',
  async (kind) => {
    const draft = await addPost(api.db, { authorId: 2, publishedAt: null })
    const reader = await addUser(api.db, { role: 'EDITOR' })
    const stream = await open(reader.id, `posts?filter[id]=${draft.id}`)
    expect((await stream.next()).data.data).toHaveLength(1)
    await api.db.$transaction([write(draft.id, 'Written after it.'), withdrawals[kind](reader.id)])
    expect((await stream.next()).event).toBe(kind === 'role' ? 'remove' : 'end')
    if (kind === 'user') await stream.ended
    expect(stream.text()).not.toContain('Written after it.')
  },
)

// FC_SEED draws other moments, and repeats a run.
const seed = parseNumber('FC_SEED', process.env.FC_SEED, { otherwise: 1, from: 0 })

test('what is written behind a withdrawal is not told, whenever both are', async () => {
  const random = randomNumbers(seed)
  const pause = () => new Promise((resolve) => setTimeout(resolve, 70 * random()))
  const draft = await addPost(api.db, { authorId: 2, publishedAt: null })
  const paths = [`posts?filter[id]=${draft.id}`, `posts/${draft.id}`, 'users/2/posts?include=author', 'posts?sort=-id']
  let written = 0
  for (let round = 0; round < 12; round++) {
    const reader = await addUser(api.db, { role: 'EDITOR' })
    const streams = await Promise.all(paths.map((path) => open(reader.id, path)))
    const lasts = await Promise.all(streams.map(async (stream) => (await stream.next()).id))
    // Some come back just then.
    if (random() < 0.5) await streams[0]?.close()
    for (let i = Math.floor(3 * random()); i > 0; i--) {
      await write(draft.id, `Written before ${++written}.`)
      await pause()
    }
    await pause()
    await withdrawals[random() < 0.5 ? 'role' : 'user'](reader.id)
    const from = written + 1
    const coming = [paths[0], paths[3]].map((path, i) =>
      open(reader.id, String(path), i === 0 ? { 'Last-Event-ID': String(lasts[0]) } : {}),
    )
    for (let i = 0; i < 3; i++) {
      if (random() < 0.5) await pause()
      await write(draft.id, `Written after ${++written}.`)
    }
    for (const stream of [...streams, ...(await Promise.all(coming))]) {
      await stream.rest(200)
      const told = [...stream.text().matchAll(/Written after (\d+)\./g)].map(([, number]) => Number(number))
      expect({ seed, round, late: told.filter((number) => number >= from) }).toEqual({ seed, round, late: [] })
      await stream.close()
    }
  }
  // Who has the right is told.
  const stream = await open(users.editor, paths[0] as string)
  await stream.next()
  await write(draft.id, 'Written with the right.')
  expect((await stream.next()).data.data.attributes.body).toBe('Written with the right.')
})
