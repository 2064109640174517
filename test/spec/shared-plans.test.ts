import { Policy, type Rules, Server, type Serving, type User, type WhereOf } from 'prismapi'
import { beforeEach, expect, test } from 'vitest'
import { users } from '../support/api.ts'
import { plain, useServers } from '../support/servers.ts'

// What is planned for one request is used for the next one with the same query. Whoever asks, and whatever its rules and scopes say now, sees its
// own rows: each of these asks the same URL by turns.

class OwnPosts extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>, user: User | null) {
    can('viewAny')
    if (user) can('view', { authorId: user.id })
  }
}
class OpenUsers extends Policy<'User'> {
  override abilities({ can }: Rules<'User'>) {
    can(this.reads)
  }
}

/** What the scope says at the moment, and who has a hook behind its reads. */
const state: { scope: WhereOf<'Post'> | null; hooked: number | null; seen: unknown[] } = {
  scope: null,
  hooked: null,
  seen: [],
}
beforeEach(() => void Object.assign(state, { scope: null, hooked: null, seen: [] }))

class Own extends Server {
  override readonly name: string = 'own'
  override readonly viewAnyByView = true
  override readonly models = ['User', 'Post'] as const
  override serving(phase: Serving) {
    if (state.scope) phase.scope('Post', state.scope)
    if (state.hooked === phase.user?.id)
      phase.read('Post', (rows) => void state.seen.push(...rows.map(({ createdAt }) => createdAt)))
  }
}
class Short extends Own {
  override readonly name = 'short'
  override readonly limits = { maxPageSize: 2 }
}

class OpenTags extends Policy<'Tag'> {
  override abilities({ can }: Rules<'Tag'>) {
    can(this.reads)
  }
}
class OpenPosts extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>) {
    can(this.reads)
  }
}

/** Shows each caller the rows behind the ids that are named here. */
const from = { posts: 0, tags: 0, users: 0 }
beforeEach(() => void Object.assign(from, { posts: 0, tags: 0, users: 0 }))
class Related extends Server {
  override readonly name = 'related'
  override readonly models = ['User', 'Post', 'Tag'] as const
  override serving(phase: Serving) {
    if (from.posts > 0) phase.scope('Post', { id: { gte: from.posts } })
    if (from.tags > 0) phase.scope('Tag', { id: { gte: from.tags } })
    if (from.users > 0) phase.scope('User', { id: { gte: from.users } })
  }
}

const policies = new Map<string, new () => Policy>([
  ['Post', OwnPosts as never],
  ['User', OpenUsers as never],
])
const api = useServers(() => ({ policies, servers: [plain(Own), plain(Short)] }))
const open = useServers(() => ({
  policies: new Map<string, new () => Policy>([
    ['Post', OpenPosts as never],
    ['User', OpenUsers as never],
    ['Tag', OpenTags as never],
  ]),
  servers: [plain(Related)],
}))

const url = '/api/own/posts?sort=id&page[size]=50'

async function shown(user: number | null, at = url): Promise<readonly number[]> {
  const { status, body } = await api.as(user)('GET', at)
  expect(status).toBe(200)
  return body.data.map(({ id }: { id: string }) => Number(id))
}

async function owned(authorId: number, where: object = {}): Promise<readonly number[]> {
  const rows = await api.db.post.findMany({
    where: { AND: [{ authorId }, where] },
    orderBy: { id: 'asc' },
    take: 50,
    select: { id: true },
  })
  return rows.map(({ id }) => id)
}

const callers = Object.values(users)

test('callers whose rules differ by a value alone, more of them than are remembered', async () => {
  const expected = await Promise.all(callers.map((user) => owned(user)))
  expect(new Set(expected.map(String)).size).toBeGreaterThan(4)
  for (let round = 0; round < 3; round++) {
    for (const [i, user] of callers.entries()) expect(await shown(user)).toEqual(expected[i])
    expect(await shown(null)).toEqual([])
  }
  const together = await Promise.all([...callers, ...callers].map((user) => shown(user)))
  expect(together).toEqual([...expected, ...expected])
})

