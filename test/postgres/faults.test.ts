import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openThings, type Things } from '../support/postgres-things/things.ts'
import { postgresPrograms, startPrivatePostgres } from '../support/private-postgres.ts'
import type { TextAnswer } from '../support/servers.ts'

// R5 to R8: a PostgreSQL server that is stopped, started, held still, locked, slow and full. Whoever asks meanwhile is told
// 503 in time; what was acknowledged is there afterwards, and nothing has to be started again but the database.

if (postgresPrograms === null) console.warn('Faults of PostgreSQL are not tested: initdb and pg_ctl are not installed.')

type Served = Awaited<ReturnType<Things['serve']>>

const brief = ({ status, headers, body }: TextAnswer) => ({
  status,
  after: headers.get('Retry-After'),
  errors: body?.errors,
})
const busy = { status: 503, after: '1', errors: [{ status: '503', title: 'Service Unavailable' }] }
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))

describe.skipIf(postgresPrograms === null)('a PostgreSQL server', () => {
  let server: Awaited<ReturnType<typeof startPrivatePostgres>>
  let things: Things
  let served: Served
  beforeAll(async () => {
    server = await startPrivatePostgres({ max_connections: 30 })
    things = await openThings(server.url)
    served = await things.serve(things.url, { limits: { requestMilliseconds: 3000 } })
  })
  beforeEach(() => things.fill(() => ({})))
  afterAll(async () => {
    await things.close()
    await server.remove()
  })

  const count = async () => Number((await things.execute('SELECT count(*) FROM audit."the things"'))[0]?.[0])
  const openTransactions = async () =>
    (await things.execute("SELECT pid FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'")).length
  /** The longest that one of them took, in milliseconds, and what each answered. */
  async function timed(asked: readonly (() => Promise<TextAnswer>)[]) {
    const began = performance.now()
    const answers = await Promise.all(asked.map((ask) => ask()))
    return { answers, took: performance.now() - began }
  }
  const everything = (of: Served) => [
    () => of.ask('GET', '/things'),
    () => of.ask('GET', '/things/1'),
    () => of.create(),
    () => of.create({}, { relationships: { box: { data: null } } }),
  ]
  const expectWell = async (of: Served) => {
    expect((await of.ask('GET', '/things')).status).toBe(200)
    expect((await of.create()).status).toBe(201)
  }

  test.each(['fast', 'immediate'] as const)(
    'that is stopped (%s): 503 at once; started again, it is found',
    async (mode) => {
      await expectWell(served)
      await server.stop(mode)
      const { answers, took } = await timed(times(3, () => everything(served)).flat())
      for (const answer of answers) expect(brief(answer)).toEqual(busy)
      expect(took).toBeLessThan(10_000)
      await server.start()
      await expectWell(served)
    },
  )

  test('that fails and starts again under load: what was acknowledged is there, once', async () => {
    const acknowledged: string[] = []
    const statuses = new Set<number>()
    let isOver = false
    const write = async (writer: number) => {
      for (let n = 0; !isOver; n++) {
        const label = `load ${writer} ${n}`
        const more = n % 2 ? { relationships: { box: { data: null } } } : {}
        const { status } = await served.create({ label }, more)
        statuses.add(status)
        if (status === 201) acknowledged.push(label)
      }
    }
    const writers = times(4, write)
    for (let failure = 0; failure < 2; failure++) {
      await sleep(400)
      await server.stop('immediate')
      await sleep(200)
      await server.start()
    }
    await sleep(400)
    isOver = true
    await Promise.all(writers)
    const rows = await things.execute(`SELECT label FROM audit."the things" WHERE label LIKE 'load %'`)
    const stored = rows.map(([label]) => label as string)
    expect(acknowledged.filter((label) => !stored.includes(label))).toEqual([])
    expect(new Set(stored).size).toBe(stored.length)
    expect(acknowledged.length).toBeGreaterThan(20)
    expect([...statuses].sort()).toEqual([201, 503])
    await expectWell(served)
  })

  test('that says nothing any more: 503 when the request has had its time; it goes on, and so do we', async () => {
    const impatient = await things.serve(things.url, { limits: { requestMilliseconds: 400 } })
    await expectWell(impatient)
    const before = await count()
    await server.holdStill()
    const { answers, took } = await timed(everything(impatient)).finally(() => server.goOn())
    for (const answer of answers) expect(brief(answer)).toEqual(busy)
    expect(took).toBeLessThan(10_000)
    await expect.poll(openTransactions).toBe(0)
    await expectWell(impatient)
    // Statements that it already had may be done; what was a transaction is not.
    expect(await count()).toBeLessThanOrEqual(before + 2)
  })

  test('whose table is locked: 503 after the time for locks, reading and writing; then it goes on', async () => {
    const limited = await things.serve(things.url, { lockMilliseconds: 300 })
    const lock = new pg.Client(things.url)
    await lock.connect()
    await lock.query('BEGIN; LOCK TABLE audit."the things"')
    const { answers, took } = await timed(everything(limited))
    for (const answer of answers) expect(brief(answer)).toEqual(busy)
    expect(took).toBeLessThan(10_000)
    await lock.query('COMMIT')
    await lock.end()
    await expectWell(limited)
  })

  test('whose statement takes too long: 503, and the statement is ended', async () => {
    const limited = await things.serve(things.url, { statementMilliseconds: 300 })
    things.fill(async (db) => {
      await db.$executeRawUnsafe('SELECT pg_sleep(20)')
      return {}
    })
    const { answers, took } = await timed([() => limited.create()])
    expect(answers.map(brief)).toEqual([busy])
    expect(took).toBeLessThan(10_000)
    things.fill(() => ({}))
    await expectWell(limited)
    expect(await things.execute("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'")).toEqual([])
  })

  test('whose statement runs on when the time of its transaction is over: 503 then, and it is ended', async () => {
    const limited = await things.serve(things.url, { connections: 1, transactions: { timeout: 300 } })
    await expectWell(limited)
    const before = await count()
    things.fill(async (db) => {
      await db.$executeRawUnsafe(`INSERT INTO public."Box" (id, name) VALUES (77, 'undone')`)
      await db.$executeRawUnsafe('SELECT pg_sleep(12)')
      return {}
    })
    const { answers, took } = await timed([() => limited.create()])
    expect(answers.map(brief)).toEqual([busy])
    expect(took).toBeLessThan(5000)
    things.fill(() => ({}))
    await expectWell(limited)
    await expect
      .poll(() => things.execute("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'"))
      .toEqual([])
    expect(await things.execute('SELECT 1 FROM public."Box" WHERE id = 77')).toEqual([])
    expect(await count()).toBe(before + 1)
  })

  test('whose transaction is kept open by a hook that hangs: it is ended, and nothing is written', async () => {
    const limited = await things.serve(things.url, { idleTransactionMilliseconds: 300 })
    things.fill(async (db) => {
      await db.$queryRawUnsafe('SELECT 1')
      await sleep(800)
      return {}
    })
    const before = await count()
    expect(brief(await limited.create())).toEqual(busy)
    expect(await count()).toBe(before)
    things.fill(() => ({}))
    await expectWell(limited)
  })

  test('whose connections are all in use: who cannot have one in time gets 503', async () => {
    const narrow = await things.serve(things.url, { connections: 1, connectMilliseconds: 300 })
    await expectWell(narrow)
    let isHeld = false
    things.fill(async (db) => {
      await db.$queryRawUnsafe('SELECT 1')
      isHeld = true
      await sleep(3000)
      return {}
    })
    const holder = narrow.create()
    while (!isHeld) await sleep(5)
    things.fill(() => ({}))
    const { answers, took } = await timed(everything(narrow))
    for (const answer of answers) expect(brief(answer)).toEqual(busy)
    expect(took).toBeLessThan(2500)
    expect((await holder).status).toBe(201)
    await expectWell(narrow)
  })

  test('that takes no more connections: 503, and 200 when there are some again', async () => {
    const newcomer = await things.serve()
    const others: pg.Client[] = []
    for (;;) {
      const other = new pg.Client(server.url)
      other.on('error', () => {})
      try {
        await other.connect()
        others.push(other)
      } catch {
        break
      }
    }
    for (const answer of (await timed(everything(newcomer))).answers) expect(brief(answer)).toEqual(busy)
    for (const other of others) await other.end()
    await expect.poll(async () => (await newcomer.ask('GET', '/things')).status).toBe(200)
    await expectWell(newcomer)
  })

  test('in which two writes wait for each other (deadlock): both are done', async () => {
    await things.execute(`INSERT INTO public."Box" (id, name) VALUES (1, 'a'), (2, 'b')`)
    let runs = 0
    things.fill(async (db) => {
      const order = runs++ % 2 ? [1, 2] : [2, 1]
      for (const id of order) {
        await db.$executeRawUnsafe(`UPDATE public."Box" SET name = name WHERE id = ${id}`)
        await sleep(150)
      }
      return {}
    })
    const answers = await Promise.all([served.create(), served.create()])
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(runs).toBeGreaterThan(2)
  })

  test('in which writes overtake each other (serialization failure): none is lost', async () => {
    await things.execute(`INSERT INTO public."Box" (id, name) VALUES (3, '0')`)
    things.fill(async (db) => {
      const [box] = await db.$queryRawUnsafe<{ name: string }>('SELECT name FROM public."Box" WHERE id = 3')
      await db.$executeRawUnsafe(`UPDATE public."Box" SET name = '${Number(box?.name) + 1}' WHERE id = 3`)
      return {}
    })
    const answers = await Promise.all(times(20, () => served.create()))
    const done = answers.filter(({ status }) => status === 201).length
    expect(answers.filter(({ status }) => status !== 201 && status !== 503)).toEqual([])
    expect(await things.execute('SELECT name FROM public."Box" WHERE id = 3')).toEqual([[String(done)]])
    expect(done).toBeGreaterThan(10)
  })

  describe('with a pool of two connections', () => {
    let two: Served
    beforeAll(async () => {
      two = await things.serve(things.url, { connections: 2 })
    })
    const expectFree = async () => {
      expect(await openTransactions()).toBe(0)
      const { answers, took } = await timed(times(4, () => () => two.ask('GET', '/things/1')))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(took).toBeLessThan(10_000)
    }

    test('200 reads and 100 writes at one time are all answered, and it is free afterwards', async () => {
      const before = await count()
      const asked = times(300, (n) =>
        n % 3
          ? () => two.ask('GET', n % 2 ? '/things' : '/things/1')
          : (everything(two)[2 + (n % 2)] as () => Promise<TextAnswer>),
      )
      const { answers } = await timed(asked)
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => ![200, 201, 503].includes(status))).toEqual([])
      expect(await count()).toBe(before + statuses.filter((status) => status === 201).length)
      expect(statuses.filter((status) => status === 503).length).toBeLessThan(30)
      await expectFree()
    })

    test('clients that go away give theirs back', async () => {
      const before = await count()
      let begun = 0
      things.fill(async (db) => {
        await db.$queryRawUnsafe('SELECT 1')
        begun++
        await sleep(100)
        return {}
      })
      for (let n = 1; n <= 4; n++) {
        const headers = { 'Content-Type': 'application/vnd.api+json' }
        const request = http.request(`${two.at}/api/things/things`, { method: 'POST', headers }).on('error', () => {})
        request.end(JSON.stringify({ data: { type: 'things', attributes: {} } }))
        while (begun < n) await sleep(5)
        request.destroy()
      }
      await expect.poll(openTransactions).toBe(0)
      await sleep(150)
      await expectFree()
      expect(await count()).toBe(before)
    })
  })
})
