import { createApi, Schema, Server, type Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { resources } from '../../prisma/generated/resources.ts'
import { expectErrors } from '../support/answers.ts'
import { users } from '../support/api.ts'
import { read } from '../support/documentation/pages.ts'
import { plain, useServers } from '../support/servers.ts'

// Sorting across a relation whose target has a scope: what is hidden counts as null, unless the application promises that nothing is.

class Tenant extends Server {
  override readonly name: string = 'plain'
  override readonly models = ['Post', 'User', 'Profile', 'Comment', 'Tag'] as const
  override authorizable = () => false

  override serving(phase: Serving): void {
    const mine = { id: { in: [users.member3, users.member4] } }
    phase.scope('User', mine)
    phase.scope('Post', { author: mine })
    phase.scope('Profile', { user: mine })
  }
}

class ByPrisma extends Tenant {
  override readonly name = 'prisma'
  override readonly reads = 'prisma'
}

/** Shows every post, and hides most of their authors. */
class Open extends Tenant {
  override readonly name = 'open'

  override serving(phase: Serving): void {
    phase.scope('User', { id: { in: [users.member3, users.member4] } })
    phase.scope('Post', { deletedAt: null })
    phase.scope('Comment', { id: { lte: 100 } })
    phase.scope('Tag', { id: { not: 3 } })
  }
}

class Promising extends Tenant {
  override readonly name = 'promising'
}

class Declared extends Schema<'Post'> {
  override sorts() {
    return [
      this.sort('writer', 'author.name', 'id'),
      this.sort('discussed', '-comments.count', 'id'),
      this.sort('tagged', '-tags.count', 'id'),
      this.sort('busy', '-author.comments.count', 'id'),
    ]
  }
}

class PostSchema extends Declared {
  override fields() {
    return [this.relation('author').alwaysVisible()]
  }
}

class UserSchema extends Schema<'User'> {
  override fields() {
    return [this.relation('profile').alwaysVisible()]
  }
}

const declared = { schemas: new Map([['Post', Declared]]) }

const api = useServers(() => ({
  policies: new Map(),
  servers: [
    plain(Tenant),
    plain(ByPrisma, declared),
    plain(Open, declared),
    plain(Promising, {
      schemas: new Map<string, typeof PostSchema | typeof UserSchema>([
        ['Post', PostSchema],
        ['User', UserSchema],
      ]) as never,
    }),
  ],
}))
const get = (path: string) => api.as(null)('GET', path)

const sortsOf = async (server: string) => {
  const { body } = await get(`/api/${server}/openapi.json`)
  const { schema } = body.components.parameters['sort.posts']
  return JSON.stringify(schema)
}

const titles = async (sort: string) => {
  const { status, body } = await get(`/api/promising/posts?sort=${sort}&fields[posts]=title&page[size]=100`)
  return { status, titles: body.data?.map(({ attributes }: { attributes: { title: string } }) => attributes.title) }
}

describe('where nothing is promised', () => {
  test('a sort behind a scope takes what is hidden for null', async () => {
    const { body, status } = await get('/api/open/posts?sort=author.name&page[size]=100')
    const rows = await api.db.post.findMany({
      where: { deletedAt: null },
      orderBy: [{ author: { name: 'asc' } }, { id: 'asc' }],
    })
    const isHidden = ({ authorId }: { authorId: number }) => authorId !== users.member3 && authorId !== users.member4
    const hidden = rows
      .filter(isHidden)
      .map(({ id }) => id)
      .sort((a, b) => a - b)
    const seen = rows.filter((row) => !isHidden(row)).map(({ id }) => id)
    const ids = body.data.map(({ id }: { id: string }) => Number(id))
    expect({ status, ids }).toEqual({
      status: 200,
      ids: resources.provider === 'sqlite' ? [...hidden, ...seen] : [...seen, ...hidden],
    })
    expect(await sortsOf('open')).toContain('author.name')
  })

  test('by Prisma Client it is refused, and the OpenAPI document leaves it out', async () => {
    expect(await sortsOf('prisma')).not.toContain('author')
    expectErrors(await get('/api/prisma/posts?sort=author.name'), {
      status: '400',
      title: 'Invalid Query Parameter',
      detail: 'Sort parameter author.name is not allowed.',
      source: { parameter: 'sort' },
    })
  })
})

describe('a sort that the schema class declares', () => {
  const isSeen = ({ authorId }: { authorId: number }) => authorId === users.member3 || authorId === users.member4
  const idsBy = async (server: string, sort: string) => {
    const { status, body } = await get(`/api/${server}/posts?sort=${sort}&page[size]=100`)
    return { status, ids: body.data?.map(({ id }: { id: string }) => Number(id)) }
  }
  const posts = () =>
    api.db.post.findMany({
      where: { deletedAt: null },
      orderBy: { id: 'asc' },
      include: {
        author: { include: { _count: { select: { comments: { where: { id: { lte: 100 } } } } } } },
        _count: { select: { comments: { where: { id: { lte: 100 } } }, tags: { where: { id: { not: 3 } } } } },
      },
    })
  type Post = Awaited<ReturnType<typeof posts>>[number]
  const by = async (number: (post: Post) => number) =>
    (await posts()).toSorted((a, b) => number(b) - number(a) || a.id - b.id).map(({ id }) => id)

  test('takes what is hidden for null', async () => {
    const rows = await posts()
    const names = rows
      .filter(isSeen)
      .toSorted(
        (a, b) =>
          (a.author.name < b.author.name ? -1 : 1) * Math.sign(Math.abs(a.authorId - b.authorId)) || a.id - b.id,
      )
    const [seen, hidden] = [names, rows.filter((row) => !isSeen(row))].map((each) => each.map(({ id }) => id))
    expect(await idsBy('open', 'writer')).toEqual({
      status: 200,
      ids:
        resources.provider === 'sqlite' ? [...(hidden ?? []), ...(seen ?? [])] : [...(seen ?? []), ...(hidden ?? [])],
    })
  })

  test('counts what is seen', async () => {
    expect(await idsBy('open', 'discussed')).toEqual({ status: 200, ids: await by(({ _count }) => _count.comments) })
    expect(await idsBy('open', 'tagged')).toEqual({ status: 200, ids: await by(({ _count }) => _count.tags) })
    expect(new Set((await posts()).map(({ _count }) => _count.comments)).size).toBeGreaterThan(1)
    expect(new Set((await posts()).map(({ _count }) => _count.tags)).size).toBeGreaterThan(1)
  })

  test('counts what is seen behind what is seen', async () => {
    const hiddenIs = resources.provider === 'sqlite' ? -1 : Infinity
    const order = await by((post) => (isSeen(post) ? post.author._count.comments : hiddenIs))
    expect(await idsBy('open', 'busy')).toEqual({ status: 200, ids: order })
  })

  test('sorts by the value where it is promised to be seen', async () => {
    const { ids } = await idsBy('promising', 'writer')
    const rows = (await posts()).filter(isSeen)
    expect(ids).toHaveLength(rows.length)
    expect(await sortsOf('promising')).toContain('writer')
  })

  test('is refused by Prisma Client, and the OpenAPI document leaves it out', async () => {
    for (const name of ['writer', 'busy']) {
      expect(await sortsOf('open')).toContain(name)
      expect(await sortsOf('prisma')).not.toContain(name)
      expectErrors(await get(`/api/prisma/posts?sort=${name}`), {
        status: '400',
        title: 'Invalid Query Parameter',
        detail: `Sort parameter ${name} is not allowed.`,
        source: { parameter: 'sort' },
      })
    }
  })
})

describe('where it is', () => {
  test('it sorts, as the database does', async () => {
    const rows = await api.db.post.findMany({
      where: { authorId: { in: [users.member3, users.member4] } },
      orderBy: [{ author: { name: 'desc' } }, { id: 'desc' }],
    })
    expect(await titles('-author.name')).toEqual({ status: 200, titles: rows.map(({ title }) => title) })
    expect((await titles('author.profile.bio')).status).toBe(200)
  })

  test('the OpenAPI document lists it', async () => {
    expect(await sortsOf('promising')).toContain('author.name')
  })
})

test('a to-many relation has no such promise', () => {
  class Many extends Schema<'User'> {
    override fields() {
      return [this.relation('posts').alwaysVisible()]
    }
  }
  const refusal =
    "relation('posts') of User: collections are sorted across to-one relations only. Remove alwaysVisible()."
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const clients = { reader: {}, writer: {} } as never
  const servers = [plain(Tenant, { schemas: new Map([['User', Many]]) })]
  expect(() =>
    createApi({ resources, clients, logger, servers, policies: new Map(), baseUrl: 'http://a.example' }),
  ).toThrow(refusal)
  expect(read('docs/scopes.md')).toContain(refusal)
})
