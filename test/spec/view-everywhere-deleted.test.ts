import { Policy, type Rules, Schema, Server, type User } from 'prismapi'
import { beforeAll, expect, test } from 'vitest'
import { plain, useServers } from '../support/servers.ts'

// Where the policies are asked everywhere, who asks for deleted rows sees no others than those that they may view.

class UserPolicy extends Policy<'User'> {
  override abilities({ can }: Rules<'User'>) {
    can(['viewAny', 'view', 'viewPosts'])
  }
}

class TagPolicy extends Policy<'Tag'> {
  override abilities({ can }: Rules<'Tag'>) {
    can(['viewAny', 'view', 'viewPosts'])
  }
}

/** Members see their own posts, deleted or not. */
class PostPolicy extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>, user: User | null) {
    can(['viewAny', 'viewTrashed'])
    if (user) can('view', { authorId: user.id })
  }
}

class PostSchema extends Schema<'Post'> {
  override readonly softDelete = 'deletedAt'
  override readonly viewAnyByView = false
}

class Strict extends Server {
  override readonly name = 'v1'
  override readonly models = ['User', 'Tag', 'Post'] as const
  override readonly viewEverywhere = true
}

const api = useServers(() => ({
  servers: [plain(Strict, { schemas: new Map([['Post', PostSchema]]) })],
  policies: new Map<string, new () => Policy>([
    ['User', UserPolicy as never],
    ['Tag', TagPolicy as never],
    ['Post', PostPolicy as never],
  ]),
}))

beforeAll(async () => {
  // Post 9 is of member 4; post 40 is of member 3, and has tag 9.
  await api.db.post.updateMany({ where: { id: { in: [9, 12, 40] } }, data: { deletedAt: new Date() } })
})

const linkage = (ids: readonly number[]) => ids.map((id) => ({ type: 'posts', id: String(id) }))
const identifiers = (found: readonly { type: string; id: string }[]) => found.map(({ type, id }) => ({ type, id }))

/** The posts that member 3 is shown, and those of them that the database has. */
async function shown(path: string, where: object) {
  const { body } = await api.as(3)('GET', `/api/v1${path}`)
  const own = await api.db.post.findMany({ where: { ...where, authorId: 3 }, orderBy: { id: 'asc' } })
  return { shown: identifiers(body.data), own: linkage(own.map(({ id }) => id)) }
}

test.each(['posts', 'relationships/posts'])('%s of another author has none of their posts', async (relation) => {
  for (const trashed of ['with', 'only']) {
    const { status, body } = await api.as(3)('GET', `/api/v1/users/4/${relation}?filter[trashed]=${trashed}`)
    expect({ status, data: body.data }).toEqual({ status: 200, data: [] })
  }
  const { shown: found, own } = await shown(`/users/3/${relation}?filter[trashed]=only`, { deletedAt: { not: null } })
  expect(found).toEqual(own)
  expect(own.length).toBeGreaterThan(0)
})

test('nor has an include', async () => {
  const included = async (author: number) => {
    const { body } = await api.as(3)('GET', `/api/v1/users/${author}?include=posts&includeFilter[posts][trashed]=only`)
    return { linkage: body.data.relationships.posts.data, included: identifiers(body.included) }
  }
  expect(await included(4)).toEqual({ linkage: [], included: [] })
  expect(await included(3)).toEqual({ linkage: linkage([40]), included: linkage([40]) })
})

test('the collection, and that of a tag, have those that the caller may view', async () => {
  const all = await shown('/posts?filter[trashed]=with&page[size]=100&sort=id', {})
  expect(all.shown).toEqual(all.own)
  const tagged = await shown('/tags/9/posts?filter[trashed]=with&page[size]=100&sort=id', { tags: { some: { id: 9 } } })
  expect(tagged.shown).toEqual(tagged.own)
  expect(tagged.own).toContainEqual({ type: 'posts', id: '40' })
})

test('its own URL says that it is there', async () => {
  const other = await api.db.post.findFirstOrThrow({ where: { authorId: 4, deletedAt: { not: null } } })
  expect((await api.as(3)('GET', `/api/v1/posts/${other.id}`)).status).toBe(403)
})
