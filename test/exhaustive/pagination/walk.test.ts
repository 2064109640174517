import fc from 'fast-check'
import { Schema } from 'prismapi'
import { CursorPagination } from 'prismapi/cursor-pagination'
import { beforeAll, expect, test } from 'vitest'
import type { Comment as CommentRow } from '../../../prisma/generated/client/client.ts'
import { openServer, pathOf, type Query } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// Clients that follow links through ten thousand rows while others insert and delete all over them.

const orders = {
  newest: () => new CursorPagination(),
  oldest: () => new CursorPagination().withAscending(),
  content: () => new CursorPagination().withCursorColumn('content').withLimitKey('take').withAfterKey('from'),
  id: () => new CursorPagination().withCursorColumn('id').withAscending(),
} as const

type Order = keyof typeof orders

const servers = useServers(() => ({
  policies: new Map(),
  servers: Object.entries(orders).map(([name, paginator]) =>
    openServer(name, {
      Comment: class extends Schema<'Comment'> {
        override pagination() {
          return paginator()
        }
      },
      Post: Schema,
      User: Schema,
    }),
  ),
}))

const total = 12_000

/** Five rows of each moment, 240 of each content; neither goes with the order of the ids. */
function rowOf(id: number): CommentRow {
  const rank = (id * 7919) % total
  return {
    id,
    content: `c${String(rank % 50).padStart(2, '0')}`,
    createdAt: new Date(1_700_000_000_000 + Math.floor(rank / 5) * 1000),
    authorId: 3 + (rank % 8),
    postId: 1 + (rank % 2),
    videoId: null,
  }
}

const rows = Array.from({ length: total }, (_, index) => rowOf(index + 1))
const staying = rows.filter(({ id }) => id % 12 > 1)
const doomed = rows.filter(({ id }) => id % 12 === 0)
const coming = rows.filter(({ id }) => id % 12 === 1)
const idsOf = (some: readonly CommentRow[]) => some.map(({ id }) => id)

beforeAll(async () => {
  await servers.db.comment.deleteMany()
  await servers.db.comment.createMany({ data: staying })
})

async function restore(): Promise<void> {
  await servers.db.comment.deleteMany({ where: { id: { in: idsOf([...doomed, ...coming]) } } })
  await servers.db.comment.createMany({ data: doomed })
}

const collections = {
  '/comments': { query: {}, has: () => true },
  '/posts/1/comments': { query: {}, has: ({ postId }: CommentRow) => postId === 1 },
  '/posts/2/relationships/comments': { query: {}, has: ({ postId }: CommentRow) => postId === 2 },
  '/users/5/comments': { query: {}, has: ({ authorId }: CommentRow) => authorId === 5 },
  '/comments of an author': {
    query: { 'filter[author]': 7 },
    has: ({ authorId }: CommentRow) => authorId === 7,
  },
} as const

type Collection = keyof typeof collections

