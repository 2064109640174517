import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { useApi, users } from '../../support/api.ts'
import { addPost } from '../../support/rows.ts'

// Clients that follow links through the posts of the second version, by every order that they may ask for, while others
// insert and delete all over them. Which order the database has is the database's to say.

const api = useApi()
const editor = api.as(users.editor)

const columns = {
  id: 'id',
  title: 'title',
  slug: 'slug',
  body: 'content',
  synopsis: 'synopsis',
  publishedAt: 'publishedAt',
  deletedAt: 'deletedAt',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
} as const

type Field = keyof typeof columns
type Key = Field | `-${Field}`
const fields = Object.keys(columns) as Field[]

/** Many ties and many rows without a value; what they say does not go with the order of their ids. */
const kindOf = (n: number) => ({
  title: `T${n % 4}`,
  content: `c${n % 3}`,
  synopsis: n % 3 === 0 ? null : `s${n % 5}`,
  publishedAt: n % 4 === 0 ? null : new Date(1_700_000_000_000 + (n % 7)),
  createdAt: new Date(1_700_000_000_000 + ((n * 7919) % 11)),
  authorId: 3 + (n % 8),
})

const add = (n: number) => addPost(api.db, kindOf(n))

beforeAll(async () => {
  for (let n = 0; n < 60; n++) await add(n)
})

const directionOf = (key: Key): Prisma.SortOrder => (key.startsWith('-') ? 'desc' : 'asc')
const fieldOf = (key: Key) => key.replace('-', '') as Field

/** The ids in the order that the database gives them. */
async function sorted(sort: readonly Key[]): Promise<string[]> {
  const last = sort.at(-1) as Key
  const orderBy = [
    ...sort.map((key) => ({ [columns[fieldOf(key)]]: directionOf(key) })),
    ...(sort.some((key) => fieldOf(key) === 'id') ? [] : [{ id: directionOf(last) }]),
  ]
  const rows = await api.db.post.findMany({ where: { deletedAt: null }, orderBy, select: { id: true } })
  return rows.map(({ id }) => String(id))
}

interface Shown {
  readonly data: readonly { readonly id: string }[]
  readonly links: Readonly<Record<'prev' | 'next' | 'last', string | null>>
}

async function read(path: string): Promise<Shown> {
  const { status, body } = await editor.get(path)
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined })
  return body
}

async function follow(start: Shown, side: 'prev' | 'next', meanwhile: () => Promise<void>): Promise<string[][]> {
  const pages = [start.data]
  for (let page = start; page.links[side] !== null; pages.push(page.data)) {
    if (pages.length > 400) throw new Error('The client goes round in circles.')
    await meanwhile()
    const { pathname, search } = new URL(page.links[side])
    page = await read(pathname + search)
  }
  return pages.map((data) => data.map(({ id }) => id))
}

interface Walk {
  readonly sort: readonly Key[]
  readonly size: number
}

/** Posts that come and go while a client walks, the ones just shown among them: a cursor outlives its row. */
function disturbance() {
  const mine: number[] = []
  let n = 100
  return async () => {
    mine.push((await add(n++)).id)
    if (mine.length > 3) await api.db.post.delete({ where: { id: mine.splice(n % 3, 1)[0] as number } })
  }
}

async function expectEachOnce({ sort, size }: Walk): Promise<void> {
  const before = await sorted(sort)
  const meanwhile = disturbance()
  const query = `fields[posts]=&sort=${sort.join(',')}&page[size]=${size}`
  const first = await read(`/api/v2/posts?${query}`)
  const there = (await follow(first, 'next', meanwhile)).flat()
  const { pathname, search } = new URL(first.links.last as string)
  const back = (await follow(await read(pathname + search), 'prev', meanwhile)).reverse().flat()
  for (const seen of [there, back]) {
    expect(seen.filter((id) => before.includes(id))).toEqual(before)
    expect(seen.length - new Set(seen).size).toBe(0)
  }
  await api.db.post.deleteMany({ where: { id: { notIn: before.map(Number) }, deletedAt: null } })
}

const patience = 240_000

test.each(fields.flatMap((field) => [[field], [`-${field}`]] as const))(
  'by %s: each post is seen once, in order, in both directions, beside others that come and go',
  (key) => expectEachOnce({ sort: [key as Key], size: 7 + (key.length % 5) }),
  patience,
)

test(
  'by any fields, each in a direction of its own, on pages of every size',
  async () => {
    const key = fc.tuple(fc.constantFrom('', '-'), fc.constantFrom(...fields)).map((parts) => parts.join('') as Key)
    const walk = fc.record({
      sort: fc.uniqueArray(key, { minLength: 1, maxLength: 4, selector: fieldOf }),
      size: fc.integer({ min: 5, max: 100 }),
    })
    const examples: [Walk][] = [
      [{ sort: ['-publishedAt', 'synopsis'], size: 11 }],
      [{ sort: ['synopsis', '-title', 'createdAt'], size: 13 }],
      [{ sort: ['title', '-id'], size: 10 }],
    ]
    await fc.assert(fc.asyncProperty(walk, expectEachOnce), { numRuns: 12, examples, endOnFailure: true })
  },
  patience,
)

test('the order is the same whatever the size', async () => {
  const idsBy = async (size: number) =>
    (
      await follow(await read(`/api/v2/posts?fields[posts]=&sort=synopsis&page[size]=${size}`), 'next', async () => {})
    ).flat()
  const all = await sorted(['synopsis'])
  for (const size of [1, 2, 29, 100]) expect(await idsBy(size)).toEqual(all)
})
