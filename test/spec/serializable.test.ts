import { setTimeout as sleep } from 'node:timers/promises'
import { JsonApiError, meta, Schema, Server, type Serving, serializable } from 'prismapi'
import type { Clients, DatabaseClient, TransactionClient } from 'prismapi/types'
import { beforeEach, expect, test } from 'vitest'
import { users } from '../support/api.ts'
import { provider } from '../support/database.ts'
import { useServers } from '../support/servers.ts'

// Work of the application's own in a serializable transaction, which runs again where it has met another one.

/** What hooks do inside of their transaction, and after the commit. */
let inside: (clients: Clients) => unknown = () => {}
let afterwards: (db: DatabaseClient) => unknown = () => {}

class Watched extends Server {
  override readonly name = 'v1'
  override readonly models = ['Tag', 'Profile'] as const
  override authorizable = () => false

  override serving(phase: Serving): void {
    phase.created('Tag', async (_, { afterCommit }) => {
      await inside(clients())
      afterCommit(({ db }) => afterwards(db))
    })
  }
}

class TagSchema extends Schema<'Tag'> {
  override actions() {
    return [
      this.action('inside', {
        on: 'collection',
        async handle() {
          await inside(clients())
          return meta({ done: true })
        },
      }),
    ]
  }
}

// A machine that is busy ends no transaction.
const limits = { maxWait: 60_000, timeout: 60_000, holdMilliseconds: 60_000 }
const api = useServers(() => ({
  policies: new Map(),
  servers: [{ server: Watched, schemas: new Map([['Tag', TagSchema]]), authorizers: new Map(), requests: new Map() }],
  transactions: limits,
}))
const clients = () => api.clients
const tagged = (name: string) => api.db.tag.count({ where: { name } })
const create = (name: string) =>
  api.as(users.admin)('POST', '/api/v1/tags', { body: { data: { type: 'tags', attributes: { name } } } })

/** What Prisma Client throws where two transactions have met. */
const conflict = () =>
  Object.assign(new Error('They have met.'), { name: 'PrismaClientKnownRequestError', code: 'P2034' })

beforeEach(() => {
  inside = () => {}
  afterwards = () => {}
})

/** Resolves once so many have come. On SQLite one writes at a time, so nobody waits for others. */
function meeting(of: number): () => Promise<void> {
  let here = 0
  let all: () => void
  const together = new Promise<void>((resolve) => {
    all = resolve
  })
  return async () => {
    here += 1
    if (here >= of) all()
    if (provider !== 'sqlite') await together
  }
}

test('of two that look and write at once, one runs again, and sees what the other has written', async () => {
  const meet = meeting(2)
  let runs = 0
  const take = () =>
    serializable(
      clients(),
      async (db) => {
        runs += 1
        const isTaken = (await db.tag.count({ where: { name: { startsWith: 'seat of ' } } })) > 0
        await meet()
        if (isTaken) return 'taken'
        await db.tag.create({ data: { name: `seat of ${runs}` } })
        return 'mine'
      },
      limits,
    )
  expect((await Promise.all([take(), take()])).sort()).toEqual(['mine', 'taken'])
  expect(await api.db.tag.count({ where: { name: { startsWith: 'seat of ' } } })).toBe(1)
  expect(runs).toBe(provider === 'sqlite' ? 2 : 3)
})

test('ten that count one row up all do', async () => {
  const { id } = await api.db.video.create({ data: { title: 'Seen', url: 'https://example.org', durationSeconds: 0 } })
  const look = () =>
    serializable(
      clients(),
      async (db) => {
        const { durationSeconds } = await db.video.findUniqueOrThrow({ where: { id } })
        return db.video.update({ where: { id }, data: { durationSeconds: (durationSeconds ?? 0) + 1 } })
      },
      limits,
    )
  const seen = await Promise.all(Array.from({ length: 10 }, look))
  expect(seen.map(({ durationSeconds }) => durationSeconds).sort((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 10 }, (_, n) => n + 1),
  )
})

test('of ten videos at once, three are put on the front page', async () => {
  const { clients, db } = api
  await db.video.updateMany({ data: { featured: false } })
  const add = async (): Promise<boolean> => {
    const { id } = await db.video.create({ data: { title: 'Shown', url: 'https://example.org' } })
    const isShown = await serializable(clients, async (db) => {
      if ((await db.video.count({ where: { featured: true } })) === 3) return false
      await db.video.update({ where: { id }, data: { featured: true } })
      return true
    })
    return isShown
  }
  const shown = await Promise.all(Array.from({ length: 10 }, add))
  expect(shown.filter((isShown) => isShown)).toHaveLength(3)
  expect(await db.video.count({ where: { featured: true } })).toBe(3)
})

