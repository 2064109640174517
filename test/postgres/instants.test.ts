import { afterAll, beforeAll, expect, test } from 'vitest'
import { openThings, type Things } from '../support/postgres-things/things.ts'

// Instants, in a database whose sessions are not in UTC, and tables that are not in the schema `public`.

let things: Things
let served: Awaited<ReturnType<Things['serve']>>

beforeAll(async () => {
  things = await openThings()
  await things.execute(`ALTER DATABASE "${new URL(things.url).pathname.slice(1)}" SET TimeZone = 'Asia/Tokyo'`)
  // An option of one's own leaves sessions in UTC.
  served = await things.serve(`${things.url}?options=${encodeURIComponent('-c statement_timeout=60s')}`)
})
afterAll(() => things.close())

const table = 'audit."the things"'
const at = '2024-03-31T01:30:00.123Z'

test('an instant is the same one in the database, wherever its sessions are', async () => {
  const { body } = await served.create({ at: '2024-03-31T03:30:00.123+02:00' })
  expect(body.data.attributes.at).toBe(at)
  const own = `id = ${body.data.id} AND at = '${at}'::timestamptz`
  expect(await things.execute(`SELECT count(*)::int FROM ${table} WHERE ${own}`)).toEqual([[1]])
  const found = await served.ask('GET', `/things?filter[at]=${at}&fields[things]=at`)
  expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([body.data.id])
})

test('the default of the database is now', async () => {
  const before = Date.now()
  const { body } = await served.create()
  expect(Math.abs(Date.parse(body.data.attributes.fine) - before)).toBeLessThan(30_000)
})

test('finer digits than milliseconds, which others have written, are not shown, and do not equal what is', async () => {
  const { body } = await served.create()
  const { id } = body.data
  await things.execute(`UPDATE ${table} SET fine = '2024-01-01T00:00:00.123456Z' WHERE id = ${id}`)
  const shown = await served.ask('GET', `/things/${id}`)
  expect(shown.body.data.attributes.fine).toBe('2024-01-01T00:00:00.123Z')
  const by = async (filter: string) => (await served.ask('GET', `/things?${filter}`)).body.data.length
  expect(await by('filter[fine]=2024-01-01T00:00:00.123Z')).toBe(0)
  expect(await by('filter[fine][gte]=2024-01-01T00:00:00.123Z&filter[fine][lt]=2024-01-01T00:00:00.124Z')).toBe(1)
})

test('a relation leads from one schema of the database into another', async () => {
  const box = await served.ask('POST', '/boxes', { data: { type: 'boxes', attributes: { name: 'one' } } })
  const identifier = { type: 'boxes', id: box.body.data.id }
  const made = await served.create({ code: 'boxed' }, { relationships: { box: { data: identifier } } })
  expect(made.status).toBe(201)
  const read = await served.ask('GET', `/boxes/${identifier.id}?include=things&fields[things]=code`)
  expect(read.body.included.map(({ attributes }: { attributes: object }) => attributes)).toEqual([{ code: 'boxed' }])
  const found = await served.ask('GET', '/boxes?filter[things.code]=boxed')
  expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([identifier.id])
})