test('a scope that says something else from one request to the next', async () => {
  const [first, second, ...more] = await owned(users.member3)
  const ids = [first as number]
  state.scope = { id: { in: ids } }
  expect(await shown(users.member3)).toEqual([first])
  // The application changes what it has said before.
  ids.push(second as number)
  expect(await shown(users.member3)).toEqual([first, second])
  ids.splice(0, 1)
  expect(await shown(users.member3)).toEqual([second])
  state.scope = { id: { in: [first as number] } }
  expect(await shown(users.member3)).toEqual([first])
  state.scope = { id: { notIn: ids } }
  expect(await shown(users.member3)).toEqual([first, ...more])
  state.scope = null
  expect(await shown(users.member3)).toEqual([first, second, ...more])
})

test('a scope whose instant is changed in place', async () => {
  const at = new Date(0)
  state.scope = { createdAt: { lt: at } }
  expect(await shown(users.member3)).toEqual([])
  at.setTime(Date.UTC(2200, 0))
  expect(await shown(users.member3)).toEqual(await owned(users.member3))
  state.scope = { createdAt: { lt: new Date(0) } }
  expect(await shown(users.member3)).toEqual([])
})

test('pages of one list, of servers with other limits', async () => {
  const all = await owned(users.member3)
  for (let round = 0; round < 2; round++) {
    for (const number of [1, 2, 1]) {
      const found = await shown(users.member3, `/api/own/posts?sort=id&page[size]=3&page[number]=${number}`)
      expect(found).toEqual(all.slice((number - 1) * 3, number * 3))
    }
    expect(await shown(users.member3, '/api/own/posts?sort=id')).toEqual(all.slice(0, 15))
    expect(await shown(users.member3, '/api/short/posts?sort=id')).toEqual(all.slice(0, 2))
  }
})

test('a hook behind the reads of one of two callers sees rows as Prisma gives them', async () => {
  const texts = async (user: number) => (await api.as(user)('GET', url)).text
  const [before, ofOther] = [await texts(users.member3), await texts(users.member4)]
  state.hooked = users.member3
  for (let round = 0; round < 2; round++) {
    expect(await texts(users.member4)).toBe(ofOther)
    expect(state.seen).toEqual([])
    expect(await texts(users.member3)).toBe(before)
    expect(state.seen.length).toBeGreaterThan(0)
    expect(state.seen.every((value) => value instanceof Date)).toBe(true)
    state.seen.length = 0
  }
})

test('fields and filters of the same list', async () => {
  const [first] = await owned(users.member3)
  for (let round = 0; round < 2; round++) {
    const { body } = await api.as(users.member3)('GET', `${url}&fields[posts]=title&filter[id]=${first}`)
    expect(body.data.map(({ attributes }: { attributes: object }) => Object.keys(attributes))).toEqual([['title']])
    expect(await shown(users.member3, `${url}&filter[id]=${first}`)).toEqual([first])
    expect(await shown(users.member4, `${url}&filter[id]=${first}`)).toEqual([])
  }
})

test('resources by their ids, under scopes that differ by a value, more of them than are remembered', async () => {
  const ids = (await open.db.post.findMany({ orderBy: { id: 'asc' }, take: 5 })).map(({ id }) => id)
  const [first = 0, second = 0, third = 0] = ids
  for (let value = 1; value <= 130; value++) {
    from.posts = value
    for (const id of [first, third, second]) {
      const { status, body } = await open.as(null)('GET', `/api/related/posts/${id}`)
      expect([status, body.data?.id]).toEqual(id >= value ? [200, String(id)] : [404, undefined])
    }
  }
  from.posts = 0
  const together = await Promise.all(
    [...ids, ...ids, -1].map(async (id) => (await open.as(null)('GET', `/api/related/posts/${id}`)).body.data?.id),
  )
  expect(together).toEqual([...ids, ...ids].map(String).concat(undefined as never))
})