test('after eight attempts it is 503, and nothing is written', async () => {
  let runs = 0
  const work = serializable(clients(), async (db) => {
    runs += 1
    await db.tag.create({ data: { name: 'never' } })
    throw conflict()
  })
  const error = await work.then(String, (thrown: JsonApiError) => thrown)
  expect(error).toBeInstanceOf(JsonApiError)
  expect(error).toMatchObject({
    status: 503,
    errors: [{ status: '503', title: 'Service Unavailable' }],
    headers: { 'Retry-After': '1' },
    cause: { code: 'P2034' },
  })
  expect([runs, await tagged('never')]).toEqual([8, 0])
})

test('it is 503 when the time is over, and nothing is written', async () => {
  const late = serializable(
    clients(),
    async (db) => {
      await db.tag.create({ data: { name: 'late' } })
      await sleep(300)
      await db.tag.create({ data: { name: 'too late' } })
    },
    { maxWait: 60_000, timeout: 100 },
  )
  await expect(late).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '1' } })
  expect([await tagged('late'), await tagged('too late')]).toEqual([0, 0])
})

test('what the work throws undoes it, and is thrown as it is', async () => {
  let runs = 0
  const mine = new Error('Mine.')
  const thrown = serializable(clients(), async (db) => {
    runs += 1
    await db.tag.create({ data: { name: 'undone' } })
    throw mine
  })
  await expect(thrown).rejects.toBe(mine)
  const twice = serializable(clients(), async (db) => {
    await db.tag.create({ data: { name: 'twice' } })
    await db.tag.create({ data: { name: 'twice' } })
  })
  await expect(twice).rejects.toMatchObject({ code: 'P2002' })
  expect([runs, await tagged('undone'), await tagged('twice')]).toEqual([1, 0, 0])
})

test('where the error of a statement is caught, nothing is told to be written that is not', async () => {
  const caught = serializable(clients(), async (db) => {
    await db.tag.create({ data: { name: 'caught' } })
    await db.tag.create({ data: { name: 'caught' } }).catch(() => {})
  })
  const outcome = await caught.then(
    () => 'written',
    () => 'failed',
  )
  expect([outcome, await tagged('caught')]).toEqual(provider === 'postgresql' ? ['failed', 0] : ['written', 1])
})

test('its client ends with it', async () => {
  const { db } = await serializable(clients(), async (db: TransactionClient) => ({ db }))
  expect(() => db.tag).toThrow('The transaction of this db has ended.')
})

test('inside of a hook, an action or another one it is refused, and says what to use', async () => {
  const refusals: unknown[] = []
  inside = (given) => serializable(given, async () => {}).catch(({ message }: Error) => refusals.push(message))
  expect((await create('inside')).status).toBe(201)
  expect((await api.as(users.admin)('POST', '/api/v1/tags/-actions/inside')).status).toBe(200)
  await serializable(clients(), async () => void (await inside(clients())))
  expect(refusals).toEqual(
    Array(3).fill(
      'serializable(): this code runs in a transaction already, which is serializable. Use its db: event.db of a hook, db of an action.',
    ),
  )
})

test('it takes the db of afterCommit, and work that a hook has started and nobody waits for', async () => {
  let runs = 0
  const failed: unknown[] = []
  const started: Promise<unknown>[] = []
  inside = (given) => {
    const later = new Promise((resolve) => setTimeout(resolve, 0)).then(() => committed)
    started.push(later.then(() => serializable(given, (db) => db.tag.create({ data: { name: 'started' } }))))
  }
  let told: () => void = () => {}
  const committed = new Promise<void>((resolve) => {
    told = resolve
  })
  afterwards = async (db) => {
    told()
    await serializable(db, (within) => within.tag.create({ data: { name: 'afterwards' } }))
    // The client of SQLite makes attempts of its own, after which there are no more.
    const work = serializable(db, async () => {
      runs += 1
      throw conflict()
    })
    await work.catch(({ status }) => failed.push(status))
  }
  expect((await create('watched')).status).toBe(201)
  await Promise.all(started)
  await expect.poll(() => failed).toEqual([503])
  expect([runs, await tagged('afterwards'), await tagged('started')]).toEqual([8, 1, 1])
})
