import type { Serving } from 'prismapi'
import { afterEach, expect, test } from 'vitest'
import { authenticator, signToken } from '../../../src/app/auth.ts'
import V2 from '../../../src/app/v2/server.ts'
import { authSecret, users } from '../../support/api.ts'
import { type EventStream, openEvents } from '../../support/event-stream.ts'
import { addPost } from '../../support/rows.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// Callers whose rights change while the server is at work for their streams: docs/live.md.

/** What holds work up: once it is entered, until it is opened. */
const gate = () => {
  let [enter, open] = [() => {}, () => {}]
  const entered = new Promise<void>((resolve) => {
    enter = resolve
  })
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const pass = () => {
    enter()
    return opened
  }
  return { pass, entered, open: () => open() }
}

let onRead: (user: unknown) => unknown = () => {}
let onUser: typeof onRead = () => {}
const isEditor = (user: unknown) => (user as { readonly role: string } | null)?.role === 'EDITOR'
class Held extends V2 {
  // It does not ask again by itself who a caller is.
  override readonly live = { heartbeat: 3600 }
  override serving(phase: Serving): void {
    super.serving(phase)
    phase.read('Post', async (_, { user }) => void (await onRead(user)))
  }
}
const api = useServers(async () => ({
  ...(await exampleWith(Held)),
  async authenticate(ctx) {
    const user = await authenticator(api.db, authSecret)(ctx)
    await onUser(user)
    return user
  },
}))
const opened: EventStream[] = []
afterEach(async () => {
  ;[onRead, onUser] = [() => {}, () => {}]
  for (const stream of opened.splice(0)) await stream.close()
})

async function watchDraft() {
  const { id } = await addPost(api.db, { authorId: 2, publishedAt: null })
  const Authorization = `Bearer ${await signToken(users.member3, authSecret)}`
  const open = async () => {
    const stream = await openEvents(`${api.at}/api/v2/posts?filter[id]=${id}`, { Authorization })
    opened.push(stream)
    return stream
  }
  return { id, open }
}
const setRole = (role: 'EDITOR' | 'MEMBER') => api.db.user.update({ where: { id: users.member3 }, data: { role } })
/** However long a busy machine takes. */
const firstTwo = async (stream: EventStream) => [(await stream.next()).event, (await stream.next()).event]
const kinds = async (stream: EventStream) => (await stream.rest()).map(({ event }) => event)

test('what was being read with rights that are gone meanwhile is not told', async () => {
  await setRole('EDITOR')
  const { id, open } = await watchDraft()
  const stream = await open()
  expect((await stream.next()).data.data).toHaveLength(1)
  const reading = gate()
  onRead = (user) => (isEditor(user) ? reading.pass() : null)
  await api.db.post.update({ where: { id }, data: { title: 'Secret' } })
  await reading.entered
  await setRole('MEMBER')
  expect((await stream.next()).event).toBe('remove')
  reading.open()
  expect(await kinds(stream)).toEqual([])
})

test('an answer about the caller that comes late does not stand for a newer one', async () => {
  await setRole('MEMBER')
  const { open } = await watchDraft()
  const stream = await open()
  expect((await stream.next()).data.data).toHaveLength(0)
  const asking = gate()
  let asked = 0
  onUser = (user) => (isEditor(user) && asked++ === 0 ? asking.pass() : null)
  await setRole('EDITOR')
  await asking.entered
  await setRole('MEMBER')
  // Its own answer would be there by now.
  await new Promise((resolve) => setTimeout(resolve, 300))
  asking.open()
  expect(await firstTwo(stream)).toEqual(['upsert', 'remove'])
  expect(await kinds(stream)).toEqual([])
})

test('rights that change while a stream begins are those of the stream', async () => {
  await setRole('EDITOR')
  const { open } = await watchDraft()
  const reading = gate()
  onRead = (user) => (isEditor(user) ? reading.pass() : null)
  // Another stream has the log read meanwhile.
  const beside = await openEvents(`${api.at}/api/v2/tags`)
  opened.push(beside)
  await beside.next()
  const opening = open()
  await reading.entered
  await setRole('MEMBER')
  await api.db.tag.create({ data: { name: 'The log is read' } })
  await beside.next()
  reading.open()
  const stream = await opening
  expect(await firstTwo(stream)).toEqual(['snapshot', 'remove'])
})
