import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { provider } from '../support/database.ts'
import { lookedAtOnce } from '../support/looked-at-once.ts'
import { isNight } from '../support/night.ts'
import { theExample, useServers } from '../support/servers.ts'

// SQLite has instants as texts. What Prisma writes (`…+00:00`) and what JavaScript does (`…Z`) may stand in one column: whatever the mix,
// answers are those of the instants. Equal ones are the same, and what is sorted by them is sorted by the next key then, the id at last.

const api = useServers(theExample)
const admin: ReturnType<typeof api.as> = (...args) => api.as(1)(...args)

const runs = isNight ? 100 : 4

/** Few, so that many rows have the same. */
const instants = [
  '0001-01-01T00:00:00.000Z',
  '2024-05-01T10:20:29.999Z',
  '2024-05-01T10:20:30.000Z',
  '2024-05-01T10:20:30.001Z',
  '2024-05-02T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
] as const

type Spelling = 'Z' | '+00:00'
interface Mark {
  readonly instant: string | null
  readonly spelling: Spelling
}

const instant = fc.constantFrom(...instants)
const spelling = fc.constantFrom<Spelling>('Z', '+00:00')
const mark = fc.record({ instant, spelling })
const markOrNull = fc.record({ instant: fc.option(instant, { freq: 3 }), spelling })
const of = (spelling: Spelling) => fc.record({ instant, spelling: fc.constant(spelling) })
const ofOrNull = (spelling: Spelling) =>
  fc.record({ instant: fc.option(instant, { freq: 3 }), spelling: fc.constant(spelling) })
const marks = (each: fc.Arbitrary<Mark>) => fc.array(each, { minLength: 7, maxLength: 40 })

const stored = ({ instant, spelling }: Mark): string | null => instant?.replace('Z', spelling) ?? null

/** Gives the rows of a table marks by turns. */
async function respell(table: string, column: string, all: readonly Mark[]): Promise<void> {
  const values = all.map((each, i) => `(${i}, ${stored(each) ? `'${stored(each)}'` : 'NULL'})`).join()
  const given = `SELECT "at" FROM "marks" WHERE "n" = "${table}"."id" % ${all.length}`
  await api.db.$executeRawUnsafe(
    `WITH "marks"("n", "at") AS (VALUES ${values}) UPDATE "${table}" SET "${column}" = (${given})`,
  )
}

interface Post {
  readonly id: number
  readonly title: string
  readonly createdAt: string
  readonly publishedAt: string | null
  readonly comments: readonly number[]
}

interface Parent {
  readonly id: string
  readonly relationships: { readonly comments: { readonly data: readonly { readonly id: string }[] } }
}

interface Group {
  readonly key: Readonly<Record<string, string>>
  readonly stats: { readonly '*': { readonly count: number } }
}

interface Comment {
  readonly id: number
  readonly createdAt: string
  readonly postId: number | null
}

const iso = (text: string | null): string | null => (text === null ? null : new Date(text).toISOString())

/** What the tables hold, by instants. */
async function world() {
  const posts = await api.db.$queryRawUnsafe<Record<string, string>[]>(
    'SELECT "id", "title", CAST("createdAt" AS TEXT) "createdAt", CAST("publishedAt" AS TEXT) "publishedAt" FROM "Post" WHERE "deletedAt" IS NULL',
  )
  const found = await api.db.$queryRawUnsafe<Record<string, string>[]>(
    'SELECT "id", CAST("createdAt" AS TEXT) "createdAt", "postId" FROM "Comment"',
  )
  const comments = found.map(
    ({ id, createdAt, postId }): Comment => ({
      id: Number(id),
      createdAt: iso(createdAt as string) as string,
      postId: postId === null ? null : Number(postId),
    }),
  )
  return {
    comments,
    posts: posts.map(
      ({ id, title, createdAt, publishedAt }): Post => ({
        id: Number(id),
        title: title as string,
        createdAt: iso(createdAt as string) as string,
        publishedAt: iso(publishedAt as string),
        comments: byTime(
          comments.filter(({ postId }) => postId === Number(id)),
          ['-createdAt', '-id'],
        ),
      }),
    ),
  }
}

type Sorted = { readonly id: number }

