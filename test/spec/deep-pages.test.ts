import { beforeAll, describe, expect, test, vi } from 'vitest'
import { useApi, users } from '../support/api.ts'

// A deep page is read from a position that an earlier one left behind, as long as nobody has committed. It has the same rows as ever.

const api = useApi()
const count = 2400
const start = Date.UTC(2030, 0)

const newPost = (n: number) => ({
  id: 10_000 + n,
  title: `Deep ${String((n * 7) % count).padStart(4, '0')}`,
  slug: `deep-${n}`,
  content: 'C',
  authorId: 3,
  // Neighbours share their time.
  createdAt: new Date(start + Math.floor(n / 3) * 60_000),
  publishedAt: new Date(start),
})

beforeAll(async () => {
  await api.db.post.createMany({ data: Array.from({ length: count }, (_, n) => newPost(n)) })
})

const size = 20

async function page(number: number, sort: string): Promise<readonly string[]> {
  const path = `/posts?sort=${sort}&page[number]=${number}&page[size]=${size}`
  const { status, body } = await api.as(users.admin).get(path)
  expect(status).toBe(200)
  return body.data.map(({ id }: { id: string }) => id)
}

async function rows(sort: string): Promise<readonly string[]> {
  const [name, direction] = sort.startsWith('-') ? [sort.slice(1), 'desc'] : [sort, 'asc']
  const orderBy = [{ [name]: direction }, { id: direction }]
  const found = await api.db.post.findMany({
    where: { deletedAt: null },
    orderBy: orderBy as never,
    select: { id: true },
  })
  return found.map(({ id }) => String(id))
}

const isFromPosition = (sql: string) => /\) [<>]= \(/.test(sql)

describe.each(['title', '-createdAt', 'createdAt'])('deep pages by %s', (sort) => {
  test('have the rows of the list, in any order of asking', async () => {
    const all = await rows(sort)
    for (const number of [60, 61, 80, 100, 61, 59, 120, 121, 52, 1]) {
      expect(await page(number, sort), `page ${number}`).toEqual(all.slice((number - 1) * size, number * size))
    }
  })

  test('are read from a position where nobody has committed, and from the beginning where somebody has', async () => {
    const shallow = await api.queriesOf(() => page(30, sort))
    expect(shallow.some(isFromPosition)).toBe(false)
    const [first, second] = [70, 72]
    const asked = async () => {
      await page(first, sort)
      return api.queriesOf(() => page(second, sort))
    }
    // The transactions of a PostgreSQL server are counted for all of its databases, and other tests have theirs.
    await vi.waitFor(async () => expect((await asked()).some(isFromPosition)).toBe(true), {
      timeout: 100_000,
      interval: 5,
    })
    await api.db.post.create({ data: { ...newPost(count), title: 'A', createdAt: new Date(0) } })
    try {
      const all = await rows(sort)
      const queries = await api.queriesOf(async () => {
        expect(await page(second, sort)).toEqual(all.slice((second - 1) * size, second * size))
      })
      expect(queries.some(isFromPosition)).toBe(false)
    } finally {
      await api.db.post.delete({ where: { id: 10_000 + count } })
    }
  })
})
