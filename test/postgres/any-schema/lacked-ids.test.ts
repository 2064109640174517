import { liveMigration } from '@prismapi/live/triggers/live-migration'
import { Schema } from 'prismapi'
import { CursorProfilePagination } from 'prismapi/cursor-pagination'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { to, toOne, useFixture } from '../../support/any-schema/use-fixture.ts'
import { type EventStream, openEvents } from '../../support/event-stream.ts'

// Ids that PostgreSQL has, and JavaScript or JSON has not: each names its own resource, by PostgreSQL's word.

const models = `
model Era {
  start  DateTime @id @db.Timestamptz(3)
  name   String
  events Event[]
}

model Event {
  id    Int       @id
  era   Era?      @relation(fields: [eraId], references: [start])
  eraId DateTime? @db.Timestamptz(3)
}

model Slot {
  day  DateTime @db.Date
  hour DateTime @db.Time(3)
  zone DateTime @db.Timetz(3)
  name String

  @@id([day, hour, zone])
}

model Shift {
  id   Int      @id @default(autoincrement())
  from DateTime @db.Timetz(3)
}

model Level {
  value  Float  @id
  name   String
  prices Price[]
}

model Price {
  amount  Decimal @id @db.Decimal
  level   Level   @relation(fields: [levelId], references: [value])
  levelId Float
}

/// @hidden
model Change {
  id          BigInt   @id @default(autoincrement())
  transaction BigInt   @default(0)
  at          DateTime @db.Timestamptz(3)
  model       String
  key         String
  action      String
  before      Json?
  after       Json?
  request     String?
  user        String?
}
`

const eras = [
  '-infinity',
  '0044-03-15 12:00:00+00 BC',
  '2024-05-01T10:20:30.000Z',
  '10000-01-01 00:00:00+00',
  'infinity',
] as const
const slots = [
  '-infinity_09%3A00%3A00_08%3A00%3A00%2B02',
  '2024-05-01_00%3A00%3A00_09%3A00%3A00',
  '2024-05-01_24%3A00%3A00_09%3A00%3A00',
  '10000-01-01_24%3A00%3A00_24%3A00%3A00%2B00',
]
const levels = ['-Infinity', '0.5', 'Infinity', 'NaN'] as const

const rows = `
  TRUNCATE "Event", "Era", "Slot", "Price", "Level";
  INSERT INTO "Era" (start, name) VALUES ${eras.map((start, i) => `('${start}', 'era ${i}')`).join()};
  INSERT INTO "Event" (id, "eraId") VALUES ${eras.map((start, i) => `(${i}, '${start}')`).join()};
  INSERT INTO "Slot" (day, hour, zone, name) VALUES ('-infinity', '09:00', '08:00+02', 'a'), ('2024-05-01', '00:00', '09:00+00', 'b'),
    ('2024-05-01', '24:00', '09:00+00', 'c'), ('10000-01-01', '24:00', '24:00+00', 'd');
  INSERT INTO "Level" (value, name) VALUES ${levels.map((value, i) => `('${value}', 'level ${i}')`).join()};
  INSERT INTO "Price" (amount, "levelId") VALUES ('NaN', 'NaN'), (1.5, 'Infinity');
`

class Paged extends Schema<never> {
  override pagination() {
    return new CursorProfilePagination()
  }
  override fields() {
    return [this.relation('events' as never).countable()]
  }
}

const api = useFixture(models, { provider: 'postgresql', schemas: { Era: Paged as never }, live: true })
beforeAll(() => api.execute(liveMigration(api.resources)))
beforeEach(() => api.execute(rows))

const pathOf = (type: string, id: string) => `/${type}/${encodeURIComponent(id)}`
const idsOf = async (url: string) => {
  const { status, body } = await api.ask('GET', url)
  expect([status, body.errors]).toEqual([200, undefined])
  return body.data.map(({ id }: { id: string }) => id)
}

