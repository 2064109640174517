import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openThings, type Things } from '../support/postgres-things/things.ts'

// Lists that were left out, and lists of other programs: NULL, and with NULL among their items.

type Served = Awaited<ReturnType<Things['serve']>>
let things: Things
let readings: Readonly<Record<'auto' | 'prisma', Served>>
const ids: Record<string, string> = {}

beforeAll(async () => {
  things = await openThings()
  readings = { auto: await things.serve(), prisma: await things.serve(things.url, { reads: 'prisma' }) }
})
afterAll(() => things.close())

const empty = { tags: [], counts: [], prices: [], days: [], blobs: [], flags: [] }
const create = async (attributes: object) => {
  const body = { data: { type: 'listeds', attributes } }
  return readings.auto.ask('POST', '/listeds', body)
}

test('a list that a client leaves out is stored as an empty one', async () => {
  const { status, body } = await create({ name: 'left out' })
  const { id } = body.data
  expect({ status, attributes: body.data.attributes }).toEqual({
    status: 201,
    attributes: { name: 'left out', ...empty, given: ['a'] },
  })
  const columns = Object.keys(empty).map((name) => `${name}::text`)
  expect(await things.execute(`SELECT ${columns} FROM "Listed" WHERE id = ${id}`)).toEqual([columns.map(() => '{}')])
  await things.execute(`DELETE FROM "Listed" WHERE id = ${id}`)
})

describe('lists that are NULL in the database', () => {
  beforeAll(async () => {
    for (const [name, tags] of [
      ['null', 'NULL'],
      ['empty', "'{}'"],
      ['a', "'{a}'"],
      ['ab', "'{a,b}'"],
    ]) {
      const [[id]] = (await things.execute(
        `INSERT INTO "Listed" (name, tags) VALUES ('${name}', ${tags}) RETURNING id`,
      )) as [[number]]
      ids[name as string] = String(id)
    }
  })
  afterAll(() => things.execute('DELETE FROM "Listed"'))

  test.each([
    ['filter[tags][isEmpty]=true', ['null', 'empty']],
    ['filter[tags][isEmpty]=false', ['a', 'ab']],
    ['filter[tags][has]=a', ['a', 'ab']],
    ['filter[tags][hasSome]=b,c', ['ab']],
    ['filter[tags][hasEvery]=a,b', ['ab']],
    ['filter[tags]=a', ['a']],
    ['filter[not][0][tags][isEmpty]=true', ['a', 'ab']],
    ['filter[not][0][tags][isEmpty]=false', ['null', 'empty']],
    ['filter[not][0][tags][has]=b', ['null', 'empty', 'a']],
    ['filter[not][0][tags][hasSome]=b,c', ['null', 'empty', 'a']],
    ['filter[not][0][tags][hasEvery]=a,b', ['null', 'empty', 'a']],
    ['filter[not][0][tags]=a', ['null', 'empty', 'ab']],
  ])('count as empty: %s', async (query, expected) => {
    for (const served of Object.values(readings)) {
      const { status, body } = await served.ask('GET', `/listeds?sort=id&${query}`)
      expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined })
      expect(body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name)).toEqual(expected)
    }
  })
})

test('NULL among the items of a list is null, in the collection and alone', async () => {
  const [[id]] = (await things.execute(
    `INSERT INTO "Listed" (name, tags, counts, prices, days, blobs, flags, given) VALUES ('holes', '{a,NULL}', '{1,NULL}', '{1.50,NULL}',
      '{2024-05-01T10:20:30Z,NULL}', '{"\\\\x00ff",NULL}', '{t,NULL}', NULL) RETURNING id`,
  )) as [[number]]
  const attributes = {
    name: 'holes',
    tags: ['a', null],
    counts: [1, null],
    prices: [expect.stringMatching(/^1\.50?$/), null],
    days: ['2024-05-01T10:20:30.000Z', null],
    blobs: ['AP8=', null],
    flags: [true, null],
    given: [],
  }
  const all = await readings.auto.ask('GET', '/listeds')
  expect({ status: all.status, data: all.body.data }).toMatchObject({ status: 200, data: [{ attributes }] })
  const { status, body } = await readings.auto.ask('GET', `/listeds/${id}`)
  expect({ status, attributes: body.data?.attributes }).toEqual({ status: 200, attributes })
})
