import { Policy, type Rules, type User } from 'prismapi'
import { beforeAll, describe, expect, test } from 'vitest'
import { link, linkServers, makePost, makeUser, ownPolicies, UserPolicy } from '../../support/links/servers.ts'
import { useServers } from '../../support/servers.ts'

// What clients and developers are told of links that they may not make.

/** Nobody changes a video; posts only those who wrote them. */
class VideoPolicy extends Policy<'Video'> {
  override abilities({ can }: Rules<'Video'>) {
    can([this.reads, 'create'])
  }
}

class OwnPosts extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>, user: User | null) {
    can([this.reads, 'create'])
    if (user) can('update', { authorId: user.id })
  }
}

const policies = { ...ownPolicies, User: UserPolicy, Post: OwnPosts, Video: VideoPolicy }
const api = useServers(() => ({ ...linkServers({ policies, showsCan: true }), production: false }))

let ann: number
let ben: number
beforeAll(async () => {
  ann = await makeUser(api, 'ann')
  ben = await makeUser(api, 'ben')
})

test('meta.can promises no link that no rule allows', async () => {
  const { body } = await api.as(ben)('GET', `/api/v1/users/${ben}`)
  expect(body.data.meta.can).toMatchObject({
    update: ['name', 'email', 'role', 'posts', 'comments', 'profile'],
    updatePosts: true,
    attachPosts: true,
    detachPosts: true,
    updateVideos: false,
    attachVideos: false,
    detachVideos: false,
  })
})

test('the OpenAPI document of the caller has them not', async () => {
  const { body } = await api.as(ben)('GET', '/api/v1/openapi.json')
  const paths = Object.keys(body.paths)
  const changed = (path: string) =>
    Object.keys(body.paths[path]).filter((method) => /^(patch|post|delete)$/.test(method))
  expect(paths).toContain('/api/v1/users/{id}/relationships/videos')
  expect(changed('/api/v1/users/{id}/relationships/videos')).toEqual([])
  expect(changed('/api/v1/users/{id}/relationships/posts').sort()).toEqual(['delete', 'patch', 'post'])
  expect(JSON.stringify(body.components.schemas)).toContain(
    'The caller must be allowed to update each resource that is linked or unlinked.',
  )
})

describe('an explanation', () => {
  const explained = async (prefer: string, id: number) => {
    const { status, body } = await api.as(ben)('POST', `/api/v1/users/${ben}/relationships/posts`, {
      headers: { Prefer: prefer },
      body: link('posts', id),
    })
    const { decisions } = body.meta.explain
    return [status, decisions.map((each: Record<string, unknown>) => [each.type, each.id, each.action, each.allowed])]
  }

  test('names the rows that are linked, and who decided, with and without the write', async () => {
    const [his, hers] = [await makePost(api, ben, 'his'), await makePost(api, ann, 'hers')]
    const users = ['users', String(ben), 'attachPosts', true]
    expect(await explained('explain=authorization', hers.id)).toEqual([
      403,
      [users, ['posts', String(hers.id), 'update', false]],
    ])
    expect(await explained('explain=authorization', his.id)).toEqual([200, [users]])
    expect((await api.db.post.findUniqueOrThrow({ where: { id: hers.id } })).authorId).toBe(ann)
  })

  test('of a write that is allowed ends before it', async () => {
    const orphan = await makePost(api, ben, 'orphan')
    const body = {
      data: {
        type: 'users',
        id: String(ben),
        attributes: { name: 'Explained' },
        relationships: { posts: link('posts', orphan.id) },
      },
    }
    const before = await api.db.user.findUniqueOrThrow({ where: { id: ben } })
    const { status } = await api.as(ben)('PATCH', `/api/v1/users/${ben}`, {
      headers: { Prefer: 'explain=authorization' },
      body,
    })
    expect([status, await api.db.user.findUniqueOrThrow({ where: { id: ben } })]).toEqual([200, before])
  })
})