/** The ids of rows in an order: a null is less than anything. */
function byTime<Row extends Sorted>(rows: readonly Row[], sort: readonly string[]): number[] {
  const compare = (a: Row, b: Row): number => {
    for (const key of sort) {
      const name = key.replace('-', '') as keyof Row
      const [x, y] = [a[name] ?? '', b[name] ?? '']
      if (x !== y) return (x < y ? -1 : 1) * (key.startsWith('-') ? -1 : 1)
    }
    return 0
  }
  return rows.toSorted(compare).map(({ id }) => id)
}

const countsOf = (values: readonly string[]): readonly (readonly [string, number])[] =>
  [...new Set(values)].toSorted().map((value) => [value, values.filter((each) => each === value).length])

/** The same instant in the other spelling. */
const respelt = (column: string): string =>
  `"${column}" = CASE WHEN "${column}" LIKE '%Z' THEN substr("${column}", 1, 23) || '+00:00' ELSE substr("${column}", 1, 23) || 'Z' END`

const url = (path: string, params: Readonly<Record<string, string | number>>): string =>
  `${path}?${Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`

async function read(path: string, params: Readonly<Record<string, string | number>> = {}) {
  const { status, body } = await admin('GET', Object.keys(params).length > 0 ? url(path, params) : path)
  expect({ status, errors: body.errors, path, params }).toEqual({ status: 200, errors: undefined, path, params })
  return body
}

const idsOf = ({ data }: { readonly data: readonly { readonly id: string }[] }): number[] =>
  data.map(({ id }) => Number(id))

/** Follows a link from a document to the last one. */
async function walk(document: Awaited<ReturnType<typeof read>>, link: 'next' | 'prev'): Promise<number[][]> {
  const pages = [idsOf(document)]
  for (let at = document; at.links[link]; pages.push(idsOf(at))) {
    if (pages.length > 200) throw new Error('The pages have no end.')
    const { pathname, search } = new URL(at.links[link])
    at = await read(pathname + search)
  }
  return pages
}

const operators: Readonly<Record<string, (value: string, asked: string) => boolean>> = {
  '': (value, asked) => value === asked,
  '[not]': (value, asked) => value !== asked,
  '[gt]': (value, asked) => value > asked,
  '[gte]': (value, asked) => value >= asked,
  '[lt]': (value, asked) => value < asked,
  '[lte]': (value, asked) => value <= asked,
  '[in]': (value, asked) => asked.split(',').includes(value),
  '[notIn]': (value, asked) => !asked.split(',').includes(value),
}

const keys = ['createdAt', '-createdAt', 'publishedAt', '-publishedAt', 'title', '-title', 'id', '-id'] as const
const sorts = fc
  .uniqueArray(fc.constantFrom(...keys), { minLength: 1, maxLength: 3, selector: (key) => key.replace('-', '') })
  // What stands behind the id has nothing left to sort.
  .map((sort) => sort.slice(0, sort.findIndex((key) => key.endsWith('id')) + 1 || sort.length))

/** The id completes an order, in the direction of its last key. */
const total = (sort: readonly string[]): readonly string[] => {
  if (sort.some((key) => key.replace('-', '') === 'id')) return sort
  return [...sort, sort.at(-1)?.startsWith('-') ? '-id' : 'id']
}

const asked = fc.record({
  sort: sorts,
  size: fc.integer({ min: 3, max: 12 }),
  page: fc.integer({ min: 1, max: 6 }),
  column: fc.constantFrom('createdAt' as const, 'publishedAt' as const),
  operator: fc.constantFrom(...Object.keys(operators)),
  values: fc.uniqueArray(instant, { minLength: 1, maxLength: 3 }),
})

