import { createApi, Schema, Server, type Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { resources } from '../../prisma/generated/resources.ts'
import { expectErrors } from '../support/answers.ts'
import { users } from '../support/api.ts'
import { read } from '../support/documentation/pages.ts'
import { plain, useServers } from '../support/servers.ts'

// Sorting across a relation whose target has a scope: only where the application promises that no target is hidden.

class Tenant extends Server {
  override readonly name: string = 'plain'
  override readonly models = ['Post', 'User', 'Profile'] as const
  override authorizable = () => false

  override serving(phase: Serving): void {
    const mine = { id: { in: [users.member3, users.member4] } }
    phase.scope('User', mine)
    phase.scope('Post', { author: mine })
    phase.scope('Profile', { user: mine })
  }
}

class Promising extends Tenant {
  override readonly name = 'promising'
}

class PostSchema extends Schema<'Post'> {
  override fields() {
    return [this.relation('author').alwaysVisible()]
  }
}

class UserSchema extends Schema<'User'> {
  override fields() {
    return [this.relation('profile').alwaysVisible()]
  }
}

const api = useServers(() => ({
  policies: new Map(),
  servers: [
    plain(Tenant),
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
  test('a sort behind a scope is refused, and not told', async () => {
    expectErrors(await get('/api/plain/posts?sort=author.name'), {
      status: '400',
      title: 'Invalid Query Parameter',
      detail: 'Sort parameter author.name is not allowed.',
      source: { parameter: 'sort' },
    })
    expect(await sortsOf('plain')).not.toContain('author')
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
