import { type Serving, unauthorized } from 'prismapi'
import { afterEach, expect, test, vi } from 'vitest'
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

async function watch(user: number, path: string, more: Record<string, string> = {}) {
  const Authorization = `Bearer ${await signToken(user, authSecret)}`
  const stream = await openEvents(`${api.at}/api/v2/${path}`, { Authorization, ...more })
  opened.push(stream)
  return stream
}
/** The server may ask for a user's stream of a test before: each test has a user of its own. */
async function watchDraft(user: number) {
  const { id } = await addPost(api.db, { authorId: 2, publishedAt: null })
  return { id, open: () => watch(user, `posts?filter[id]=${id}`) }
}
const setRole = (id: number, role: 'EDITOR' | 'MEMBER') => api.db.user.update({ where: { id }, data: { role } })
const pause = () => new Promise((resolve) => setTimeout(resolve, 300))
const kinds = async (stream: EventStream) => (await stream.rest()).map(({ event }) => event)

test('what was being read with rights that are gone meanwhile is not told', async () => {
  await setRole(users.member3, 'EDITOR')
  const { id, open } = await watchDraft(users.member3)
  const stream = await open()
  expect((await stream.next()).data.data).toHaveLength(1)
  const reading = gate()
  onRead = (user) => (isEditor(user) ? reading.pass() : null)
  await api.db.post.update({ where: { id }, data: { title: 'Secret' } })
  await reading.entered
  await setRole(users.member3, 'MEMBER')
  expect((await stream.next()).event).toBe('remove')
  reading.open()
  expect(await kinds(stream)).toEqual([])
})

test('an answer about the caller that comes late does not stand for a newer one', async () => {
  await setRole(users.member4, 'MEMBER')
  const { open } = await watchDraft(users.member4)
  const stream = await open()
  expect((await stream.next()).data.data).toHaveLength(0)
  const asking = gate()
  let asked = 0
  onUser = (user) => (isEditor(user) && asked++ === 0 ? asking.pass() : null)
  await setRole(users.member4, 'EDITOR')
  await asking.entered
  await setRole(users.member4, 'MEMBER')
  // Its own answer would be there by now.
  await pause()
  asking.open()
  // Of what the right showed nothing was told, as it is gone before it was known.
  expect(await kinds(stream)).toEqual([])
  await setRole(users.member4, 'EDITOR')
  expect((await stream.next()).event).toBe('upsert')
})

test('rights that change while a stream begins are those of the stream', async () => {
  await setRole(users.member5, 'EDITOR')
  const { open } = await watchDraft(users.member5)
  const reading = gate()
  onRead = (user) => (isEditor(user) ? reading.pass() : null)
  // Another stream has the log read meanwhile.
  const beside = await watch(users.admin, 'tags')
  await beside.next()
  const opening = open()
  await reading.entered
  await setRole(users.member5, 'MEMBER')
  await api.db.tag.create({ data: { name: 'The log is read' } })
  await beside.next()
  reading.open()
  const stream = await opening
  expect((await stream.next()).data.data).toEqual([])
  expect(await kinds(stream)).toEqual([])
})

test('what comes while the streams of a user who is renamed are moved is told to each of them', async () => {
  await addPost(api.db, { title: 'Moved' })
  const open = () => watch(users.editor, 'posts?filter[title]=Moved')
  const streams = [await open(), await open()]
  for (const stream of streams) expect((await stream.next()).data.data).toHaveLength(1)
  const isRenamed = (user: unknown) => (user as { readonly name: string }).name === 'Renamed'
  const [readingBefore, readingAfter, asking] = [gate(), gate(), gate()]
  let asked = 0
  onUser = (user) => (isRenamed(user) && ++asked === 2 ? asking.pass() : null)
  onRead = (user) => (isRenamed(user) ? readingAfter : readingBefore).pass()
  await api.db.user.update({ where: { id: users.editor }, data: { name: 'Renamed' } })
  // One of them is being moved, and it is being asked whose the other one is.
  await Promise.all([readingAfter.entered, asking.entered])
  const { id } = await addPost(api.db, { title: 'Moved' })
  await readingBefore.entered
  asking.open()
  await pause()
  readingBefore.open()
  await pause()
  readingAfter.open()
  for (const stream of streams) {
    expect(await stream.next()).toMatchObject({ event: 'upsert', data: { data: { id: String(id) } } })
    expect(await kinds(stream)).toEqual([])
  }
})

test('a stream that is given up while its client comes back begins anew', async () => {
  const path = 'posts?filter[title]=Given up&sort=id'
  const { id } = await addPost(api.db, { title: 'Given up' })
  // The other one has the server go on reading.
  const [other, stream] = [await watch(users.admin, path), await watch(users.admin, path)]
  await other.next()
  const { id: last } = await stream.next()
  await stream.close()
  const reading = gate()
  onRead = reading.pass
  await api.db.post.update({ where: { id }, data: { content: 'Changed' } })
  await reading.entered
  const added = await addPost(api.db, { title: 'Given up' })
  await pause()
  const asked = gate()
  onUser = () => void asked.pass()
  const returning = watch(users.admin, path, { 'Last-Event-ID': last })
  await asked.entered
  await pause()
  // The server asks whose it is, and finds nobody there.
  await api.db.user.update({ where: { id: users.admin }, data: { passwordHash: 'another' } })
  await pause()
  reading.open()
  const again = await returning
  expect((await again.next()).event).toBe('reset')
  const { event, data } = await again.next()
  expect([event, data.data.map((each: { id: string }) => each.id)]).toEqual([
    'snapshot',
    [String(id), String(added.id)],
  ])
})

test('what had begun to be read for a stream that has ended keeps nobody reading', async () => {
  await setRole(users.member6, 'EDITOR')
  const { id, open } = await watchDraft(users.member6)
  const stream = await open()
  await stream.next()
  const reading = gate()
  onRead = (user) => (isEditor(user) ? reading.pass() : null)
  await api.db.post.update({ where: { id }, data: { title: 'Read' } })
  await reading.entered
  await setRole(users.member6, 'MEMBER')
  expect((await stream.next()).event).toBe('remove')
  onUser = () => {
    throw unauthorized('Bearer')
  }
  await setRole(users.member6, 'EDITOR')
  expect((await stream.next()).data).toEqual({ reason: 'expired' })
  reading.open()
  // Streams of other tests wait for clients that may come back: they are asked after their users, and dropped.
  for (const user of Object.values(users))
    await api.db.user.update({ where: { id: user }, data: { name: 'Asked after' } })
  await vi.waitFor(async () => expect(await api.queriesOf(pause)).toEqual([]), { timeout: 60_000, interval: 100 })
})