const check = (created: fc.Arbitrary<Mark>, published: fc.Arbitrary<Mark>) =>
  fc.assert(
    fc.asyncProperty(
      marks(created),
      marks(published),
      fc.array(asked, { minLength: 3, maxLength: 3 }),
      async (createdAt, publishedAt, questions) => {
        await respell('Post', 'createdAt', createdAt)
        await respell('Post', 'publishedAt', publishedAt)
        await respell('Comment', 'createdAt', createdAt)
        const { posts, comments } = await world()
        for (const { sort, size, page, column, operator, values } of questions) {
          const isList = operator.endsWith('n]')
          const value = isList ? values.join() : (values[0] as string)
          const rows = posts.filter((post) => {
            const own = post[column]
            return own !== null && (operators[operator] as (typeof operators)[''])(own, value)
          })
          const expected = byTime(rows, total(sort))
          const asks = { [`filter[${column}]${operator}`]: value, sort: sort.join() }
          // By number.
          const numbered = await read('/api/v1/posts', { ...asks, 'page[size]': size, 'page[number]': page })
          expect(idsOf(numbered)).toEqual(expected.slice((page - 1) * size, page * size))
          // By cursors, forth and back.
          const first = await read('/api/v2/posts', { ...asks, 'page[size]': size })
          const forth = await walk(first, 'next')
          expect(forth.flat()).toEqual(expected)
          const { pathname, search } = new URL(
            first.links.last ?? `http://any${url('/api/v2/posts', { ...asks, 'page[size]': size })}`,
          )
          expect((await walk(await read(pathname + search), 'prev')).toReversed().flat()).toEqual(expected)
          // All of them, in every order, with rows that have none.
          const all = await read('/api/v2/posts', { sort: sort.join(), 'page[size]': size + 20 })
          expect((await walk(all, 'next')).flat()).toEqual(byTime(posts, total(sort)))
        }
        // Beside the id of a row.
        const newest = byTime(comments, ['-createdAt', '-id'])
        const forth = await walk(await read('/api/v1/comments', { 'page[limit]': 9 }), 'next')
        expect(forth.flat()).toEqual(newest)
        const before = await read('/api/v1/comments', { 'page[limit]': 9, 'page[before]': newest.at(-1) as number })
        expect((await walk(before, 'prev')).toReversed().flat()).toEqual(newest.slice(0, -1))
        // Behind their parents, of many and of one.
        const parents = await read('/api/v1/posts', { include: 'comments', 'page[size]': 15, sort: 'id' })
        const shown = parents.data.map(({ id, relationships }: Parent) => [Number(id), idsOf(relationships.comments)])
        expect(shown).toEqual(
          byTime(posts, ['id'])
            .slice(0, 15)
            .map((id) => [id, posts.find((post) => post.id === id)?.comments]),
        )
        const [one] = posts.filter((post) => post.comments.length > 1)
        expect(idsOf(await read(`/api/v1/posts/${one?.id}/comments`))).toEqual(one?.comments)
        // In groups.
        const groups = await read('/api/v2/comments/-stats', { groupBy: 'createdAt:day', 'withStats[*]': 'count' })
        const counted = groups.meta.groups.map(({ key, stats }: Group) => [key['createdAt:day'], stats['*'].count])
        expect(counted).toEqual(countsOf(comments.map(({ createdAt }) => createdAt.slice(0, 10))))
        // In the hands of who changes it, and saw it before it was spelt in another way.
        const id = one?.id as number
        const seen = (await admin('GET', `/api/v1/posts/${id}`)).headers.get('ETag') as string
        await api.db.$executeRawUnsafe(
          `UPDATE "Post" SET ${respelt('createdAt')}, ${respelt('publishedAt')} WHERE "id" = ${id}`,
        )
        const change = (title: string, etag: string) =>
          admin('PATCH', `/api/v1/posts/${id}`, {
            headers: { 'If-Match': etag },
            body: { data: { type: 'posts', id: String(id), attributes: { title } } },
          })
        expect((await change(`${seen} changed`, seen)).status).toBe(200)
        expect((await change('changed again', seen)).status).toBe(412)
      },
    ),
    { numRuns: runs, endOnFailure: true },
  )

