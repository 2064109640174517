import { type Fields, Policy, type Rules, Schema, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import PostOfSecond from '../../../src/app/v2/post.schema.ts'
import { theExample, useServers } from '../../support/servers.ts'

// Where a rule about fields meets what is said elsewhere of a field.

/** To members: who wrote a post, when it changed, and when it was deleted. */
class PostPolicy extends Policy<'Post'> {
  override abilities({ can, cannot }: Rules<'Post'>, user: User | null) {
    can([this.reads, 'viewTrashed'])
    if (user?.role === 'ADMIN') return
    cannot('view', ['authorId', 'deletedAt'])
    cannot('view', 'updatedAt', { id: { lt: 20 } })
  }
}
class UserPolicy extends Policy<'User'> {
  override abilities({ can, cannot }: Rules<'User'>, user: User | null) {
    can(this.reads)
    if (user?.role !== 'ADMIN') cannot('view', 'posts')
  }
}

/** Without the relation to the author, which a filter of its own crosses all the same. */
class Authorless extends Schema<'Post'> {
  override readonly defaultSort = '-updatedAt'

  override fields(): Fields {
    return [this.relation('author').hidden()]
  }
  override filters() {
    return [
      this.filter('by', { where: (name) => ({ author: { name } }) }),
      this.filter('notBy', { where: (name) => ({ NOT: { author: { name } } }) }),
    ]
  }
}

const api = useServers(async () => {
  const { policies, servers } = await theExample()
  const own = { V1: Authorless, V2: PostOfSecond }
  return {
    policies: new Map([...policies, ['Post', PostPolicy], ['User', UserPolicy]] as never) as typeof policies,
    servers: servers.map((each, i) => ({
      ...each,
      schemas: new Map([...each.schemas, ['Post', Object.values(own)[i]]] as never) as typeof each.schemas,
    })),
  }
})
const [member, admin] = [3, 1]
const get = (as: number | null, path: string) => api.as(as)('GET', `/api${path}`)
const ids = async (as: number | null, path: string): Promise<string[]> =>
  (await get(as, path)).body.data.map(({ id }: { id: string }) => id)

describe('a foreign key that is hidden', () => {
  test('hides its relation from filters of the schema class, where it is no relation of the type either', async () => {
    expect((await ids(admin, '/v1/posts?filter[by]=Member 4')).length).toBeGreaterThan(0)
    expect(await ids(member, '/v1/posts?filter[by]=Member 4')).toEqual([])
    expect(await ids(member, '/v1/posts?filter[notBy]=Member 4')).toEqual(await ids(member, '/v1/posts'))
  })
})

describe('a relation of which one side is hidden', () => {
  test('is hidden on that side', async () => {
    expect((await get(member, '/v2/users/4/posts')).status).toBe(403)
    expect((await get(member, '/v2/tags?filter[posts.author]=4')).status).toBe(400)
    expect((await get(admin, '/v2/tags?filter[posts.author]=4')).status).toBe(200)
    expect((await get(member, '/v2/users?filter[posts.title]=x')).status).toBe(400)
  })
})

describe('the mark of deleted rows that is hidden', () => {
  test('offers no filter[trashed], as that would tell it', async () => {
    expect((await get(admin, '/v2/posts?filter[trashed]=only')).status).toBe(200)
    expect((await get(member, '/v2/posts?filter[trashed]=only')).status).toBe(400)
    expect((await get(member, '/v2/posts?filter[deletedAt][isNull]=true')).status).toBe(400)
  })

  test('and the OpenAPI document of the caller has none', async () => {
    const parametersOf = async (as: number) =>
      Object.keys((await get(as, '/v2/openapi.json')).body.components.parameters)
    expect(await parametersOf(admin)).toContain('filter.posts.trashed')
    expect(await parametersOf(member)).not.toContain('filter.posts.trashed')
  })
})

describe('an order by a value that is hidden of some rows', () => {
  test('is left out of the order of the type', async () => {
    const inOrder = (await ids(member, '/v1/posts?sort=id&page[size]=100')).map(Number)
    expect((await ids(member, '/v1/posts?page[size]=100')).map(Number)).toEqual(inOrder)
    expect((await get(member, '/v1/posts')).body.links.first).not.toContain('sort')
    expect((await get(admin, '/v1/posts')).body.links.first).toContain('sort')
  })

  test('is offered by the OpenAPI document where it is answered', async () => {
    const sortsOf = async (as: number, version: string) =>
      (await get(as, `/${version}/openapi.json`)).body.components.parameters['sort.posts'].schema.items.enum
    for (const [version, status] of [
      ['v1', 200],
      ['v2', 400],
    ] as const) {
      expect((await get(member, `/${version}/posts?sort=updatedAt`)).status).toBe(status)
      expect((await sortsOf(member, version)).includes('updatedAt')).toBe(status === 200)
    }
  })
})
