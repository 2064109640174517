import { Schema } from 'prismapi'
import { beforeAll, describe, expect, test } from 'vitest'
import { badParameter, expectErrors } from '../../support/answers.ts'
import { users } from '../../support/api.ts'
import { openServer, pathOf, type Query } from '../../support/open-server.ts'
import { addPost, addTag } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'

// Filters that stand for no field, declared by schema classes.

class Posts extends Schema<'Post'> {
  override fields() {
    return [this.attribute('synopsis').notFilterable()]
  }
  override filters() {
    return [
      this.filter('published', {
        kind: 'boolean',
        where: (published) => (published ? { publishedAt: { not: null } } : { publishedAt: null }),
      }),
      this.filter('tagged', { list: true, where: (names) => ({ tags: { some: { name: { in: names } } } }) }),
      this.filter('untagged', { where: (name) => ({ NOT: { tags: { some: { name } } } }) }),
      this.filter('onlyTagged', { where: (name) => ({ tags: { every: { name }, some: {} } }) }),
      this.filter('numbers', { kind: 'integer', list: true, where: (ids) => ({ id: { in: ids } }) }),
      this.filter('since', { kind: 'datetime', where: (date) => ({ createdAt: { gte: date } }) }),
      this.filter('order', { values: ['odd', 'first'], where: (which) => (which === 'odd' ? null : { id: 1 }) }),
      this.filter('mine', {
        kind: 'boolean',
        where: (mine, { user }) => (mine ? { authorId: user?.id ?? 0 } : { NOT: { authorId: user?.id ?? 0 } }),
      }),
      this.filter('synopsis', { where: (synopsis) => ({ synopsis }) }),
      this.filter('by', { where: (name) => ({ author: { name } }) }),
      this.filter('notBy', { where: (name) => ({ author: { isNot: { name } } }) }),
    ]
  }
}
class Tags extends Schema<'Tag'> {}
class Users extends Schema<'User'> {
  override filters() {
    return [
      this.filter('staff', { kind: 'boolean', where: (staff) => ({ role: staff ? { not: 'MEMBER' } : 'MEMBER' }) }),
    ]
  }
}

const schemas = { Post: Posts, Tag: Tags, User: Users }
const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    openServer('all', schemas, { limits: { filterTerms: 3, filterValues: 4 } }),
    openServer('some', schemas, {
      serving(phase) {
        phase.scope('Tag', { NOT: { name: { startsWith: 'hidden' } } })
        phase.scope('User', { NOT: { name: { startsWith: 'Hidden' } } })
      },
    }),
  ],
}))

const ask = (path: string, query: Query, server = 'all', userId: number | null = null) =>
  servers.as(userId)('GET', pathOf(server, path, query))

/** The ids that a filter leaves of posts 1 to 8. */
async function idsOf(query: Query, userId: number | null = null): Promise<number[]> {
  const { status, body } = await ask('/posts', { 'filter[id][lte]': 8, ...query }, 'all', userId)
  expect(status).toBe(200)
  return body.data.map(({ id }: { id: string }) => Number(id))
}

/** What the database says of posts 1 to 8. */
const found = async (where: object) =>
  (await servers.db.post.findMany({ where: { AND: [{ id: { lte: 8 } }, where] }, orderBy: { id: 'asc' } })).map(
    ({ id }) => id,
  )

describe('a value becomes a condition', () => {
  test.each<[string, Query, object]>([
    ['a boolean', { 'filter[published]': 'false' }, { publishedAt: null }],
    ['a text', { 'filter[synopsis]': 'Post 3 in one sentence.' }, { id: 3 }],
    ['a text with a comma, which separates nothing', { 'filter[synopsis]': 'a,b' }, { id: 0 }],
    ['a list', { 'filter[tagged]': 'tag-3,tag-5' }, { tags: { some: { name: { in: ['tag-3', 'tag-5'] } } } }],
    ['a list of one', { 'filter[tagged]': 'tag-3' }, { tags: { some: { name: 'tag-3' } } }],
    ['a list in brackets', { 'filter[tagged][]': 'tag-3' }, { tags: { some: { name: 'tag-3' } } }],
    ['integers', { 'filter[numbers]': '2,3' }, { id: { in: [2, 3] } }],
    ['a date', { 'filter[since]': '2024-02-01T00:05:00Z' }, { createdAt: { gte: new Date('2024-02-01T00:05:00Z') } }],
    ['a word', { 'filter[order]': 'first' }, { id: 1 }],
    ['a word that means no condition', { 'filter[order]': 'odd' }, {}],
  ])('%s', async (_, query, where) => {
    expect(await idsOf(query)).toEqual(await found(where))
  })

  test('which may depend on who asks', async () => {
    const mine = await found({ authorId: users.member5 })
    expect(mine.length).toBeGreaterThan(0)
    expect(await idsOf({ 'filter[mine]': 'true' }, users.member5)).toEqual(mine)
    expect(await idsOf({ 'filter[mine]': 'true' })).toEqual([])
  })
})