describe.each([
  ['eras', eras],
  ['slots', slots],
  ['levels', levels],
  ['prices', ['1.5', 'NaN']],
] as const)('%s', (type, ids) => {
  test('are shown with ids by which they are asked for', async () => {
    expect(await idsOf(`/${type}?sort=id`)).toEqual(ids)
    for (const id of ids) {
      const { status, body } = await api.ask('GET', pathOf(type, id))
      expect([status, body.data.id, body.links.self]).toEqual([200, id, expect.stringContaining(pathOf(type, id))])
    }
  })
})

test.each([
  ['eras', eras],
  ['slots', slots],
  ['levels', levels],
] as const)('each of the %s is changed by its id alone, and removed', async (type, ids) => {
  for (const id of ids) {
    const { status, body } = await api.ask('PATCH', pathOf(type, id), {
      data: { type, id, attributes: { name: `now ${id}` } },
    })
    expect([status, body.data?.id, body.data?.attributes.name]).toEqual([200, id, `now ${id}`])
  }
  const { body } = await api.ask('GET', `/${type}?sort=id`)
  expect(body.data.map((each: { attributes: { name: string } }) => each.attributes.name)).toEqual(
    ids.map((id) => `now ${id}`),
  )
  await api.execute('TRUNCATE "Event", "Price"')
  for (const [i, id] of ids.entries()) {
    expect((await api.ask('DELETE', pathOf(type, id))).status).toBe(204)
    expect(await idsOf(`/${type}?sort=id`)).toEqual(ids.slice(i + 1))
  }
})

test('they are on one page by cursor each, forwards and backwards', async () => {
  for (const [sort, expected] of [
    ['id', eras],
    ['-id', eras.toReversed()],
  ] as const) {
    const found: string[] = []
    for (let next: string | null = `/eras?sort=${sort}&page[size]=2`; next && found.length < 9; ) {
      const { body } = await api.ask('GET', next)
      found.push(...body.data.map(({ id }: { id: string }) => id))
      const url: string | null = body.links.next ?? null
      next = url?.slice(url.indexOf('/eras')) ?? null
    }
    expect(found).toEqual(expected)
  }
})

test('what they are related to is included, linked and counted', async () => {
  const events = await api.ask('GET', '/events?include=era&sort=id')
  const linked = events.body.data.map((each: { relationships: { era: { data: object } } }) => each.relationships.era)
  expect(linked.map(({ data }: { data: object }) => data)).toEqual(eras.map((id) => toOne('eras', id).data))
  expect(new Set(events.body.included.map(({ id }: { id: string }) => id))).toEqual(new Set(eras))

  const { body } = await api.ask('GET', '/eras?include=events&withCount=events&sort=id')
  const shown = body.data.map(
    ({ relationships }: { relationships: { events: { data: object; meta: object } } }) => relationships.events,
  )
  expect(shown.map(({ data, meta }: { data: object; meta: object }) => [data, meta])).toEqual(
    eras.map((_, i) => [to('events', `${i}`).data, { count: 1 }]),
  )
  for (const [i, id] of eras.entries()) {
    expect(await api.linkage(`${pathOf('eras', id)}/relationships/events`)).toEqual(to('events', `${i}`).data)
    expect(await idsOf(`/eras?filter[id]=${encodeURIComponent(id)}`)).toEqual([id])
    expect(await idsOf(`/events?filter[era.id]=${encodeURIComponent(id)}`)).toEqual([`${i}`])
  }
  expect((await api.ask('GET', '/prices/NaN?include=level')).body.included[0].id).toBe('NaN')
})

test('they are linked by a write that is one statement, and by one in a transaction', async () => {
  for (const id of eras.toReversed()) {
    const document = { data: { type: 'events', id: '0', relationships: { era: toOne('eras', id) } } }
    expect((await api.ask('PATCH', '/events/0', document)).status).toBe(200)
    expect(await api.linkage('/events/0/relationships/era')).toEqual(toOne('eras', id).data)
  }
  const { status } = await api.ask('PATCH', '/events/0/relationships/era', toOne('eras', 'infinity'))
  expect([status, await api.linkage('/events/0/relationships/era')]).toEqual([200, toOne('eras', 'infinity').data])
})

