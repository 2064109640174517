import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startProxy } from '../support/postgres-things/proxy.ts'
import { openThings, type Things } from '../support/postgres-things/things.ts'
import type { TextAnswer } from '../support/servers.ts'

// What PostgreSQL itself refuses, and how it fails, over HTTP: hooks write what no client may send.

type Served = Awaited<ReturnType<Things['serve']>>
let things: Things
let served: Served

beforeAll(async () => {
  things = await openThings()
  served = await things.serve()
})
beforeEach(() => things.fill(() => ({})))
afterAll(() => things.close())

const brief = ({ status, headers, body }: TextAnswer) => {
  const [{ id: _, ...error } = { id: 0 }] = body?.errors ?? []
  const after = headers.get('Retry-After')
  return { status, ...error, ...(after !== null && { after }) }
}
const pointing = (pointer: string, detail: string, code?: string) => ({
  status: '422',
  ...(code && { code }),
  title: 'Unprocessable Entity',
  detail,
  source: { pointer },
})
const busy = { status: '503', title: 'Service Unavailable', after: '1' }
const conflict = (detail: string) => ({ status: '409', title: 'Conflict', detail })
const constraint = (detail: string) => ({ ...conflict(detail), code: 'constraint' })
const tooMuch = pointing('/data', 'A value is too long or out of range.')

describe('a unique constraint that is broken behind the back of the rules', () => {
  test.each([
    ['that has a name of its own', { label: 'taken' }, 'label'],
    ['of a column that has another name in the database', { serial: 'taken' }, 'serial'],
    ['of several columns', { shelf: 7, place: 7 }, 'shelf'],
  ])('%s: 422 at its field', async (_kind, columns, field) => {
    things.fill(() => columns)
    expect((await served.create()).status).toBe(201)
    const own = field === 'shelf' ? { shelf: 1, place: 1 } : { [field]: 'free' }
    expect(brief(await served.create(own))).toEqual(
      pointing(`/data/attributes/${field}`, `The ${field} has already been taken.`, 'unique'),
    )
  })

  test('of the id: 409', async () => {
    things.fill(() => ({ id: 1 }))
    await served.create()
    expect(brief(await served.create())).toEqual(constraint('The resource is in conflict with another one.'))
  })
})

describe('a value that the column cannot hold', () => {
  test.each<[string, object]>([
    ['a text that is longer than VARCHAR(8)', { code: 'nine char' }],
    ['an integer beyond SMALLINT', { small: 40_000 }],
    ['a decimal beyond DECIMAL(5, 2)', { price: '1000' }],
    ['a text that is no UUID', { ref: 'no-uuid' }],
    ['a text with U+0000', { label: 'a\0b' }],
  ])('%s: 422', async (_what, columns) => {
    things.fill(() => columns)
    expect(brief(await served.create())).toEqual(tooMuch)
  })

  test.each<[string, object, string]>([
    ['a text that is longer than VARCHAR(8)', { code: 'nine char' }, 'code'],
    ['an integer beyond SMALLINT', { small: 40_000 }, 'small'],
    ['a decimal beyond DECIMAL(5, 2)', { price: '1000' }, 'price'],
    ['a text that is no UUID', { ref: 'no-uuid' }, 'ref'],
    ['a text with U+0000', { label: 'a\0b' }, 'label'],
    ['a text with half a character', { label: 'a\ud800' }, 'label'],
  ])('sent by a client, %s: 422 at its pointer or of the whole', async (_what, attributes, field) => {
    const { status, source } = brief(await served.create(attributes))
    expect({ status, pointer: source.pointer }).toEqual({
      status: '422',
      pointer: expect.stringMatching(new RegExp(`^/data(/attributes/${field})?$`)),
    })
  })

  test.each(['a%00b', '%ED%A0%80', '0', '-1', '01', '1e0', '2147483648', '99999999999999999999', 'abc'])(
    'an id that no row can have, %s, is 404, or 400 where it is no text at all',
    async (id) => {
      const { status } = await served.ask('GET', `/things/${id}`)
      expect(status).toBe(id === '%ED%A0%80' ? 400 : 404)
    },
  )
})

