import type { Context } from 'koa'
import { forbidden, unauthorized } from 'prismapi'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type AuthUser, authenticator, signToken } from '../../../src/app/auth.ts'
import V2 from '../../../src/app/v2/server.ts'
import { authSecret, users } from '../../support/api.ts'
import { type EventStream, openEvents } from '../../support/event-stream.ts'
import { addPost } from '../../support/rows.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// Whose a stream is, as long as it lasts: docs/live.md.

const opened: EventStream[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const stream of opened.splice(0)) await stream.close()
})
const open = async (at: string, path: string, as: number) => {
  const Authorization = `Bearer ${await signToken(as, authSecret)}`
  const stream = await openEvents(`${at}/api/v2${path}`, { Authorization })
  opened.push(stream)
  return stream
}

describe('users of whom JSON tells nothing', () => {
  /** As a class of an application may be: all that it knows is behind getters. */
  class Account {
    readonly #row: AuthUser
    constructor(row: AuthUser) {
      this.#row = row
    }
    get id() {
      return this.#row.id
    }
    get role() {
      return this.#row.role
    }
    get name() {
      return this.#row.name
    }
    get email() {
      return this.#row.email
    }
  }
  const api = useServers(async () => ({
    ...(await exampleWith(V2)),
    async authenticate(ctx) {
      const user = await authenticator(api.db, authSecret)(ctx)
      return user && new Account(user)
    },
  }))

  test('have streams of their own, which show what their callers may see', async () => {
    const { id } = await addPost(api.db, { authorId: users.member3, publishedAt: null })
    const path = `/posts?filter[id]=${id}`
    const [own, other] = [await open(api.at, path, users.member3), await open(api.at, path, users.member4)]
    expect((await own.next()).data.data).toHaveLength(1)
    expect((await other.next()).data.data).toHaveLength(0)
    await api.db.post.update({ where: { id }, data: { title: 'Secret' } })
    expect((await own.next()).event).toBe('upsert')
    expect(await other.rest()).toEqual([])
  })
})

describe('a token that runs out', () => {
  /** Who a caller is, it does not ask again by itself. */
  class Quiet extends V2 {
    override readonly live = { heartbeat: 3600 }
  }
  const api = useServers(() => exampleWith(Quiet))

  test('ends its stream by itself', async () => {
    const Authorization = `Bearer ${await signToken(users.member3, authSecret, { expiresIn: '8s' })}`
    const stream = await openEvents(`${api.at}/api/v2/tags`, { Authorization })
    opened.push(stream)
    await stream.next()
    expect(await stream.next()).toMatchObject({ event: 'end', data: { reason: 'expired' } })
    await stream.ended
  })
})

describe.each<[string, (ctx: Context) => never]>([
  [
    'unauthorized',
    () => {
      throw unauthorized('Bearer')
    },
  ],
  ['ctx.throw(401)', (ctx) => ctx.throw(401, 'Revoked.')],
  [
    'forbidden',
    () => {
      throw forbidden('Blocked.')
    },
  ],
])('a token that is revoked by %s, of which no row of the database tells', (_, refuse) => {
  /** However seldom comment lines come. */
  class Quiet extends V2 {
    override readonly live = { heartbeat: 3600 }
  }
  let isRevoked = false
  const api = useServers(async () => ({
    ...(await exampleWith(Quiet)),
    authenticate: (ctx) => {
      if (isRevoked) refuse(ctx)
      return authenticator(api.db, authSecret)(ctx)
    },
  }))

  test('ends its stream within a minute', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const stream = await open(api.at, '/tags', users.member3)
    await stream.next()
    isRevoked = true
    vi.advanceTimersByTime(60_000)
    expect(await stream.next()).toMatchObject({ event: 'end', data: { reason: 'expired' } })
    await stream.ended
  })
})

describe('the rights of a user are looked at again', () => {
  class Tenants extends V2 {
    override readonly live = { heartbeat: 3600, callerOf: ({ id }: AuthUser) => `tenant 1/${id}` }
  }
  let isRevoked = false
  const api = useServers(async () => ({
    ...(await exampleWith(Tenants)),
    authenticate: (ctx) => {
      if (isRevoked) throw unauthorized('Bearer')
      return authenticator(api.db, authSecret)(ctx)
    },
  }))
  afterEach(() => {
    isRevoked = false
  })
  const setRole = (id: number, role: 'EDITOR' | 'MEMBER') => api.db.user.update({ where: { id }, data: { role } })

  test('when their row changes, where more than its id tells a caller from all others', async () => {
    const { id } = await addPost(api.db, { authorId: users.editor, publishedAt: null })
    const stream = await open(api.at, `/posts?filter[id]=${id}`, users.member3)
    expect((await stream.next()).data.data).toEqual([])
    await setRole(users.member3, 'EDITOR')
    expect(await stream.next()).toMatchObject({ event: 'upsert', data: { data: { id: String(id) } } })
  })

  test('when their row changes in a transaction of many thousand changes', async () => {
    const { id } = await addPost(api.db, { authorId: users.editor, publishedAt: null })
    const stream = await open(api.at, `/posts?filter[id]=${id}`, users.member4)
    expect((await stream.next()).data.data).toEqual([])
    await api.db.$transaction([
      api.db.tag.createMany({ data: Array.from({ length: 5001 }, (_, i) => ({ name: `One of many ${i}` })) }),
      setRole(users.member4, 'EDITOR'),
    ])
    expect(await stream.next()).toMatchObject({ event: 'upsert', data: { data: { id: String(id) } } })
  })

  test('when the table of users is emptied', async () => {
    const stream = await open(api.at, '/tags', users.member5)
    await stream.next()
    isRevoked = true
    const last = await api.db.change.findFirstOrThrow({ orderBy: { id: 'desc' } })
    // As TRUNCATE of PostgreSQL is logged.
    const truncated = { at: new Date(), model: 'User', key: '', action: 'truncate' }
    await api.db.change.create({ data: { ...truncated, id: last.id + 1n, transaction: last.transaction + 1n } })
    expect(await stream.next()).toMatchObject({ event: 'end', data: { reason: 'expired' } })
    await stream.ended
  })
})
