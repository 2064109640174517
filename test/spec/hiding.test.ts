import { Policy, type Rules, Schema, Server, type Serving, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { expectErrors, forbidden, notFound } from '../support/answers.ts'
import { users } from '../support/api.ts'
import { plain, type TextAnswer, useServers } from '../support/servers.ts'

// *Hiding and filtering*: the three ways to hide rows, on one server each. Post 8 is member 3's, with posts 16, 24 and
// more; tag 9 is on several posts, post 8 among them.

const hidden = 8

class OpenPosts extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>) {
    can(this.reads)
  }
  override view(_user: User | null, { id }: { id: number }) {
    return id !== 16
  }
}
class OpenUsers extends Policy<'User'> {
  override abilities({ can }: Rules<'User'>) {
    can(this.reads)
  }
}
class OpenTags extends Policy<'Tag'> {
  override abilities({ can }: Rules<'Tag'>) {
    can(this.reads)
  }
}
const policies = new Map<string, new () => Policy>([
  ['Post', OpenPosts as never],
  ['User', OpenUsers as never],
  ['Tag', OpenTags as never],
])

class Scoped extends Server {
  override readonly name = 'scope'
  override serving(phase: Serving) {
    phase.scope('Post', { id: { not: hidden } })
  }
}
class Indexed extends Server {
  override readonly name = 'index'
}
class IndexedPosts extends Schema<'Post'> {
  override indexQuery() {
    return { id: { notIn: [hidden, 16] } }
  }
}
class Related extends Server {
  override readonly name = 'related'
}
class RelatedPosts extends Schema<'Post'> {
  override relatableQuery() {
    return { id: { not: hidden } }
  }
}

const idsOf = (resources: readonly { id: string }[]) => resources.map(({ id }) => Number(id))

describe('the table', () => {
  const servers = useServers(() => ({
    policies,
    servers: [
      plain(Scoped),
      plain(Indexed, { schemas: new Map([['Post', IndexedPosts]]) }),
      plain(Related, { schemas: new Map([['Post', RelatedPosts]]) }),
    ],
  }))
  const get = (server: string, path: string): Promise<TextAnswer> => servers.as(null)('GET', `/api/${server}${path}`)
  const all = async () => idsOf((await servers.db.post.findMany()).map(({ id }) => ({ id: String(id) })))
  const own = [8, 16, 24, 32, 40, 48, 56]
  const without = (ids: readonly number[], ...gone: number[]) => ids.filter((id) => !gone.includes(id))

  test.each([
    ['scope', [hidden]],
    ['index', [hidden, 16]],
    ['related', []],
  ])('the index, by "%s"', async (server, gone) => {
    const { body } = await get(server, '/posts?page[size]=100')
    const shown = without(await all(), ...gone)
    expect([idsOf(body.data), body.meta.page.total]).toEqual([shown, shown.length])
  })

  test('a direct request: 404 by a scope, the policy’s word otherwise', async () => {
    expectErrors(await get('scope', `/posts/${hidden}`), notFound)
    expect((await get('index', `/posts/${hidden}`)).status).toBe(200)
    expectErrors(await get('index', '/posts/16'), forbidden('This action is unauthorized.'))
    expect((await get('related', `/posts/${hidden}`)).status).toBe(200)
  })

  test.each([
    ['scope', without(own, hidden)],
    ['index', own],
    ['related', without(own, hidden)],
  ])('a to-many relation, by "%s": related, linkage, included and totals', async (server, shown) => {
    const [related, relationship, including] = await Promise.all(
      ['/users/3/posts', '/users/3/relationships/posts', '/users/3?include=posts'].map((path) => get(server, path)),
    )
    expect([idsOf(related?.body.data), related?.body.meta.page.total]).toEqual([shown, shown.length])
    expect([idsOf(relationship?.body.data), relationship?.body.meta.page.total]).toEqual([shown, shown.length])
    expect(idsOf(including?.body.data.relationships.posts.data)).toEqual(shown)
    expect(idsOf(including?.body.included)).toEqual(shown)
  })

  test.each([
    ['scope', false],
    ['index', true],
    ['related', false],
  ])('many-to-many, by "%s"', async (server, isShown) => {
    const { id } = await servers.db.tag.create({
      data: { name: `of-${server}`, posts: { connect: [{ id: hidden }, { id: 9 }] } },
    })
    const [related, including] = await Promise.all(
      [`/tags/${id}/posts`, `/tags/${id}?include=posts`].map((path) => get(server, path)),
    )
    const shown = isShown ? [hidden, 9] : [9]
    expect([idsOf(related?.body.data), idsOf(including?.body.included)]).toEqual([shown, shown])
  })

  test('a to-one relation: gone by a scope only', async () => {
    const comment = await servers.db.comment.create({ data: { content: 'C', authorId: 3, postId: hidden } })
    const shown = await Promise.all(
      ['scope', 'index', 'related'].map(async (server) => {
        const { body } = await servers.as(null)('GET', `/api/${server}/users/3?include=comments.post`)
        const found = body.included.find((each: { type: string; id: string }) => each.id === String(comment.id))
        return found.relationships.post.data
      }),
    )
    const post = { type: 'posts', id: String(hidden) }
    expect(shown).toEqual([null, post, post])
  })
})