describe('a refusal by its SQLSTATE', () => {
  const raise = (code: string) => {
    const seen = { times: 0 }
    things.fill(async (db) => {
      seen.times++
      await db.$executeRawUnsafe(`DO $$ BEGIN RAISE EXCEPTION 'in words' USING ERRCODE = '${code}'; END $$`)
      return {}
    })
    return seen
  }

  test.each([
    ['40001', 'serialization failure'],
    ['40P01', 'deadlock'],
  ])('%s, %s: tried eight times, then 503', async (code) => {
    const seen = raise(code)
    expect(brief(await served.create())).toEqual(busy)
    expect(seen.times).toBe(8)
  })

  test.each([
    ['08006', 'connection failure'],
    ['53300', 'too many connections'],
    ['55P03', 'lock not available'],
    ['57014', 'statement timeout'],
    ['57P03', 'cannot connect now'],
  ])('%s, %s: 503 at once', async (code) => {
    const seen = raise(code)
    expect(brief(await served.create())).toEqual(busy)
    expect(seen.times).toBe(1)
  })

  test.each([
    ['23503', constraint('The resource is still related to others, or names one that is gone.')],
    ['23P01', constraint('The resource is in conflict with another one.')],
    ['23514', constraint('The values do not fit together.')],
    ['22008', tooMuch],
  ])('%s', async (code, error) => {
    raise(code)
    expect(brief(await served.create())).toEqual(error)
  })

  test('one that nobody foresaw: 500, of which nothing is told', async () => {
    raise('0B000')
    const answer = await served.create()
    expect(brief(answer)).toEqual({ status: '500', title: 'Internal Server Error' })
    expect(answer.text).not.toContain('in words')
  })
})

test('a transaction that met another one is tried again, and answers as if it had come later', async () => {
  let times = 0
  things.fill(async (db) => {
    times++
    if (times < 4) await db.$executeRawUnsafe(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$`)
    return { code: `nr ${times}` }
  })
  const { status, body } = await served.create()
  expect({ status, code: body.data.attributes.code }).toEqual({ status: 201, code: 'nr 4' })
})

test('a foreign key whose target goes away meanwhile: 409', async () => {
  things.fill(() => ({ boxId: 4711 }))
  expect(brief(await served.create())).toEqual(
    constraint('The resource is still related to others, or names one that is gone.'),
  )
})

describe('time limits', () => {
  const withOptions = (options: string) => things.serve(`${things.url}?options=${encodeURIComponent(options)}`)

  test('a statement that takes longer than statement_timeout: 503, reading and writing', async () => {
    const limited = await withOptions('-c statement_timeout=300')
    things.fill(async (db) => {
      await db.$executeRawUnsafe('SELECT pg_sleep(3)')
      return {}
    })
    expect(brief(await limited.create())).toEqual(busy)
    const lock = things.execute('BEGIN; LOCK TABLE audit."the things"; SELECT pg_sleep(1.5); COMMIT')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(brief(await limited.ask('GET', '/things'))).toEqual(busy)
    await lock
    expect((await limited.ask('GET', '/things')).status).toBe(200)
  })
})

describe('a database that goes away', () => {
  test('in the middle of a write: 503, nothing is written, and the next request finds it', async () => {
    const before = await things.execute('SELECT count(*) FROM audit."the things"')
    things.fill(async (db) => {
      await db.$executeRawUnsafe('SELECT pg_terminate_backend(pg_backend_pid())')
      return {}
    })
    expect(brief(await served.create())).toEqual(busy)
    things.fill(() => ({}))
    expect(await things.execute('SELECT count(*) FROM audit."the things"')).toEqual(before)
    expect((await served.create()).status).toBe(201)
  })

  test('all its connections at once: the next requests are answered, or 503', async () => {
    await Promise.all(Array.from({ length: 5 }, () => served.ask('GET', '/things')))
    await things.execute(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    const answers = await Promise.all(Array.from({ length: 5 }, () => served.ask('GET', '/things')))
    for (const { status } of answers) expect([200, 503]).toContain(status)
    expect((await served.ask('GET', '/things')).status).toBe(200)
  })

  async function throughProxy() {
    const { hostname, port } = new URL(things.url)
    const proxy = await startProxy({ host: hostname, port: Number(port || 5432) })
    const through = new URL(things.url)
    through.host = `127.0.0.1:${proxy.port}`
    return { proxy, remote: await things.serve(through.href) }
  }

  test('while it is being asked: 503', async () => {
    const { proxy, remote } = await throughProxy()
    const lock = things.execute('BEGIN; LOCK TABLE audit."the things"; SELECT pg_sleep(1); COMMIT')
    await new Promise((resolve) => setTimeout(resolve, 200))
    const asked = [remote.ask('GET', '/things'), remote.ask('GET', '/things/1'), remote.create()]
    await new Promise((resolve) => setTimeout(resolve, 400))
    await proxy.stop()
    for (const answer of await Promise.all(asked)) expect(brief(answer)).toEqual(busy)
    await lock
  })

  test('while its server is stopped: 503 to everything, and 200 again without a restart', async () => {
    const { proxy, remote } = await throughProxy()
    expect((await remote.ask('GET', '/things')).status).toBe(200)
    await proxy.stop()
    for (let i = 0; i < 4; i++) {
      expect(brief(await remote.ask('GET', '/things'))).toEqual(busy)
      expect(brief(await remote.ask('GET', '/things/1'))).toEqual(busy)
      expect(brief(await remote.create())).toEqual(busy)
    }
    await proxy.start()
    expect((await remote.ask('GET', '/things')).status).toBe(200)
    expect((await remote.create()).status).toBe(201)
    await proxy.stop()
  })
})
