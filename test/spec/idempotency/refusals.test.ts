import { describe, expect, test } from 'vitest'
import { users } from '../../support/api.ts'
import {
  Counting,
  CountingOperations,
  counting,
  fresh,
  postKeyed,
  replayed,
  shownOf,
  tagNamed,
} from '../../support/idempotency.ts'
import { useServers } from '../../support/servers.ts'

class Newsroom extends Counting {
  override authorizable() {
    return false
  }
}

const example = useServers(() => counting(Counting, CountingOperations))
/** Everybody may do everything. */
const open = useServers(() => counting(Newsroom))

const jsonapi = { version: '1.0' }
const reused = {
  jsonapi,
  errors: [
    {
      status: '422',
      title: 'Unprocessable Entity',
      detail: 'This Idempotency-Key was sent with another request. Take a new one.',
    },
  ],
}

describe('a key of one request is refused with another', () => {
  test.each([
    ['another document', { body: tagNamed('another') }],
    ['another query', { url: '/api/v1/tags?include=posts' }],
    ['another path', { url: '/api/v1/tags/-actions/ping' }],
  ])('%s: 422, and nothing is done', async (_what, other) => {
    const sent = { key: fresh(), body: tagNamed(fresh('keyed-tag')) }
    await postKeyed(example.as(users.admin), sent)
    const before = await example.db.tag.count()
    const { status, body, headers } = await postKeyed(example.as(users.admin), { ...sent, ...other })
    expect({ status, body }).toEqual({ status: 422, body: reused })
    expect(headers.get('Idempotency-Replayed')).toBeNull()
    expect(await example.db.tag.count()).toBe(before)
  })
})

describe('what is no key', () => {
  test.each([
    ['empty', ''],
    ['a blank inside', 'a key'],
    ['256 characters', 'k'.repeat(256)],
    ['256 characters in quotes', `"${'k'.repeat(256)}"`],
    ['not ASCII', 'schl\u00fcssel'],
    ['half a quote', '"key'],
    ['an empty text in quotes', '""'],
  ])('%s: 400', async (_what, key) => {
    const { status, body } = await postKeyed(example.as(users.admin), { key, body: tagNamed(fresh('keyed-tag')) })
    const detail = 'The Idempotency-Key header must be 1 to 255 visible ASCII characters.'
    expect({ status, body }).toEqual({
      status: 400,
      body: { jsonapi, errors: [{ status: '400', title: 'Invalid Header', detail }] },
    })
  })

  test('255 characters are one', async () => {
    const sent = { key: fresh().padEnd(255, '~'), body: tagNamed(fresh('keyed-tag')) }
    expect((await postKeyed(example.as(users.admin), sent)).status).toBe(201)
  })
})

describe('whose key it is', () => {
  test('another user has keys of their own', async () => {
    const [key, one, other] = [fresh(), fresh('keyed-tag'), fresh('keyed-tag')]
    const first = await postKeyed(open.as(users.admin), { key, body: tagNamed(one) })
    const second = await postKeyed(open.as(users.editor), { key, body: tagNamed(other) })
    const same = await postKeyed(open.as(users.member3), { key, body: tagNamed(one) })
    expect([first.status, second.status, second.body.data.attributes.name]).toEqual([201, 201, other])
    // Not the answer that another user got: the name is taken.
    expect([same.status, replayed(same)]).toEqual([422, null])
  })

  test('another server, too', async () => {
    const [key, name] = [fresh(), fresh('keyed-tag')]
    const body = tagNamed(name)
    const first = await postKeyed(example.as(users.admin), { key, body })
    const second = await postKeyed(example.as(users.admin), { key, body, url: '/api/v2/tags' })
    expect([first.status, second.status, replayed(second)]).toEqual([201, 422, null])
  })

  test("somebody who has signed in does not see a guest's", async () => {
    const [key, name] = [fresh(), fresh('keyed-tag')]
    await postKeyed(open.as(null), { key, body: tagNamed(name) })
    const other = await postKeyed(open.as(users.admin), { key, body: tagNamed(name) })
    expect([other.status, replayed(other)]).toEqual([422, null])
  })

  test('the credentials are asked for before the answer is repeated', async () => {
    const sent = { key: fresh(), body: tagNamed(fresh('keyed-tag')) }
    const first = await postKeyed(open.as(users.admin), sent)
    const forged = { Authorization: 'Bearer a.b.c' }
    expect((await postKeyed(open.as(null), { ...sent, headers: forged })).status).toBe(401)
    expect(shownOf(await postKeyed(open.as(users.admin), sent))).toEqual(shownOf(first))
  })

  test('neither key nor user can be read in the table', async () => {
    const key = fresh('a-very-special-key')
    await postKeyed(open.as(users.admin), { key, body: tagNamed(fresh('keyed-tag')) })
    const rows = await open.db.idempotencyKey.findMany()
    expect(rows.filter((row) => JSON.stringify(row).includes(key))).toEqual([])
  })
})
