import type { Serving, User } from 'prismapi'
import type { WriteEventOf } from 'prismapi/types'
import { beforeEach, expect, test } from 'vitest'
import V2 from '../../src/app/v2/server.ts'
import { users } from '../support/api.ts'
import { addPost } from '../support/rows.ts'
import { exampleWith, useServers } from '../support/servers.ts'

// Calls inside of hooks, each of which has the rights of its own caller in the one transaction that there is.

type Event = WriteEventOf<'Post'>

let inSaved: (id: number, event: Event) => unknown = () => {}

class Joined extends V2 {
  override serving(phase: Serving): void {
    super.serving(phase)
    phase.saved('Post', ({ id }, event) => inSaved(id, event) as Promise<void>)
  }
}

// A machine that is busy ends no transaction.
const transactions = { timeout: 60_000 }
const example = useServers(async () => ({ ...(await exampleWith(Joined)), transactions }))

const select = { id: true, name: true, email: true, role: true }
const as = async (id: number) => {
  const user: User = await example.db.user.findUniqueOrThrow({ where: { id }, select })
  return example.api.as(user, { server: 'v2' })
}
const system = () => example.api.asSystem('hook', { server: 'v2' })
const draftOf = (authorId: number) => addPost(example.db, { authorId, publishedAt: null })
const rename = (id: number, by: number) =>
  example.as(by)('PATCH', `/api/v2/posts/${id}`, {
    body: { data: { type: 'posts', id: String(id), attributes: { title: 'Renamed' } } },
  })

let own: number
let other: number
beforeEach(async () => {
  own = (await draftOf(users.member3)).id
  other = (await draftOf(users.member4)).id
})

const titleOf = async (id: number) => (await example.db.post.findUniqueOrThrow({ where: { id } })).title

/** What a test has seen inside of a hook, by steps. */
async function seenIn(work: (event: Event, see: (step: string, seen: unknown) => void) => Promise<void>) {
  const seen: Record<string, unknown> = {}
  inSaved = async (id, event) => {
    if (id === own) await work(event, (step, what) => void Object.assign(seen, { [step]: what }))
  }
  expect((await rename(own, users.member3)).status).toBe(200)
  return seen
}

const sees = (db: Event['db'], id: number) => db.post.count({ where: { id } })

test('a call reads and writes as its caller, and what comes behind it as that of the request', async () => {
  const member4 = await as(users.member4)
  const seen = await seenIn(async ({ db, asSystem }, see) => {
    see('before', await sees(db, other))
    see('found', (await member4.find('Post', other)).id)
    see('hidden from them', await member4.find('Post', own).catch(({ status }) => status))
    see('between', await sees(db, other))
    see('changed', (await member4.update('Post', other, { title: 'By their author' }))?.title)
    see('seen by the job', (await system().list('Post', { filter: { id: [own, other] } })).length)
    see('seen by the hook as the system', await sees(asSystem(), other))
    // Not even what the transaction has written, for somebody else.
    see('behind', await sees(db, other))
    see('written behind', await db.post.updateMany({ where: { id: other }, data: { title: 'Stolen' } }))
    see('own', await db.post.updateMany({ where: { id: own }, data: { title: 'Own' } }))
  })
  expect(seen).toEqual({
    before: 0,
    found: String(other),
    'hidden from them': 404,
    between: 0,
    changed: 'By their author',
    'seen by the job': 2,
    'seen by the hook as the system': 1,
    behind: 0,
    'written behind': { count: 0 },
    own: { count: 1 },
  })
  expect([await titleOf(own), await titleOf(other)]).toEqual(['Own', 'By their author'])
})

test('calls and queries that do not wait for each other keep their own rights', async () => {
  const [member3, member4] = [await as(users.member3), await as(users.member4)]
  const seen = await seenIn(async ({ db, asSystem }, see) => {
    const foundBy = async (caller: typeof member3) =>
      (await caller.list('Post', { filter: { id: [own, other] } })).map(({ id }) => Number(id))
    const all = Array.from({ length: 5 }, () => [
      sees(db, other),
      foundBy(member4),
      sees(asSystem(), other),
      foundBy(member3),
      system()
        .find('Post', other)
        .then(({ id }) => Number(id)),
      sees(db, own),
    ])
    see('all', await Promise.all(all.flat()))
  })
  expect(seen).toEqual({ all: Array.from({ length: 5 }, () => [0, [other], 1, [own], other, 1]).flat() })
})

test('a hook of the call has the rights of its caller, and may call for others', async () => {
  const member4 = await as(users.member4)
  const steps: unknown[] = []
  inSaved = async (id, { db, user }) => {
    if (id === own) {
      await member4.update('Post', other, { title: 'Within' })
      steps.push(['request', user?.id, await sees(db, own), await sees(db, other)])
      return
    }
    steps.push(['call', user?.id, await sees(db, own), await sees(db, other)])
    steps.push(['job', (await system().find('Post', own)).id])
    steps.push(['call', user?.id, await sees(db, own), await sees(db, other)])
  }
  expect((await rename(own, users.member3)).status).toBe(200)
  expect(steps).toEqual([
    ['call', users.member4, 0, 1],
    ['job', String(own)],
    ['call', users.member4, 0, 1],
    ['request', users.member3, 1, 0],
  ])
})

test('what a call has failed by undoes all of it, and a refusal nothing', async () => {
  const member4 = await as(users.member4)
  const seen = await seenIn(async ({ db }, see) => {
    see('refused', await member4.update('Post', other, { title: '' }).catch(({ status }) => status))
    see('goes on', [await sees(db, own), await sees(db, other)])
  })
  expect(seen).toEqual({ refused: 422, 'goes on': [1, 0] })
  inSaved = async (id) => {
    if (id !== own) throw new Error('The hook of the call is broken.')
    await member4.update('Post', other, { title: 'Half' }).catch(() => {})
  }
  expect((await rename(own, users.member3)).status).toBe(500)
  expect(await titleOf(other)).not.toBe('Half')
})
