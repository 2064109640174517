import { Policy, type Rules, Schema, Server, type Serving, type User, type WhereOf } from 'prismapi'
import { CursorPagination, CursorProfilePagination } from 'prismapi/cursor-pagination'
import { beforeEach, expect, test } from 'vitest'
import { users } from '../support/api.ts'
import { plain, useServers } from '../support/servers.ts'

// Pages beside a row share all of their plan but the row's values, with every other page of the list. Whoever asks, and whatever scopes and
// rules say now, walks through its own rows from end to end, and back: the callers by turns, page by page.

class OwnAndOld extends Policy<'Post'> {
  override abilities({ can, cannot }: Rules<'Post'>, user: User | null) {
    can('viewAny')
    // Conditions on the columns that pages are compared by, with the same operators.
    if (user) can('view', { OR: [{ authorId: user.id }, { createdAt: { lte: state.until }, id: { lt: state.below } }] })
    if (user?.id === state.fieldless) cannot('view', 'synopsis')
    if (user?.id === state.trash) can('viewTrashed')
  }
}

const never = new Date(0)
const state: {
  until: Date
  below: number
  scope: WhereOf<'Post'> | null
  fieldless: number | null
  trash: number | null
} = { until: never, below: 0, scope: null, fieldless: null, trash: null }
beforeEach(() => void Object.assign(state, { until: never, below: 0, scope: null, fieldless: null, trash: null }))

class Newest extends Schema<'Post'> {
  override readonly softDelete = 'deletedAt' as const
  override pagination(): CursorPagination | CursorProfilePagination {
    return new CursorPagination()
  }
}
class ByCursors extends Newest {
  override readonly defaultSort = '-createdAt'
  override pagination() {
    return new CursorProfilePagination()
  }
}
/** A column with nulls. */
class Published extends Newest {
  override pagination() {
    return new CursorPagination().withCursorColumn('publishedAt').withAscending()
  }
}

function serverOf(name: string, schema: typeof Newest) {
  class Paged extends Server {
    override readonly name = name
    override readonly viewAnyByView = true
    override readonly models = ['Post'] as const
    override serving(phase: Serving) {
      if (state.scope) phase.scope('Post', state.scope)
    }
  }
  return plain(Paged, { schemas: new Map([['Post', schema]]) })
}
const api = useServers(() => ({
  policies: new Map<string, new () => Policy>([['Post', OwnAndOld as never]]),
  servers: [serverOf('newest', Newest), serverOf('cursors', ByCursors), serverOf('published', Published)],
}))

interface Row {
  readonly id: number
  readonly authorId: number
  readonly createdAt: Date
  readonly publishedAt: Date | null
  readonly deletedAt: Date | null
}

const newestFirst = (a: Row, b: Row) => b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id
const publishedFirst = (a: Row, b: Row) => Number(a.publishedAt) - Number(b.publishedAt) || a.id - b.id

/** What a caller sees, without the wall. */
async function rowsOf(user: number, order: typeof newestFirst = newestFirst): Promise<readonly number[]> {
  const rows: readonly Row[] = await api.db.post.findMany({ where: { AND: [state.scope ?? {}] } })
  const { until, below, trash } = state
  return rows
    .filter(({ deletedAt }) => deletedAt === null || user === trash)
    .filter(({ authorId, createdAt, id }) => authorId === user || (createdAt <= until && id < below))
    .sort(order)
    .map(({ id }) => id)
}

interface Walk {
  readonly user: number
  readonly ids: number[]
  next: string | null
}

/** All pages of several callers by turns, each by the links of its own. */
async function walk(first: string, link: 'next' | 'prev', callers: readonly number[]): Promise<readonly number[][]> {
  const walks = callers.map((user): Walk => ({ user, ids: [], next: first }))
  while (walks.some(({ next }) => next !== null))
    for (const each of walks) {
      if (each.next === null) continue
      const { status, body } = await api.as(each.user)('GET', each.next)
      expect([status, each.next]).toEqual([200, each.next])
      const ids = body.data.map(({ id }: { id: string }) => Number(id))
      if (link === 'next') each.ids.push(...ids)
      else each.ids.unshift(...ids)
      const at: string | null = ids.length === 0 ? null : (body.links[link] ?? null)
      each.next = at && new URL(at).pathname + new URL(at).search
    }
  return walks.map(({ ids }) => ids)
}

const callers = Object.values(users)

test.each([
  ['newest', 'page[limit]=3'],
  ['cursors', 'page[size]=3'],
])('%s: callers whose rules differ by a value alone, more of them than are remembered', async (server, size) => {
  state.until = (await api.db.post.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })).createdAt
  for (const below of [0, 12]) {
    state.below = below
    const expected = await Promise.all(callers.map((user) => rowsOf(user)))
    expect(new Set(expected.map(String)).size).toBeGreaterThan(4)
    expect(await walk(`/api/${server}/posts?${size}`, 'next', callers)).toEqual(expected)
  }
})

test('backwards, from the last row on', async () => {
  const expected = await Promise.all(callers.map((user) => rowsOf(user)))
  for (const [i, user] of callers.entries()) {
    const last = expected[i]?.at(-1)
    if (last === undefined) continue
    const [ids] = await walk(`/api/newest/posts?page[limit]=2&page[before]=${last}`, 'prev', [user])
    expect(ids).toEqual(expected[i]?.slice(0, -1))
  }
  const [ids] = await walk('/api/newest/posts?page[limit]=4', 'next', [users.member3])
  expect(ids).toEqual(await rowsOf(users.member3))
})