describe('it stands beside the rest of the language', () => {
  test.each<[string, Query, object]>([
    [
      'other filters',
      { 'filter[published]': 'true', 'filter[author.id]': 5 },
      { publishedAt: { not: null }, authorId: 5 },
    ],
    [
      'groups',
      { 'filter[or][0][published]': 'false', 'filter[or][1][numbers]': '2,3' },
      { OR: [{ publishedAt: null }, { id: { in: [2, 3] } }] },
    ],
    ['not', { 'filter[not][0][published]': 'true' }, { publishedAt: null }],
    ['to-one paths', { 'filter[author.staff]': 'false' }, {}],
  ])('%s', async (_, query, where) => {
    expect(await idsOf(query)).toEqual(await found(where))
  })

  test('to-many paths', async () => {
    const { body } = await ask('/users', { 'filter[posts.none.numbers]': '2,3', 'page[size]': 100 })
    const rows = await servers.db.user.findMany({ where: { posts: { none: { id: { in: [2, 3] } } } } })
    expect(body.data.map(({ id }: { id: string }) => Number(id))).toEqual(rows.map(({ id }) => id))
  })

  test('links', async () => {
    const { body } = await ask('/posts', { 'filter[published]': 'true', 'page[size]': 2 })
    expect(body.links.next).toMatch(/\?filter%5Bpublished%5D=true&page%5Bnumber%5D=2&page%5Bsize%5D=2$/)
  })

  test('to-many relations', async () => {
    const { body } = await ask('/users/5/posts', { 'filter[published]': 'false' })
    const rows = await servers.db.post.findMany({ where: { authorId: 5, publishedAt: null } })
    expect(body.data.map(({ id }: { id: string }) => Number(id))).toEqual(rows.map(({ id }) => id))
  })
})

describe('what does not fit is 400', () => {
  test.each<[string, string, string]>([
    ['filter[published]', 'yes', 'The value of filter[published] must be true or false.'],
    ['filter[numbers]', '1,x', 'The value of filter[numbers] must be an integer from -2147483648 to 2147483647.'],
    [
      'filter[since]',
      'today',
      'The value of filter[since] must be an ISO 8601 date-time such as 2025-01-31T09:30:00Z.',
    ],
    ['filter[order]', 'last', 'The value of filter[order] must be one of odd, first.'],
    ['filter[order][]', 'odd', 'Filter parameter filter[order][] takes one value.'],
    ['filter[published][not]', 'true', 'Filter parameter published[not] is not allowed.'],
    ['filter[published][equals]', 'true', 'Filter parameter published[equals] is not allowed.'],
    ['filter[published.foo]', 'true', 'Filter parameter published.foo is not allowed.'],
    ['filter[synopsis][contains]', 'x', 'Filter parameter synopsis[contains] is not allowed.'],
    ['filter[staff]', 'true', 'Filter parameter staff is not allowed.'],
    ['filter[tagged]', '1,2,3,4,5', 'A filter must not have more than 4 values in one list.'],
  ])('%s=%s', async (parameter, value, detail) => {
    expectErrors(await ask('/posts', { [parameter]: value }), badParameter(parameter, detail))
  })

  test('more terms than the limit', async () => {
    const query = { 'filter[published]': 'true', 'filter[mine]': 'true', 'filter[order]': 'odd', 'filter[numbers]': 1 }
    expectErrors(
      await ask('/posts', query),
      badParameter('filter[numbers]', 'A filter must not have more than 3 terms.'),
    )
  })
})

describe('no hidden row is found out by it', () => {
  const titles = async (query: Query, server = 'some') => {
    const { status, body } = await ask('/posts', { ...query, 'filter[title][startsWith]': 'Probe' }, server)
    expect(status).toBe(200)
    return body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title)
  }
  const titled = (title: string, tags: readonly number[], authorId: number = users.member3) =>
    addPost(servers.db, { title, authorId, tags: { connect: tags.map((id) => ({ id })) } } as object)

  beforeAll(async () => {
    const [hidden, shown] = [await addTag(servers.db, 'hidden-tag'), await addTag(servers.db, 'shown-tag')]
    const author = await servers.db.user.create({
      data: { name: 'Hidden author', email: 'hidden@example.com', passwordHash: 'x' },
    })
    await titled('Probe with both', [hidden.id, shown.id])
    await titled('Probe with the hidden one', [hidden.id])
    await titled('Probe with the other one', [shown.id])
    await titled('Probe by somebody hidden', [], author.id)
  })

  test.each<[Query, readonly string[], readonly string[]]>([
    [{ 'filter[tagged]': 'hidden-tag' }, ['both', 'hidden'], []],
    [{ 'filter[untagged]': 'hidden-tag' }, ['other', 'somebody'], ['both', 'hidden', 'other', 'somebody']],
    [{ 'filter[onlyTagged]': 'shown-tag' }, ['other'], ['both', 'other']],
    [{ 'filter[by]': 'Hidden author' }, ['somebody'], []],
    [{ 'filter[notBy]': 'Hidden author' }, ['both', 'hidden', 'other'], ['both', 'hidden', 'other', 'somebody']],
    [{ 'filter[not][0][by]': 'Hidden author' }, ['both', 'hidden', 'other'], ['both', 'hidden', 'other', 'somebody']],
  ])('%o', async (query, whenSeen, whenHidden) => {
    const words = /both|hidden one|other|somebody/
    const short = (all: readonly string[]) => all.map((title) => words.exec(title)?.[0].replace(' one', ''))
    expect(short(await titles(query, 'all'))).toEqual(whenSeen)
    expect(short(await titles(query))).toEqual(whenHidden)
  })
})