describe('viewAnyByView', () => {
  class Rows extends Policy<'Post'> {
    override abilities({ can, cannot }: Rules<'Post'>, user: User | null) {
      can(['viewAny', 'viewTags'])
      can('view', { id: { lte: 3 } })
      if (user) can('view', { authorId: user.id })
      cannot('view', { tags: { some: { name: 'staff-pick' } } })
    }
  }
  class ByMethod extends Policy<'Post'> {
    override viewAny() {
      return true
    }
    override view() {
      return true
    }
  }
  class ByView extends Server {
    override readonly name: string = 'server'
    override readonly viewAnyByView = true
  }
  class BySchema extends Server {
    override readonly name = 'schema'
  }
  class Neither extends Server {
    override readonly name = 'neither'
  }
  class TypeByView extends Schema<'Post'> {
    override viewAnyByView = true
  }
  class NotByView extends Schema<'Post'> {
    override viewAnyByView = false
  }
  const servers = useServers(() => ({
    policies: new Map([['Post', Rows]]),
    servers: [
      plain(ByView),
      plain(BySchema, { schemas: new Map([['Post', TypeByView]]) }),
      plain(Neither),
      plain(
        class extends ByView {
          override readonly name = 'except'
        },
        { schemas: new Map([['Post', NotByView]]) },
      ),
    ],
  }))
  const methods = useServers(() => ({ policies: new Map([['Post', ByMethod]]), servers: [plain(ByView)] }))

  test.each(['server', 'schema'])(
    'said by the %s: a collection lists what the caller may view, and counts no other',
    async (name) => {
      const guest = await servers.as(null)('GET', `/api/${name}/posts`)
      expect([idsOf(guest.body.data), guest.body.meta.page.total]).toEqual([[1, 2, 3], 3])
      const user = await servers.as(users.member3)('GET', `/api/${name}/posts`)
      // Post 40 is a staff pick.
      expect([idsOf(user.body.data), user.body.meta.page.total]).toEqual([[1, 2, 3, 8, 16, 24, 32, 48, 56], 9])
      for (const id of idsOf(user.body.data))
        expect((await servers.as(users.member3)('GET', `/api/${name}/posts/${id}`)).status).toBe(200)
      expect((await servers.as(users.member3)('GET', `/api/${name}/posts/40`)).status).toBe(403)
    },
  )

  test.each(['neither', 'except'])(
    'said by nobody, or denied by the schema: everything is listed (%s)',
    async (name) => {
      const { body } = await servers.as(null)('GET', `/api/${name}/posts`)
      expect(body.meta.page.total).toBe(60)
    },
  )

  test('needs rules: of a method no query can be made, which is a 500 that the log explains', async () => {
    const { status } = await methods.as(null)('GET', '/api/server/posts')
    const errors = methods.logs.filter(({ level }) => level === 'error').map(({ fields }) => fields.err as Error)
    expect([status, ...errors.map(({ message }) => message)]).toEqual([
      500,
      'policies/post.policy.ts: viewAnyByView and viewEverywhere need rules for view, but view() is a method.',
    ])
  })
})