test('scopes that compare what pages are compared by, from one request to the next', async () => {
  const all = await rowsOf(users.member3)
  const middle = all[all.length >> 1] as number
  const { createdAt } = await api.db.post.findUniqueOrThrow({ where: { id: middle } })
  const scopes: readonly (WhereOf<'Post'> | null)[] = [
    null,
    { createdAt: { lte: createdAt } },
    { createdAt: { lte: createdAt }, NOT: { createdAt: { equals: createdAt }, id: { gte: middle } } },
    { createdAt: { gte: createdAt } },
    { createdAt: { lt: new Date(Date.now() + 60_000) } },
    { createdAt: { lt: new Date(createdAt.getTime() + 1) } },
    { id: { not: middle } },
  ]
  for (const scope of [...scopes, ...scopes]) {
    state.scope = scope
    const expected = [await rowsOf(users.member3), await rowsOf(users.member4)]
    expect(await walk('/api/newest/posts?page[limit]=2', 'next', [users.member3, users.member4])).toEqual(expected)
  }
})

test('a row that the caller does not see is no place, whoever asked from there before', async () => {
  const [first] = await rowsOf(users.member3)
  const at = `/api/newest/posts?page[limit]=2&page[after]=${first}`
  for (let round = 0; round < 2; round++) {
    expect((await api.as(users.member3)('GET', at)).status).toBe(200)
    expect((await api.as(users.member4)('GET', at)).status).toBe(400)
    expect((await api.as(null)('GET', at)).status).toBe(400)
  }
})

test('deleted rows are on the pages of who may see them, and on no other', async () => {
  const [, second = 0] = await rowsOf(users.member3)
  await api.db.post.update({ where: { id: second }, data: { deletedAt: new Date() } })
  const pages = async (user: number | null, trashed: string) => {
    const [ids] = await walk(`/api/newest/posts?page[limit]=2${trashed}`, 'next', [user as number])
    return ids
  }
  for (let round = 0; round < 2; round++) {
    state.trash = null
    const without = await rowsOf(users.member3)
    expect(without).not.toContain(second)
    expect(await pages(users.member3, '')).toEqual(without)
    state.trash = users.member3
    expect(await pages(users.member3, '&filter[trashed]=with')).toEqual(await rowsOf(users.member3))
    expect(await pages(users.member3, '')).toEqual(without)
    expect(await pages(users.member3, '&filter[trashed]=only')).toEqual([second])
  }
  await api.db.post.update({ where: { id: second }, data: { deletedAt: null } })
})

test('pages of a column with nulls leave out the rows without a value, as they did', async () => {
  const seen = new Set(await rowsOf(users.member3))
  const rows: readonly Row[] = await api.db.post.findMany({ where: { publishedAt: { not: null } } })
  const expected = rows.filter(({ id }) => seen.has(id)).sort(publishedFirst)
  const from = expected[0] as Row
  const [ids] = await walk(`/api/published/posts?page[limit]=2&page[after]=${from.id}`, 'next', [users.member3])
  expect(ids).toEqual(expected.slice(1).map(({ id }) => id))
})

test.each(['publishedAt', '-publishedAt', 'publishedAt,-title'])(
  'cursors of rows with and without a value, sorted by %s',
  async (sort) => {
    const all = `/api/cursors/posts?page[size]=100&sort=${sort}`
    const whole = await Promise.all(
      callers.map(async (user) =>
        (await api.as(user)('GET', all)).body.data.map(({ id }: { id: string }) => Number(id)),
      ),
    )
    const rows = await api.db.post.findMany({ select: { id: true, publishedAt: true } })
    const kinds = new Set(rows.map(({ publishedAt }) => publishedAt === null))
    expect(kinds.size).toBe(2)
    const first = `/api/cursors/posts?page[size]=1&sort=${sort}`
    expect(await walk(first, 'next', callers)).toEqual(whole)
    for (const [i, user] of callers.entries()) {
      const { last } = (await api.as(user)('GET', first)).body.links
      const at = new URL(last)
      expect((await walk(at.pathname + at.search, 'prev', [user]))[0]).toEqual(whole[i])
    }
  },
)

test('filters, fields and sizes of the same list', async () => {
  const mine = await rowsOf(users.member3)
  const [first] = mine
  for (let round = 0; round < 2; round++)
    for (const size of [1, 3, 2]) {
      const after = `page[limit]=${size}&page[after]=${first}`
      const { body } = await api.as(users.member3)('GET', `/api/newest/posts?${after}&fields[posts]=title`)
      expect(body.data.map(({ id }: { id: string }) => Number(id))).toEqual(mine.slice(1, 1 + size))
      expect(Object.keys(body.data[0].attributes)).toEqual(['title'])
      const whole = await api.as(users.member3)('GET', `/api/newest/posts?${after}`)
      expect(Object.keys(whole.body.data[0].attributes)).toContain('synopsis')
      state.fieldless = users.member3
      const masked = await api.as(users.member3)('GET', `/api/newest/posts?${after}`)
      expect(Object.keys(masked.body.data[0].attributes)).not.toContain('synopsis')
      state.fieldless = null
    }
})
