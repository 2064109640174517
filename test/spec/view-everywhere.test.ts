import { Policy, type Rules, Server, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { useBoot } from '../support/boot.ts'
import { expectTold } from '../support/documentation/told.ts'
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

test('the start says nothing of it', () => {
  expect(api.logs.filter(({ level, message }) => level === 'warn' && message.includes('include'))).toEqual([])
})

describe('without it', () => {
  const open = useServers(theExample)
  const told = (name: string) =>
    `Server ${name}: an include shows rows that policies deny to somebody: users (profiles.user, posts.author, videos.owner, comments.author). Set viewEverywhere = true in the server class, or hide these rows by a scope.`

  test('the start names each type that a policy denies to somebody, and that an include reaches', () => {
    const warnings = open.logs.filter(({ level }) => level === 'warn')
    expect(warnings).toEqual(
      ['v1', 'v2'].map((server) => ({ level: 'warn', fields: { server }, message: told(server) })),
    )
    expectTold(told('v1'))
  })

  test('such an include shows what the URL of the resource refuses', async () => {
    const included = await open.as(null)('GET', '/api/v1/posts/1?include=author')
    expect(included.body.included).toHaveLength(1)
    expect((await open.as(null)('GET', '/api/v1/users/4')).status).toBe(403)
  })
})

describe('a view() that is a method', () => {
  const boot = useBoot()
  test('stops the start', async () => {
    const message =
      'policies/post.policy.ts: viewAnyByView and viewEverywhere need rules for view, but view() is a method.'
    const files = {
      'src/app/v1/server.js': `import { Server } from 'prismapi'
export default class V1 extends Server {
  name = 'v1'
  viewEverywhere = true
}`,
      'policies/post.policy.js': `import { Policy } from 'prismapi'
export default class PostPolicy extends Policy {
  view() {
    return true
  }
}`,
    }
    await expect(boot(files)).rejects.toThrow(new Error(message))
    expectTold(message)
  })
})
