import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '../../support/api.ts'
import { openTestDatabase } from '../../support/database.ts'
import { fencesOf } from '../../support/documentation/fences.ts'
import { Counting, counting, fresh, postKeyed, replayed, tagNamed } from '../../support/idempotency.ts'
import { type Ask, type Database, type Running, startServers } from '../../support/servers.ts'

// A guest books a seat, and asks for the confirmation again. No other guest may read it.

/** Guests may do everything. */
class Bookings extends Counting {
  override readonly idempotency = { leaseSeconds: 1 }
  override authorizable() {
    return false
  }
}

const tokenOf = ({ headers }: { readonly headers: Headers }) => headers.get('Idempotency-Token')
const withToken = (token: string) => ({ 'Idempotency-Token': token })

let database: Database
let running: Running
beforeAll(async () => {
  database = await openTestDatabase()
  running = await startServers(database, await counting(Bookings))
})
afterAll(async () => {
  await running.close()
  await database.close()
})

const guest: Ask = (...request) => running.as(null)(...request)

async function restart(): Promise<void> {
  await running.close()
  running = await startServers(database, await counting(Bookings))
}

const booking = () => ({ key: fresh(), body: tagNamed(fresh('booking')) })

const kept = {
  jsonapi: { version: '1.0' },
  errors: [
    {
      status: '409',
      title: 'Conflict',
      detail:
        'The request with this Idempotency-Key was carried out. Its answer is repeated with its Idempotency-Token only.',
    },
  ],
}

describe('a guest has the answer again', () => {
  test('by the token that the first answer gave, also after a restart', async () => {
    const sent = booking()
    const first = await postKeyed(guest, sent)
    const token = tokenOf(first) as string
    expect([first.status, token]).toEqual([201, expect.stringMatching(/^[\w-]{43}$/)])
    for (const when of ['at once', 'after a restart']) {
      if (when !== 'at once') await restart()
      const again = await postKeyed(guest, { ...sent, headers: withToken(token) })
      expect([again.status, replayed(again), again.text], when).toEqual([201, 'true', first.text])
      expect(again.headers.get('Location')).toBe(first.headers.get('Location'))
    }
    expect(await database.writer.tag.count({ where: { name: sent.body.data.attributes.name } })).toBe(1)
  })

  test('by a token of their own, though the first answer never came', async () => {
    const sent = { ...booking(), headers: withToken(randomUUID()) }
    const lost = await postKeyed(guest, sent)
    expect(tokenOf(lost)).toBe(sent.headers['Idempotency-Token'])
    await restart()
    const again = await postKeyed(guest, sent)
    expect([again.status, replayed(again), again.text]).toEqual([201, 'true', lost.text])
  })

  test('by the token of the attempt that was carried out, where an earlier one ended before its answer', async () => {
    const sent = { ...booking(), headers: withToken(randomUUID()) }
    await postKeyed(guest, sent)
    await database.writer.tag.delete({ where: { name: sent.body.data.attributes.name } })
    const data = { status: null, headers: null, body: null, lockedUntil: new Date(0) }
    await database.writer.idempotencyKey.updateMany({ data })
    const second = await postKeyed(guest, sent)
    const third = await postKeyed(guest, sent)
    expect([second.status, replayed(second), replayed(third), third.text]).toEqual([201, null, 'true', second.text])
  })

  test('to a 500, too', async () => {
    const sent = { key: fresh(), body: { meta: { names: ['broken'] } }, url: '/api/v1/tags/-actions/import' }
    const first = await postKeyed(guest, sent)
    const again = await postKeyed(guest, { ...sent, headers: withToken(tokenOf(first) as string) })
    expect([first.status, again.status, replayed(again), again.text]).toEqual([500, 500, 'true', first.text])
  })
})

test('the request of docs/idempotency.md is answered twice, and carried out once', async () => {
  const [{ code = '' } = {}] = fencesOf('docs/idempotency.md').filter(({ language }) => language === 'http')
  const [head = '', body = ''] = code.split('\n\n')
  const [start = '', ...lines] = head.split('\n')
  const [method = '', url = ''] = start.split(' ')
  const headers = Object.fromEntries(lines.map((line) => line.split(': ')))
  const ask = () => guest(method, url, { headers, body: JSON.parse(body) })
  const [first, again, other] = [
    await ask(),
    await ask(),
    await guest(method, url, { headers: { ...headers, ...withToken(randomUUID()) }, body: JSON.parse(body) }),
  ]
  expect([first, again, other].map(({ status }) => status)).toEqual([201, 201, 409])
  expect(again.text).toBe(first.text)
})

describe('no other guest has it', () => {
  test.each<[string, (token: string) => Readonly<Record<string, string>>]>([
    ['without a token', () => ({})],
    ['by another token', () => withToken(randomUUID())],
    ['by a part of the token', (token) => withToken(token.slice(0, 42))],
    ['by its letters in capitals', (token) => withToken(token.toUpperCase())],
  ])('%s: 409, and nothing is done', async (_what, headersOf) => {
    const sent = booking()
    const first = await postKeyed(guest, sent)
    const { status, body, headers } = await postKeyed(guest, { ...sent, headers: headersOf(tokenOf(first) as string) })
    expect({ status, body }).toEqual({ status: 409, body: kept })
    expect([replayed({ headers } as never), tokenOf({ headers })]).toEqual([null, null])
    expect(await database.writer.tag.count({ where: { name: sent.body.data.attributes.name } })).toBe(1)
  })

  test('by what the table says', async () => {
    const sent = booking()
    const token = tokenOf(await postKeyed(guest, sent)) as string
    const rows = await database.writer.idempotencyKey.findMany()
    expect(rows.filter((row) => JSON.stringify(row).includes(token))).toEqual([])
    for (const { owner } of rows)
      for (const part of owner.split(' ')) {
        const { status } = await postKeyed(guest, { ...sent, headers: withToken(part) })
        expect(status).toBe(409)
      }
  })

  test('of keys that are older than tokens', async () => {
    const sent = { ...booking(), headers: withToken(randomUUID()) }
    await postKeyed(guest, sent)
    await database.writer.idempotencyKey.updateMany({ data: { owner: randomUUID() } })
    expect((await postKeyed(guest, sent)).body).toEqual(kept)
  })
})

test.each(['', 'short', 'a'.repeat(21), 'a'.repeat(256), `${'a'.repeat(30)} b`])(
  'what could be guessed, or is no token, is 400: %j',
  async (token) => {
    const { status, body } = await postKeyed(guest, { ...booking(), headers: withToken(token) })
    const detail = 'The Idempotency-Token header must be 22 to 255 letters, digits or characters of "-._~+/=".'
    expect({ status, body }).toEqual({
      status: 400,
      body: { jsonapi: { version: '1.0' }, errors: [{ status: '400', title: 'Invalid Header', detail }] },
    })
  },
)

test('who signs in needs no token, and gets none', async () => {
  const sent = { ...booking(), headers: withToken('whatever') }
  const first = await postKeyed(running.as(users.admin), sent)
  const again = await postKeyed(running.as(users.admin), sent)
  expect([first, again].map(tokenOf)).toEqual([null, null])
  expect([first.status, replayed(again)]).toEqual([201, 'true'])
})

test('a request that was refused leaves the key free, and gives no token', async () => {
  const { key } = booking()
  const refused = await postKeyed(guest, { key, body: tagNamed('') })
  const better = await postKeyed(guest, { key, body: tagNamed(fresh('booking')) })
  expect([refused.status, tokenOf(refused), better.status]).toEqual([422, null, 201])
})
