import { Policy, type Rules, Server, type User } from 'prismapi'
import { expect, test } from 'vitest'
import { exampleWith, theExample, useServers } from '../support/servers.ts'

/** Guests see no user; members themselves; everybody the posts of member 3. */
class UserPolicy extends Policy<'User'> {
  override abilities({ can }: Rules<'User'>, user: User | null) {
    can('viewAny')
    if (user) can('view', { id: user.id })
  }
}

class PostPolicy extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>) {
    can(['viewAny', 'viewAuthor', 'viewTags'])
    can('view', { authorId: 3 })
  }
}

class Strict extends Server {
  override readonly name = 'v1'
  override readonly viewEverywhere = true
}

const api = useServers(async () => {
  const { policies } = await theExample()
  return {
    ...(await exampleWith(Strict)),
    policies: new Map([...policies, ['User', UserPolicy], ['Post', PostPolicy]]),
  }
})

const ids = (resources: readonly { id: string }[]) => resources.map(({ id }) => Number(id))

test('collections and their totals have only what the caller may view', async () => {
  const { body } = await api.as(null)('GET', '/api/v1/posts?page[size]=100')
  const mine = await api.db.post.findMany({ where: { authorId: 3, deletedAt: null } })
  expect(new Set(ids(body.data))).toEqual(new Set(mine.map(({ id }) => id)))
  expect(body.meta.page.total).toBe(mine.length)
})

test('an include leaves out what the caller may not view, from linkage too', async () => {
  const include = async (as: number | null) => {
    const { body } = await api.as(as)('GET', '/api/v1/posts?include=author&page[size]=1')
    return { linkage: body.data[0].relationships.author.data, included: ids(body.included) }
  }
  expect(await include(null)).toEqual({ linkage: null, included: [] })
  expect(await include(4)).toEqual({ linkage: null, included: [] })
  expect(await include(3)).toEqual({ linkage: { type: 'users', id: '3' }, included: [3] })
})

test('related resources and filters cannot reach it either', async () => {
  const [post] = await api.db.post.findMany({ where: { authorId: 3, deletedAt: null }, take: 1 })
  expect((await api.as(null)('GET', `/api/v1/posts/${post?.id}/author`)).body.data).toBeNull()
  expect((await api.as(null)('GET', '/api/v1/posts?filter[author.id]=3')).body.data).toEqual([])
  expect((await api.as(3)('GET', '/api/v1/posts?filter[author.id]=3')).body.data).not.toEqual([])
})

test('its own URL answers as the policy says', async () => {
  expect((await api.as(4)('GET', '/api/v1/users/3')).status).toBe(403)
  expect((await api.as(3)('GET', '/api/v1/users/3')).status).toBe(200)
})
