import { setTimeout as pause } from 'node:timers/promises'
import { conflict, type JsonApiError, type PrismApi, type Serving, type User } from 'prismapi'
import type { WriteEventOf } from 'prismapi/types'
import { beforeEach, describe, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { users } from '../../support/api.ts'
import { isGuarded } from '../../support/guarded.ts'
import { fresh } from '../../support/idempotency.ts'
import { addPost } from '../../support/rows.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// Several calls in one transaction, and calls that join that of the hook or action which makes them.

type Event = WriteEventOf<'Post'>

let inSaved: (api: PrismApi, event: Event) => unknown = () => {}
let inCreating: (api: PrismApi) => unknown = () => {}

class Joined extends V2 {
  override serving(phase: Serving): void {
    super.serving(phase)
    phase.saved('Post', (_, event) => inSaved(example.api, event) as Promise<void>)
    phase.creating('Tag', (async () => inCreating(example.api)) as never)
  }
}

// A machine that is busy ends no transaction.
const transactions = { timeout: 60_000, holdMilliseconds: 60_000 }
const example = useServers(async () => ({ ...(await exampleWith(Joined)), transactions }))

const userOf = async (id: number): Promise<User> =>
  example.db.user.findUniqueOrThrow({ where: { id }, select: { id: true, name: true, email: true, role: true } })
const as = async (id: number) => example.api.as(await userOf(id), { server: 'v2' })
const system = () => example.api.asSystem('nightly', { server: 'v2' })
const change = async (id: number, title: string, by: number = users.member3) =>
  example.as(by)('PATCH', `/api/v2/posts/${id}`, {
    body: { data: { type: 'posts', id: String(id), attributes: { title } } },
  })
const tagsNamed = (name: string) => example.db.tag.count({ where: { name } })

beforeEach(() => {
  inSaved = () => {}
  inCreating = () => {}
})

describe('a transaction', () => {
  test('sees what it has written, and keeps all of it', async () => {
    const [one, other] = [fresh('direct'), fresh('direct')]
    const found = await (await as(users.admin)).transaction(async (within) => {
      const { id } = await within.create('Tag', { name: one })
      await within.create('Tag', { name: other })
      const seen = await example.as(users.admin)('GET', `/api/v2/tags?filter[name]=${one}`)
      expect(seen.body.data).toEqual([])
      expect(await within.list('Tag', { filter: { name: [one, other] } })).toHaveLength(2)
      return (await within.update('Tag', id, { name: `${one}-changed` }))?.name
    })
    expect(found).toBe(`${one}-changed`)
    expect([await tagsNamed(`${one}-changed`), await tagsNamed(other)]).toEqual([1, 1])
  })

  test('is undone by what its work throws, which is thrown as it is', async () => {
    const name = fresh('direct')
    const failure = new Error('a reason of its own')
    const run = system().transaction(async (within) => {
      await within.create('Tag', { name })
      throw failure
    })
    await expect(run).rejects.toBe(failure)
    expect(await tagsNamed(name)).toBe(0)
  })

  test('goes on behind a refusal that it catches, and not behind a write that has failed', async () => {
    const [one, other] = [fresh('direct'), fresh('direct')]
    await system().transaction(async (within) => {
      await within.create('Tag', { name: one })
      await within.create('Tag', { name: one }).catch((error: JsonApiError) => expect(error.status).toBe(422))
    })
    expect(await tagsNamed(one)).toBe(1)
    const refused = conflict('not now')
    inSaved = () => {
      throw refused
    }
    const { id } = await addPost(example.db, { authorId: users.member3 })
    const run = system().transaction(async (within) => {
      await within.create('Tag', { name: other })
      await within.update('Post', id, { title: 'Half' }).catch(() => {})
    })
    await expect(run).rejects.toBe(refused)
    expect([await tagsNamed(other), await example.db.post.count({ where: { id, title: 'Half' } })]).toEqual([0, 0])
  })

  test('runs preparing hooks before it begins', async () => {
    const email = `${fresh('direct')}@example.com`
    let runs = 0
    await system().transaction(async (within) => {
      runs++
      const fields = { name: 'New', email, password: 'a long password', passwordConfirmation: 'a long password' }
      await within.create('User', fields)
    })
    expect(runs).toBe(2)
    expect(await example.db.user.findUniqueOrThrow({ where: { email } })).toMatchObject({
      passwordHash: expect.stringContaining('$'),
    })
  })

  test('runs again where it met another one', async () => {
    const { id } = await addPost(example.db, { authorId: users.member3, title: '0' })
    const count = () =>
      system().transaction(async (within) => {
        const { title } = await within.find('Post', id)
        await within.update('Post', id, { title: String(Number(title) + 1) })
      })
    await Promise.all(Array.from({ length: 5 }, count))
    expect((await example.db.post.findUniqueOrThrow({ where: { id } })).title).toBe('5')
  })

  test('has ended for calls that come too late', async () => {
    let late: (() => Promise<unknown>) | undefined
    await system().transaction(async (within) => {
      late = () => within.find('Tag', 1)
    })
    await expect(late?.()).rejects.toThrow('has ended')
  })
})

describe('a call in a hook', () => {
  test('is a part of its transaction', async () => {
    const { id } = await addPost(example.db, { authorId: users.member3 })
    const name = fresh('direct')
    inSaved = async (api) => {
      inSaved = () => {}
      await api.asSystem('hook', { server: 'v2' }).create('Tag', { name })
    }
    expect((await change(id, 'Kept')).status).toBe(200)
    expect(await tagsNamed(name)).toBe(1)
    inSaved = async (api) => {
      await api.asSystem('hook', { server: 'v2' }).create('Tag', { name: `${name}-undone` })
      throw conflict('undone')
    }
    expect((await change(id, 'Undone')).status).toBe(409)
    expect(await tagsNamed(`${name}-undone`)).toBe(0)
  })

  test('sees what its own write has done, and others do not', async () => {
    const one = await addPost(example.db, { authorId: users.member3 })
    const other = await addPost(example.db, { authorId: users.member3 })
    const seen = new Map<string, string | undefined>()
    inSaved = async (api, event) => {
      const read = await api.as(event.user, { server: 'v2' }).find('Post', Number(event.row?.id))
      await pause(20)
      seen.set(read.id, read.title)
    }
    await Promise.all([change(one.id, 'One'), change(other.id, 'Other')])
    expect(seen).toEqual(
      new Map([
        [String(one.id), 'One'],
        [String(other.id), 'Other'],
      ]),
    )
  })

  test('is named by its own caller in the trail, and the rest by the caller of the request', async () => {
    const { id } = await addPost(example.db, { authorId: users.member3 })
    const [before, name, after] = [fresh('direct'), fresh('direct'), fresh('direct')]
    inSaved = async (api, { db }) => {
      inSaved = () => {}
      await db.tag.create({ data: { name: before } })
      await api.asSystem('hook', { server: 'v2' }).create('Tag', { name })
      await db.tag.create({ data: { name: after } })
    }
    expect((await change(id, 'Told', users.admin)).status).toBe(200)
    const byOf = async (tag: string) => {
      const row = await example.db.tag.findUniqueOrThrow({ where: { name: tag } })
      const [logged] = await example.db.change.findMany({ where: { model: 'Tag', key: String(row.id) } })
      return logged?.user
    }
    expect([await byOf(before), await byOf(name), await byOf(after)]).toEqual([
      `${users.admin}`,
      'hook',
      `${users.admin}`,
    ])
  })

  test('is by itself after the commit', async () => {
    const { id } = await addPost(example.db, { authorId: users.member3 })
    const name = fresh('direct')
    inSaved = (api, { afterCommit }) => {
      inSaved = () => {}
      afterCommit(() => api.asSystem('mail', { server: 'v2' }).create('Tag', { name }))
    }
    await change(id, 'Later')
    expect(await tagsNamed(name)).toBe(1)
  })

  test('that comes too late is an error', async () => {
    const { id } = await addPost(example.db, { authorId: users.member3 })
    let late: Promise<unknown> | undefined
    inSaved = (api) => {
      late = pause(200).then(() => api.asSystem('late', { server: 'v2' }).create('Tag', { name: fresh('direct') }))
      late.catch(() => {})
    }
    await change(id, 'Early')
    await expect(late).rejects.toThrow('the transaction that this call belongs to has ended')
  })

  // In a guarded database each write has one.
  test.skipIf(isGuarded)('that has no transaction is an error', async () => {
    inCreating = (api) => api.asSystem('hook', { server: 'v2' }).list('Tag')
    const call = system().create('Tag', { name: fresh('direct') })
    await expect(call).rejects.toMatchObject({
      status: 500,
      cause: { message: expect.stringContaining('no transaction to join') },
    })
  })

  test('that fails in its write undoes the request, though the hook catches it', async () => {
    const { id, title } = await addPost(example.db, { authorId: users.member3 })
    const other = await addPost(example.db, { authorId: users.member3 })
    inSaved = async (api, event) => {
      if (event.row?.id !== id) throw conflict('not this one')
      await api
        .as(event.user, { server: 'v2' })
        .update('Post', other.id, { title: 'Half' })
        .catch(() => {})
    }
    expect((await change(id, 'Half')).status).toBe(409)
    expect((await example.db.post.findUniqueOrThrow({ where: { id } })).title).toBe(title)
  })
})
