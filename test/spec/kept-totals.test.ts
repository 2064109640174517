import { describe, expect, test, vi } from 'vitest'
import { useApi, users } from '../support/api.ts'

// A total is not counted again as long as nobody has committed; once somebody has, whoever it was, it is.

const api = useApi()

const counts = /^\s*select count\(\*\)/i
const isCount = (sql: string) => counts.test(sql)

async function total(path: string): Promise<number> {
  const { status, body } = await api.as(users.admin).get(`${path}${path.includes('?') ? '&' : '?'}page[size]=1`)
  expect(status).toBe(200)
  return body.meta.page.total
}
const countsOf = async (work: () => Promise<unknown>): Promise<number> =>
  (await api.queriesOf(work)).filter(isCount).length

const newPost = (slug: string) => ({ title: 'T', slug, content: 'C', authorId: 3, publishedAt: new Date() })

describe('a total', () => {
  test('is counted once while nobody commits, and for each condition by itself', async () => {
    const few = '/users?filter[id]=1,2,3'
    const [all, three] = [await total('/users'), await total(few)]
    expect(three).toBe(3)
    const again = async () => expect([await total('/users'), await total(few)]).toEqual([all, 3])
    // The transactions of a PostgreSQL server are counted for all of its databases, and other tests have theirs.
    await vi.waitFor(async () => expect(await countsOf(again)).toBe(0), { timeout: 100_000, interval: 5 })
    await api.db.tag.create({ data: { name: 'whatever it is' } })
    expect(await countsOf(again)).toBe(2)
  })

  test('is another one after each commit of anybody', async () => {
    const before = await total('/posts')
    for (let n = 1; n <= 20; n++) {
      await api.db.post.create({ data: newPost(`kept-${n}`) })
      expect(await total('/posts')).toBe(before + n)
    }
    await api.db.post.deleteMany({ where: { slug: { startsWith: 'kept-' } } })
    expect(await total('/posts')).toBe(before)
  })

  test('is what a client that was told 201 expects, while others ask all the time', async () => {
    let isDone = false
    const asking = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isDone) await total('/posts')
      }),
    )
    const before = await total('/posts')
    for (let n = 1; n <= 30; n++) {
      await api.db.post.create({ data: newPost(`told-${n}`) })
      expect(await total('/posts')).toBe(before + n)
    }
    isDone = true
    await asking
  })

  test('does not see what is not committed, and sees it once it is', async () => {
    const before = await total('/posts')
    await api.db.$transaction(async (transaction) => {
      await transaction.post.create({ data: newPost('undecided') })
      expect([await total('/posts'), await total('/posts')]).toEqual([before, before])
    })
    expect(await total('/posts')).toBe(before + 1)
    await api.db
      .$transaction(async (transaction) => {
        await transaction.post.create({ data: newPost('undone') })
        expect(await total('/posts')).toBe(before + 1)
        throw new Error('undone')
      })
      .catch(() => {})
    expect(await total('/posts')).toBe(before + 1)
  })
})