describe.runIf(provider === 'sqlite')('pages of a long list', () => {
  const [rows, size] = [1400, 50]

  beforeAll(async () => {
    const numbers = `WITH RECURSIVE "n"("i") AS (SELECT 1001 UNION ALL SELECT "i" + 1 FROM "n" WHERE "i" < ${1000 + rows})`
    await api.db.$executeRawUnsafe(
      `${numbers} INSERT INTO "Post" ("id", "title", "slug", "content", "updatedAt", "authorId") SELECT "i", 'T' || ("i" % 3), 'long-' || "i", 'x', '2024-05-01T10:20:30.000Z', 3 FROM "n"`,
    )
  })
  afterAll(async () => {
    await api.db.$executeRawUnsafe('DELETE FROM "Post" WHERE "id" > 1000')
  })

  test.each(['createdAt', '-createdAt', 'createdAt,-title', '-publishedAt'])(
    'are each at their place, deep ones read from the place of others: %s',
    async (sort) => {
      const numbers = Array.from({ length: 300 }, (_, i) => new Date(Date.UTC(2024, 4, 1, 10, 20, 0, (i * 7919) % 211)))
      const all = numbers.map((at, i): Mark => ({ instant: at.toISOString(), spelling: i % 7 < 3 ? 'Z' : '+00:00' }))
      await respell('Post', 'createdAt', all)
      await respell(
        'Post',
        'publishedAt',
        all.map((each, i) => (i % 5 === 0 ? { ...each, instant: null } : each)),
      )
      const expected = byTime((await world()).posts, total(sort.split(',')))
      const pages = Array.from({ length: Math.ceil(expected.length / size) }, (_, i) => i)
      for (const page of pages.toSorted((a, b) => ((a * 13) % 31) - ((b * 13) % 31))) {
        const found = await read('/api/v1/posts', { sort, 'page[size]': size, 'page[number]': page + 1 })
        expect({ page, ids: idsOf(found) }).toEqual({ page, ids: expected.slice(page * size, (page + 1) * size) })
      }
    },
    120_000,
  )

  test('have a row that the server itself has written since, at its place', async () => {
    await respell('Post', 'updatedAt', [{ instant: instants[2], spelling: 'Z' }])
    await lookedAtOnce(() => read('/api/v1/posts', { 'filter[updatedAt]': instants[2], 'page[size]': 1 }))
    const body = { data: { type: 'posts', id: '1001', attributes: { title: 'written' } } }
    const { body: answer } = await admin('PATCH', '/api/v1/posts/1001', { body })
    const { updatedAt } = answer.data.attributes
    for (const operator of ['', '[gte]', '[in]'])
      expect(idsOf(await read('/api/v1/posts', { [`filter[updatedAt]${operator}`]: updatedAt }))).toEqual([1001])
    expect(idsOf(await read('/api/v1/posts', { 'filter[updatedAt][gt]': updatedAt }))).toEqual([])
    const first = await read('/api/v2/posts', { sort: '-updatedAt', 'page[size]': 1 })
    const { pathname, search } = new URL(first.links.next)
    expect([idsOf(first)[0], idsOf(await read(pathname + search))[0]]).toEqual([1001, 1000 + rows])
  })

  const twoInstants: readonly Mark[] = [
    { instant: instants[1], spelling: 'Z' },
    { instant: instants[2], spelling: '+00:00' },
  ]
  test.each([
    ['of one instant for each spelling', twoInstants, 1],
    ['of one instant in two spellings', [...twoInstants, { instant: instants[2], spelling: 'Z' } as Mark], 4],
  ])('take an index, and do not sort the table: %s', async (_, all, statements) => {
    await respell('Post', 'createdAt', all)
    const queries = await api.queriesOf(() => read('/api/v1/posts', { sort: '-createdAt', 'page[size]': size }))
    const ofPosts = queries.filter((sql) => /from "Post"/.test(sql) && /order by/.test(sql))
    expect(ofPosts).toHaveLength(statements)
    for (const sql of ofPosts) {
      const plan = await api.db.$queryRawUnsafe<{ detail: string }[]>(
        `EXPLAIN QUERY PLAN ${sql.replaceAll('?', 'NULL')}`,
      )
      expect(plan.map(({ detail }) => detail).join('\n')).toMatch(/USING (COVERING )?INDEX Post_createdAt_id_idx/)
    }
  })
})

describe.runIf(provider === 'sqlite')('the answers are those of the instants', () => {
  test('where both spellings stand in one column', () => check(mark, markOrNull), 600_000)
  test('where all are spelt as JavaScript does', () => check(of('Z'), ofOrNull('Z')), 600_000)
  test('where one column has one spelling, and another one both', () => check(of('Z'), markOrNull), 600_000)
})
