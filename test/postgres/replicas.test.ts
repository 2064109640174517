import { setTimeout as sleep } from 'node:timers/promises'
import { readReplicas } from '@prisma/extension-read-replicas'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { GeneratedClient } from '../support/any-schema/generate.ts'
import { fencesOf } from '../support/documentation/fences.ts'
import { inPostgres, withDatabase } from '../support/postgres.ts'
import { openThings, type Things } from '../support/postgres-things/things.ts'
import {
  type PrivatePostgres,
  postgresPrograms,
  startPrivatePostgres,
  startPrivateReplica,
} from '../support/private-postgres.ts'
import type { TextAnswer } from '../support/servers.ts'

// A replica whose replay is paused is behind, for as long as a test wants: what it does not have, it was asked for.

type Served = Awaited<ReturnType<Things['serve']>>

describe.skipIf(postgresPrograms === null)('servers with a replica', () => {
  let primary: PrivatePostgres
  let replica: PrivatePostgres
  let things: Things
  let served: Served
  let other: Served
  let url: string
  const told: string[] = []
  beforeAll(async () => {
    primary = await startPrivatePostgres()
    replica = await startPrivateReplica(primary)
    things = await openThings(primary.url)
    url = withDatabase(replica.url, new URL(things.url).pathname.slice(1))
    await vi.waitFor(() => onReplica('SELECT 1 FROM audit."the things"'))
    const onTold = (host: string, state: string) => void told.push(`${host} ${state}`)
    served = await things.serve(things.url, { replicas: [url], onReplica: onTold, replicaLagMilliseconds: 60_000 })
    other = await things.serve(things.url, { replicas: [url], reads: 'prisma', replicaLagMilliseconds: 60_000 })
    things.fill(() => ({}))
  })
  beforeEach(async () => {
    await resume()
    await expect.poll(() => told.at(-1)).toBe(`${new URL(url).host} used`)
    await expect.poll(isBehind).toBe(false)
  })
  afterAll(async () => {
    try {
      await things.close()
    } finally {
      await replica.remove()
      await primary.remove()
    }
  })

  const onReplica = async (sql: string) =>
    (await inPostgres(url, (client) => client.query({ text: sql, rowMode: 'array' }))).rows
  const pause = () => onReplica('SELECT pg_wal_replay_pause()')
  const resume = () => onReplica('SELECT pg_wal_replay_resume()')
  const isBehind = async () => {
    const [[position]] = (await things.execute('SELECT pg_current_wal_flush_lsn()')) as [[string]]
    const [[is]] = (await onReplica(`SELECT pg_last_wal_replay_lsn() < '${position}'`)) as [[boolean]]
    return is
  }
  let created = 0
  const create = async (of: Served) => {
    const label = `thing ${created++}`
    const made = await of.create({ label })
    expect(made.status).toBe(201)
    return { made, path: `/things/${made.body.data.id}`, label }
  }
  const position = ({ headers }: TextAnswer) => ({ 'Prismapi-Position': headers.get('Prismapi-Position') as string })
  const cookie = ({ headers }: TextAnswer) => ({ Cookie: (headers.get('Set-Cookie') as string).split(';', 1)[0] ?? '' })
  /** Which of the two has answered, asked for something new. */
  const sees = async (of: Served, path: string, headers = {}) => {
    const one = (await of.ask('GET', path, undefined, headers)).status
    const { status, body } = await of.ask('GET', '/things?sort=-id&fields[things]=code', undefined, headers)
    const inAll = body?.data.some(({ id }: { id: string }) => path === `/things/${id}`)
    expect([one, status, inAll]).toEqual(one === 200 ? [200, 200, true] : [404, 200, false])
    return one === 200 ? 'the new' : 'the old'
  }

  test('read from it, and from the primary what the client has written, in whichever process', async () => {
    await pause()
    const { made, path } = await create(served)
    for (const server of [served, other]) {
      expect(await sees(server, path)).toBe('the old')
      expect(await sees(server, path, position(made))).toBe('the new')
      expect(await sees(server, path, cookie(made))).toBe('the new')
      expect(await sees(server, path, { 'Prismapi-Position': 'latest' })).toBe('the new')
    }
    expect(made.headers.get('Set-Cookie')).toBe(
      `prismapi-position=${position(made)['Prismapi-Position']}; Path=/; Max-Age=120; HttpOnly; SameSite=Lax; Secure`,
    )
  })

  test('a client sends its position as docs/scaling.md shows it', async () => {
    await pause()
    const { made, path } = await create(served)
    const shown = fencesOf('docs/scaling.md').filter(({ language }) => language === 'http')
    const [answer, request] = shown.map(({ code }) => code.replaceAll('3017a48', position(made)['Prismapi-Position']))
    expect(answer).toBe(`HTTP/1.1 ${made.status} Created\nPrismapi-Position: ${position(made)['Prismapi-Position']}\n`)
    const [, name = '', value = ''] = /^([\w-]+): (.*)$/m.exec(request ?? '') ?? []
    expect(await sees(served, path, { [name]: value })).toBe('the new')
  })

  test('read what a client needs from it again, as soon as it is there', async () => {
    await pause()
    const { made, path } = await create(served)
    expect(await sees(served, path)).toBe('the old')
    await resume()
    await sleep(1500)
    await primary.stop()
    expect(await sees(served, path, position(made))).toBe('the new')
    await primary.start()
  })

  test('read for writes from the primary', async () => {
    await pause()
    const { path } = await create(served)
    const id = path.split('/')[2]
    for (const server of [served, other]) {
      const patched = await server.ask('PATCH', path, { data: { type: 'things', id, attributes: { code: 'y' } } })
      expect([patched.status, patched.body?.data?.attributes.code]).toEqual([200, 'y'])
    }
    const box = await served.ask('POST', '/boxes', { data: { type: 'boxes', attributes: { name: 'new' } } })
    const linkage = { data: { type: 'boxes', id: box.body.data.id } }
    expect((await other.ask('PATCH', `${path}/relationships/box`, linkage)).status).toBe(200)
    expect((await served.ask('DELETE', path)).status).toBe(204)
    expect((await served.ask('DELETE', path)).status).toBe(404)
  })

  test.each(['PUT', 'GET'])(
    'tell how far they were after an action by %s: what it did is not known',
    async (method) => {
      const { path } = await create(served)
      const done = await served.ask(method, `${path}/-actions/${method === 'PUT' ? 'touch' : 'look'}`)
      expect([done.status, done.headers.get('Prismapi-Position')]).toEqual([200, expect.stringMatching(/^[\da-f]+$/)])
    },
  )

  test('tell nothing to who was refused, and to who may have written without an answer, to read the latest', async () => {
    const refused = await served.ask('POST', '/things', { data: { type: 'boxes' } })
    expect([refused.status, refused.headers.get('Prismapi-Position')]).toEqual([409, null])
    things.fill(() => {
      throw new Error('It fails')
    })
    const failed = await served.create()
    things.fill(() => ({}))
    expect([failed.status, failed.headers.get('Prismapi-Position')]).toEqual([500, 'latest'])
    const read = await served.ask('GET', '/things')
    expect([read.headers.get('Prismapi-Position'), read.headers.get('Set-Cookie')]).toEqual([null, null])
  })

  test('leave one that is too far behind, until it has caught up', async () => {
    const strict = await things.serve(things.url, { replicas: [url], replicaLagMilliseconds: 1000 })
    await pause()
    const { path } = await create(strict)
    expect(await sees(strict, path)).toBe('the old')
    await expect.poll(() => sees(strict, path)).toBe('the new')
    await resume()
    await expect.poll(isBehind).toBe(false)
    await sleep(1500)
    await pause()
    const { path: next } = await create(strict)
    expect(await sees(strict, next)).toBe('the old')
  })

  /** Two clients that read all the time, until they are stopped. */
  function readOn() {
    const statuses = new Map<number, number>()
    let isOver = false
    let longest = 0
    const read = async (of: Served) => {
      while (!isOver) {
        const began = performance.now()
        const { status } = await of.ask('GET', '/things?include=box')
        longest = Math.max(longest, performance.now() - began)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    const readers = Promise.all([served, other].map(read))
    onTestFinished(() => {
      isOver = true
      return readers.then(() => {})
    })
    return async () => {
      isOver = true
      await readers
      return { statuses: [...statuses.keys()], longest }
    }
  }

  const isUsed = async () => {
    await pause()
    const { path } = await create(served)
    const seen = [await sees(served, path), await sees(other, path)]
    await resume()
    await expect.poll(isBehind).toBe(false)
    return seen.every((each) => each === 'the old')
  }

  test.each(['fast', 'immediate'] as const)('read on when it stops (%s), and use it when it is back', async (mode) => {
    const stop = readOn()
    await sleep(300)
    await replica.stop(mode)
    await sleep(1000)
    await replica.start()
    await expect.poll(isUsed, { interval: 500 }).toBe(true)
    expect((await stop()).statuses).toEqual([200])
    expect(told.filter((each) => each.endsWith('away')).length).toBeGreaterThan(0)
  })

  test('read on when it says nothing any more, and use it when it goes on', async () => {
    const stop = readOn()
    await sleep(300)
    await replica.holdStill()
    await sleep(4000)
    await replica.goOn()
    await expect.poll(isUsed, { interval: 500 }).toBe(true)
    const { statuses, longest } = await stop()
    expect(statuses).toEqual([200])
    expect(longest).toBeLessThan(3500)
  })

  test('read on when the primary is away, but not what only that has', async () => {
    const { made, path } = await create(served)
    await expect.poll(isBehind).toBe(false)
    await pause()
    const newer = await create(served)
    await primary.stop()
    expect(await sees(served, path)).toBe('the new')
    expect((await served.ask('GET', newer.path, undefined, position(newer.made))).status).toBe(503)
    expect((await served.create()).status).toBe(503)
    await primary.start()
    await expect.poll(() => sees(served, newer.path, position(newer.made)).catch(() => null)).toBe('the new')
    expect(made.status).toBe(201)
  })

  test('leave the queries of the application to it: those that are extended read from the replica, too', async () => {
    const { reader, replicas } = served.clients
    const clients = (replicas?.all ?? []).map((each) => each.reader) as never[]
    const extended = (reader as GeneratedClient & { $extends(with_: unknown): ThingsClient }).$extends(
      readReplicas({ replicas: clients }),
    )
    await pause()
    const { label } = await create(served)
    const where = { label }
    expect(await (reader as unknown as ThingsClient).thing.count({ where })).toBe(1)
    expect(await extended.thing.count({ where })).toBe(0)
  })
})

interface ThingsClient {
  readonly thing: { count(args: object): Promise<number> }
}