const comparisons: Readonly<Record<Order, (a: CommentRow, b: CommentRow) => number>> = {
  newest: (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id,
  oldest: (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id,
  content: (a, b) => (a.content === b.content ? b.id - a.id : a.content < b.content ? 1 : -1),
  id: (a, b) => a.id - b.id,
}

interface Walk {
  readonly order: Order
  readonly collection: Collection
  readonly limit: number
  /** What the shuffle of the rows that come and go begins with. */
  readonly seed: number
}

interface Shown {
  readonly data: readonly { readonly id: string }[]
  readonly links: { readonly prev?: string; readonly next?: string }
}

/** Inserts and deletes all over the collection; never the ends of the page just read, which the client goes on from. */
function disturbance({ seed }: Walk, pages: number) {
  const shuffled = (some: readonly CommentRow[]) =>
    some.map((row, index) => ({ row, key: ((index + seed) * 7919) % 1009 })).sort((a, b) => a.key - b.key)
  const leave = shuffled(doomed).map(({ row }) => row)
  const come = shuffled(coming).map(({ row }) => row)
  const perPage = Math.ceil(doomed.length / pages)
  return async ({ data }: Shown) => {
    const ends = new Set([data[0]?.id, data.at(-1)?.id])
    const going = leave.splice(0, perPage)
    leave.push(...going.filter(({ id }) => ends.has(String(id))))
    const gone = going.filter(({ id }) => !ends.has(String(id)))
    await servers.db.comment.deleteMany({ where: { id: { in: idsOf(gone) } } })
    await servers.db.comment.createMany({ data: come.splice(0, perPage) })
  }
}

/** The ids that a client sees who follows `next` to the end, and then `prev` back to the beginning. */
async function walk(walk: Walk, members: number): Promise<Record<'there' | 'back', number[]>> {
  const { order, collection, limit } = walk
  const pages = Math.ceil(members / limit)
  const meanwhile = disturbance(walk, 2 * pages)
  const limitKey = order === 'content' ? 'page[take]' : 'page[limit]'
  const query: Query = { ...collections[collection].query, 'fields[comments]': '', [limitKey]: limit }
  const read = async (path: string): Promise<Shown> => {
    const { status, body } = await servers.as(null)('GET', path)
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined })
    return body
  }
  const follow = async (start: Shown, side: 'prev' | 'next') => {
    const shown = [start]
    for (let page = start; page.links[side]; shown.push(page)) {
      if (shown.length > 2 * pages + 10) throw new Error('The client goes round in circles.')
      await meanwhile(page)
      const { pathname, search } = new URL(page.links[side] as string)
      page = await read(pathname + search)
    }
    return shown
  }
  const first = await read(pathOf(order, collection.split(' ')[0] as string, query))
  const there = await follow(first, 'next')
  const back = (await follow(there.at(-1) as Shown, 'prev')).reverse()
  const idsOn = (shown: readonly Shown[]) => shown.flatMap(({ data }) => data.map(({ id }) => Number(id)))
  return { there: idsOn(there), back: idsOn(back) }
}

async function expectEachOnce(asked: Walk): Promise<void> {
  await restore()
  const { has } = collections[asked.collection]
  const members = staying.filter(has).sort(comparisons[asked.order])
  const isMember = new Set(idsOf(members))
  const others = new Set(idsOf([...doomed, ...coming].filter(has)))
  const seen = await walk(asked, members.length)
  for (const ids of [seen.there, seen.back]) {
    expect(ids.filter((id) => isMember.has(id))).toEqual(idsOf(members))
    expect(ids.filter((id) => !isMember.has(id) && !others.has(id))).toEqual([])
    expect(ids.length - new Set(ids).size).toBe(0)
  }
}

const patience = 240_000

test(
  'through ten thousand rows: each that was there throughout is seen once, in order, in both directions',
  async () => {
    const configurations = fc.record({
      order: fc.constantFrom<Order>('newest', 'oldest', 'content', 'id'),
      collection: fc.constant<Collection>('/comments'),
      limit: fc.integer({ min: 150, max: 1000 }),
      seed: fc.nat(1000),
    })
    const examples = (Object.keys(orders) as Order[]).map((order, index): [Walk] => [
      { order, collection: '/comments', limit: [499, 500, 333, 1000][index] as number, seed: 1 },
    ])
    await fc.assert(fc.asyncProperty(configurations, expectEachOnce), { numRuns: 6, examples, endOnFailure: true })
  },
  patience,
)

test(
  'through a part of them, by a relation or a filter, on pages of every size',
  async () => {
    const configurations = fc.record({
      order: fc.constantFrom<Order>('newest', 'oldest', 'content', 'id'),
      collection: fc.constantFrom(...(Object.keys(collections).slice(1) as Collection[])),
      limit: fc.integer({ min: 25, max: 1000 }),
      seed: fc.nat(1000),
    })
    await fc.assert(fc.asyncProperty(configurations, expectEachOnce), { numRuns: 6, endOnFailure: true })
  },
  patience,
)