describe('streams', () => {
  const streams: EventStream[] = []
  afterEach(async () => {
    for (const stream of streams.splice(0)) await stream.close()
  })
  const open = async (path: string) => {
    const stream = await openEvents(api.url(path))
    streams.push(stream)
    expect([stream.status, (await stream.next()).event]).toEqual([200, 'snapshot'])
    return stream
  }

  test.each([
    ['eras', [eras[0], eras[3]], '"Era"', 'start'],
    ['levels', [levels[0], levels[3]], '"Level"', 'value'],
  ] as const)('tell of each of the %s by its id', async (type, ids, table, key) => {
    await api.execute('TRUNCATE "Event", "Price"')
    const all = await open(`/${type}`)
    for (const [i, id] of ids.entries()) {
      const own = await open(pathOf(type, id))
      await api.execute(`UPDATE ${table} SET name = 'now ${i}' WHERE ${key} = '${id}'`)
      for (const stream of [all, own]) {
        const { event, data } = await stream.next()
        expect([event, data.data.id, data.data.attributes.name]).toEqual(['upsert', id, `now ${i}`])
      }
      await api.execute(`DELETE FROM ${table} WHERE ${key} = '${id}'`)
      for (const stream of [all, own]) {
        const { event, data } = await stream.next()
        expect([event, data.data]).toEqual(['remove', { type, id }])
      }
      await own.close()
    }
  })
})

test('no client makes one', async () => {
  await api.execute('TRUNCATE "Price", "Level"')
  for (const [type, id] of [
    ['eras', '20000-01-01 00:00:00+00'],
    ['levels', '-Infinity'],
  ] as const) {
    const { status, body } = await api.ask('POST', `/${type}`, { data: { type, id, attributes: { name: 'new' } } })
    expect([status, body.errors[0].source]).toEqual([422, { pointer: '/data/id' }])
  }
})

test('there is one spelling of each', async () => {
  const others = [
    'Infinity',
    '10000-01-01T00:00:00.000Z',
    '+010000-01-01T00:00:00.000Z',
    '10000-01-01 00:00:00.0+00',
    'null',
  ]
  for (const id of others) expect((await api.ask('GET', pathOf('eras', id))).status).toBe(404)
  for (const id of ['nan', 'null', '-infinity']) expect((await api.ask('GET', pathOf('levels', id))).status).toBe(404)
})

describe('a time with a zone is a time of a day', () => {
  const create = (from: string) => api.ask('POST', '/shifts', { data: { type: 'shifts', attributes: { from } } })
  beforeEach(() => api.execute('TRUNCATE "Shift"'))

  test('as it was sent, in filters and in sorts', async () => {
    for (const from of ['09:30:00', '08:00', '23:59:59.999']) expect((await create(from)).status).toBe(201)
    const times = async (query: string) =>
      (await api.ask('GET', `/shifts?${query}`)).body.data.map(
        ({ attributes }: { attributes: { from: string } }) => attributes.from,
      )
    expect(await times('sort=from')).toEqual(['08:00:00', '09:30:00', '23:59:59.999'])
    expect(await times('filter[from]=09:30')).toEqual(['09:30:00'])
    expect(await times('filter[from][gt]=08:00:00.001&sort=-from')).toEqual(['23:59:59.999', '09:30:00'])
    await api.execute(`INSERT INTO "Shift" ("from") VALUES ('07:00+02'), ('24:00+00')`)
    expect(await times('sort=from')).toEqual(['07:00:00', '08:00:00', '09:30:00', '23:59:59.999', '00:00:00'])
  })

  test('a date-time is none', async () => {
    const { status, body } = await create('1970-01-01T09:30:00Z')
    expect([status, body.errors[0].detail]).toEqual([422, 'The from field must be a time such as 09:30:00.'])
    expect((await api.ask('GET', '/shifts?filter[from]=1970-01-01T09:30:00Z')).status).toBe(400)
  })
})
