import { describe, expect, test } from 'vitest'
import { provider } from '../support/database.ts'
import { theExample, useServers } from '../support/servers.ts'

// Pages beside a row whose instant another program wrote: whatever its spelling, it stands where its time is.

const api = useServers(theExample)
const admin: ReturnType<typeof api.as> = (...args) => api.as(1)(...args)

const padded = (n: number) => String(n).padStart(2, '0')
// Three rows of each moment.
const secondOf = (id: number) => Math.floor(id / 3) % 60
const spellings: Readonly<Record<string, (id: number) => string>> = {
  'as Prisma writes it': (id) => `'2024-05-01T10:20:${padded(secondOf(id))}.000+00:00'`,
  'as JavaScript writes it': (id) => `'2024-05-01T10:20:${padded(secondOf(id))}.000Z'`,
  'as CURRENT_TIMESTAMP writes it': (id) => `'2024-05-01 10:20:${padded(secondOf(id))}'`,
  "as Prisma's migrations write it": (id) => `'2024-05-01 10:20:${padded(secondOf(id))} +00:00'`,
  'in another zone': (id) => `'2024-05-01T12:20:${padded(secondOf(id))}.000000+0200'`,
  'as older versions of Prisma write it': (id) => String(1714558800000 + secondOf(id) * 1000),
}
const kinds = Object.values(spellings)
const all = {
  ...spellings,
  'as several programs write it': (id: number) => (kinds[id % kinds.length] as (id: number) => string)(id),
}

interface Page {
  readonly ids: readonly string[]
  readonly links: Readonly<Record<string, string | null | undefined>>
}

async function page(url: string): Promise<Page> {
  const { pathname, search } = new URL(url, 'http://any')
  const { status, body } = await admin('GET', pathname + search)
  expect(status).toBe(200)
  return { ids: body.data.map(({ id }: { id: string }) => id), links: body.links }
}

/** Follows a link to its end; a page that comes again and again would have no end. */
async function walk(url: string, link: 'next' | 'prev', most: number): Promise<readonly Page[]> {
  const pages = [await page(url)]
  for (let next = pages[0]?.links[link]; next && pages.length < most; next = pages.at(-1)?.links[link])
    pages.push(await page(next))
  return pages
}

const idsOf = async (table: string): Promise<readonly number[]> =>
  (await api.db.$queryRawUnsafe<{ id: number }[]>(`SELECT "id" FROM "${table}" ORDER BY "id"`)).map(({ id }) => id)

/** By time, and then by id. */
const inOrder = async (table: string, direction: 1 | -1): Promise<readonly string[]> =>
  (await idsOf(table)).toSorted((a, b) => (secondOf(a) - secondOf(b) || a - b) * direction).map(String)

describe.runIf(provider === 'sqlite').each(Object.entries(all))('rows with an instant %s', (_, spelt) => {
  const respell = async (table: string) => {
    for (const id of await idsOf(table))
      await api.db.$executeRawUnsafe(`UPDATE "${table}" SET "createdAt" = ${spelt(id)} WHERE "id" = ${id}`)
  }

  test('are each on one page, forwards and backwards, beside the id of a row', async () => {
    await respell('Comment')
    const expected = await inOrder('Comment', -1)
    const forwards = await walk('/api/v1/comments?page[limit]=11', 'next', expected.length)
    expect(forwards.flatMap(({ ids }) => ids)).toEqual(expected)
    const last = `/api/v1/comments?page[limit]=11&page[before]=${expected.at(-1)}`
    const backwards = await walk(last, 'prev', expected.length)
    expect(backwards.toReversed().flatMap(({ ids }) => ids)).toEqual(expected.slice(0, -1))
  })

  test.each([
    ['createdAt', 1],
    ['-createdAt', -1],
  ] as const)('are each on one page, forwards and backwards, beside a sealed place: %s', async (sort, direction) => {
    await respell('Post')
    const whole = await page(`/api/v2/posts?sort=${sort}&page[size]=100`)
    const most = whole.ids.length
    expect(whole.ids).toEqual(await inOrder('Post', direction))
    const forwards = await walk(`/api/v2/posts?sort=${sort}&page[size]=7`, 'next', most)
    expect(forwards.flatMap(({ ids }) => ids)).toEqual(whole.ids)
    const backwards = await walk(forwards[0]?.links.last ?? '', 'prev', most)
    expect(backwards.toReversed().flatMap(({ ids }) => ids)).toEqual(whole.ids)
  })
})
