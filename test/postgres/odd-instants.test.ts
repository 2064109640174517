import { afterAll, beforeAll, expect, test } from 'vitest'
import { openThings, type Things } from '../support/postgres-things/things.ts'

// Instants that PostgreSQL has and JavaScript has not, on pages by cursor.

let things: Things
let served: Awaited<ReturnType<Things['serve']>>

const instants = ['-infinity', '0044-03-15 00:00:00 BC', '2024-05-01 10:20:30', '10000-01-01 00:00:00', 'infinity']
const days = ['-infinity', '0044-03-15 BC', '2024-05-01', '10000-01-01', 'infinity']
const hours = ['09:00:00+02', '09:00:00+00', '10:00:00+00', '08:00:00-05', '24:00:00+00']

beforeAll(async () => {
  things = await openThings()
  // Three rows of each, in another order than that of time.
  for (let i = 0; i < 15; i++) {
    const at = (i * 2) % 5
    await things.execute(
      `INSERT INTO "Moment" (at, plain, hour, day) VALUES ('${instants[at]}', '${instants[at]}', '${hours[at]}', '${days[at]}')`,
    )
  }
  served = await things.serve()
})
afterAll(() => things.close())

async function walk(path: string, link: 'next' | 'prev'): Promise<readonly string[][]> {
  const pages: string[][] = []
  for (let next: string | null = path; next && pages.length < 12; ) {
    const { status, body } = await served.ask('GET', next)
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined })
    pages.push(body.data.map(({ id }: { id: string }) => id))
    const url = body.links[link] as string | null | undefined
    next = url ? url.slice(url.indexOf('/moments')) : null
  }
  return pages
}

test.each(['at', 'plain', 'hour', 'day'].flatMap((column) => [column, `-${column}`]))(
  'each row is on one page, forwards and backwards: %s',
  async (sort) => {
    const order = sort.startsWith('-') ? `${sort.slice(1)} DESC, id DESC` : `${sort}, id`
    const expected = (await things.execute(`SELECT id FROM "Moment" ORDER BY ${order}`)).map(([id]) => String(id))
    const ids = sort.startsWith('-') ? '-id' : 'id'
    const first = `/moments?sort=${sort},${ids}&page[size]=2`
    expect((await walk(first, 'next')).flat()).toEqual(expected)
    const { body } = await served.ask('GET', first)
    const last = body.links.last as string
    expect((await walk(last.slice(last.indexOf('/moments')), 'prev')).toReversed().flat()).toEqual(expected)
  },
)