test('included resources of pages of each size, under scopes that differ by a value', async () => {
  const all = await open.db.post.findMany({
    orderBy: { id: 'asc' },
    take: 9,
    include: { author: true, tags: { orderBy: { id: 'asc' } } },
  })
  const tagIds = [...new Set(all.flatMap(({ tags }) => tags.map(({ id }) => id)))].toSorted((a, b) => a - b)
  const userIds = [...new Set(all.map(({ authorId }) => authorId))].toSorted((a, b) => a - b)
  expect([tagIds.length > 2, userIds.length > 1]).toEqual([true, true])
  const steps = [0, tagIds[1] as number, tagIds.at(-1) as number, 0].map((tags, i) => ({
    tags,
    users: i % 2 === 0 ? 0 : (userIds[1] as number),
  }))
  for (const step of [...steps, ...steps]) {
    Object.assign(from, step)
    for (const size of [1, 3, 9, 2]) {
      const at = `/api/related/posts?include=author,tags&sort=id&page[size]=${size}`
      const { body } = await open.as(null)('GET', at)
      const shownOf = body.data.map(({ id, relationships: { author, tags } }: Shown) => [
        Number(id),
        author.data && Number(author.data.id),
        tags.data.map((tag) => Number(tag.id)),
      ])
      expect(shownOf).toEqual(
        all
          .slice(0, size)
          .map(({ id, authorId, tags }) => [
            id,
            authorId >= step.users ? authorId : null,
            tags.map((tag) => tag.id).filter((tag) => tag >= step.tags),
          ]),
      )
    }
  }
})

interface Shown {
  readonly id: string
  readonly relationships: {
    readonly author: { readonly data: { readonly id: string } | null }
    readonly tags: { readonly data: readonly { readonly id: string }[] }
  }
}

test('what single resources include, and lists of them, under scopes that differ by a value', async () => {
  const posts = await open.db.post.findMany({
    orderBy: { id: 'asc' },
    take: 6,
    include: { author: true, tags: { orderBy: { id: 'asc' } } },
  })
  const authors = await open.db.user.findMany({
    orderBy: { id: 'asc' },
    include: { posts: { orderBy: { id: 'asc' } } },
  })
  const postIds = authors.flatMap(({ posts }) => posts.map(({ id }) => id)).toSorted((a, b) => a - b)
  const middle = postIds[postIds.length >> 1] as number
  const tag = Math.max(...posts.flatMap(({ tags }) => tags.map(({ id }) => id)))
  const get = async (at: string) => {
    const { status, body } = await open.as(null)('GET', `/api/related/${at}`)
    expect([at, status]).toEqual([at, 200])
    return body
  }
  const numbers = (list: readonly { readonly id: string }[]) =>
    list.map(({ id }) => Number(id)).toSorted((a, b) => a - b)
  for (const step of [{}, { posts: middle, tags: tag }, { posts: 2 }, {}]) {
    Object.assign(from, { posts: 0, tags: 0, users: 0 }, step)
    for (const { id, authorId, tags } of posts.filter(({ id }) => id >= from.posts)) {
      const { data } = await get(`posts/${id}?include=author,tags`)
      expect(data.relationships.author.data.id).toBe(String(authorId))
      expect(numbers(data.relationships.tags.data)).toEqual(numbers(tags as never).filter((each) => each >= from.tags))
    }
    for (const fields of ['', '&fields[posts]=title', '&fields[posts]=slug,author']) {
      const whose = (each: (typeof authors)[number]) =>
        each.posts.map((post) => post.id).filter((id) => id >= from.posts)
      for (const each of authors.slice(0, 4)) {
        const { data, included } = await get(`users/${each.id}?include=posts${fields}`)
        expect(numbers(data.relationships.posts.data)).toEqual(whose(each))
        for (const post of included) {
          const { title, slug } = each.posts.find(({ id }) => String(id) === post.id) as Record<string, unknown>
          if (fields === '') expect(post.attributes).toMatchObject({ title, slug })
          else expect(post.attributes).toEqual(fields.includes('title') ? { title } : { slug })
        }
      }
      for (const size of [2, 3, 2]) {
        const { data } = await get(`users?include=posts&page[size]=${size}&sort=id${fields}`)
        const shown = data.map(({ relationships }: { relationships: { posts: { data: [] } } }) =>
          numbers(relationships.posts.data),
        )
        expect(shown).toEqual(authors.slice(0, size).map(whose))
      }
    }
  }
})

test('totals of callers who see different rows', async () => {
  const counts = await Promise.all(callers.map((authorId) => api.db.post.count({ where: { authorId } })))
  for (let round = 0; round < 2; round++)
    for (const [i, user] of callers.entries()) {
      const { body } = await api.as(user)('GET', '/api/own/posts?page[size]=1')
      expect(body.meta.page.total).toBe(counts[i])
    }
})
