import { type AuthorizationRequest, Policy, PolicyAuthorizer, type Rules, Schema, type User } from 'prismapi'
import type { Decision } from 'prismapi/types'
import { beforeAll, describe, expect, test } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import V1 from '../../../src/app/v1/server.ts'
import { users } from '../../support/api.ts'
import { browserOf } from '../../support/pages.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// Rules that reach into a relation: the columns of a row do not tell, and one query does for all rows of a page.

class Telling extends V1 {
  override readonly showsCan: boolean = true
}

/** A post that is commented on stays as it is, but for its title, which who commented on it may change. */
class PostPolicy extends Policy<'Post'> {
  override abilities({ can, cannot }: Rules<'Post'>, user: User | null) {
    can(this.reads)
    can(['update', 'delete', 'updateTags', 'attachTags', 'detachTags'])
    cannot(['update', 'delete'], { comments: { none: {} } }).because('It has no comments.')
    if (!user) return
    cannot('update', 'title')
    can('update', 'title', { comments: { some: { authorId: user.id } } })
  }
}

class Passing extends PolicyAuthorizer<'Post'> {
  override async delete(request: AuthorizationRequest): Promise<Decision> {
    return request.byPolicy()
  }
}

interface Said {
  readonly id: string
  readonly meta: { readonly can: Readonly<Record<string, unknown>> }
}

const serversOf = (server: typeof V1) => async () => {
  const parts = await exampleWith(server)
  return { ...parts, production: false, policies: new Map([...parts.policies, ['Post', PostPolicy as never]]) }
}

describe('a page', () => {
  const api = useServers(serversOf(Telling))
  const plain = useServers(serversOf(V1))
  let commented: ReadonlySet<string>
  let his: ReadonlySet<string>
  beforeAll(async () => {
    const posts = await api.db.post.findMany({ include: { comments: true } })
    const idsOf = (some: typeof posts) => new Set(some.map(({ id }) => String(id)))
    commented = idsOf(posts.filter(({ comments }) => comments.length > 0))
    his = idsOf(posts.filter(({ comments }) => comments.some(({ authorId }) => authorId === users.member3)))
  })

  const listed = '/api/v1/posts?page[size]=100'

  test('says of each resource what its own request would be answered', async () => {
    const { body } = await api.as(null)('GET', listed)
    const resources: readonly Said[] = body.data
    expect(new Set(resources.map(({ id }) => commented.has(id)))).toEqual(new Set([true, false]))
    for (const { id, meta } of resources)
      expect([id, meta.can.update, meta.can.delete]).toEqual([id, commented.has(id), commented.has(id)])
    const free = resources.find(({ id }) => !commented.has(id)) as Said
    const removed = await api.as(null)('DELETE', `/api/v1/posts/${free.id}`)
    expect([removed.status, removed.body.errors[0].detail]).toEqual([403, 'It has no comments.'])
  })

  test('names the fields by the same', async () => {
    const { body } = await api.as(users.member3)('GET', listed)
    for (const { id, meta } of body.data as readonly Said[]) {
      if (!commented.has(id)) expect(meta.can.update).toBe(false)
      else if (his.has(id)) expect(meta.can.update).toBe(true)
      else expect([id, meta.can.update]).toEqual([id, expect.not.arrayContaining(['title'])])
    }
  })

  test.each([
    ['one query for all rows, and all actions of one condition', null, listed, 1],
    ['one more for other rules of an action, and one for each rule about fields', users.member3, listed, 4],
    ['the same for what is included', null, '/api/v1/tags?include=posts', 1],
    ['the same for one resource', null, '/api/v1/posts/1', 1],
  ])('asks %s', async (_, user, path, more) => {
    const queries = (of: typeof api) => of.queriesOf(() => of.as(user)('GET', path))
    expect(await queries(api)).toHaveLength((await queries(plain)).length + more)
  })

  test('of people says the same', async () => {
    const secret = 'the secret of the tests, which is long enough'
    const browser = browserOf({
      url: (path) => plain.at + path,
      authorization: async (userId) => `Bearer ${await signToken(userId, secret)}`,
    })
    const { cookie } = await browser.signIn(users.member4)
    const pageOf = async (id: number, of: string) =>
      (await browser.send(`/api/v1/posts/${id}?${of}`, { headers: { Cookie: cookie } })).text
    const may = async (id: number) => (await pageOf(id, '-tab=permissions')).split('class="permissions card"')[1]
    const formOf = async (id: number) => (await pageOf(id, '-edit')).split('id="update"')[1] ?? ''
    const free = await plain.db.post.findFirstOrThrow({ where: { comments: { none: {} }, deletedAt: null } })
    expect(await may(free.id)).toContain('<span class="mark no">no</span><div>Update, Delete<div class="why">')
    const other = await plain.db.post.findFirstOrThrow({
      where: { deletedAt: null, comments: { some: {}, none: { authorId: users.member4 } } },
    })
    expect(await may(other.id)).toContain('<span class="mark yes">yes</span><div>Update <small>only')
    const form = await formOf(other.id)
    expect(form).toContain('data/attributes/slug')
    expect(form).not.toContain('data/attributes/title')
    const own = await plain.db.post.findFirstOrThrow({
      where: { deletedAt: null, comments: { some: { authorId: users.member4 } } },
    })
    expect(await formOf(own.id)).toContain('data/attributes/title')
  })
})

describe('an authorizer that passes on what the policy says', () => {
  class Asking extends Telling {
    override serving(phase: Parameters<V1['serving']>[0]) {
      super.serving(phase)
      phase.authorizer(Passing, ['Post'])
    }
  }
  const api = useServers(serversOf(Asking))

  test('is told it, by one query for the page', async () => {
    const asked = await api.queriesOf(async () => {
      const { body } = await api.as(null)('GET', '/api/v1/posts?page[size]=100&include=comments')
      for (const { meta, relationships } of body.data) {
        expect(meta.can.delete).toBe(relationships.comments.data.length > 0)
        expect(meta.can.update).toBe(meta.can.delete)
      }
    })
    expect(asked.filter((query) => / (?:in \(select value |= any\().* exists /.test(query))).toHaveLength(1)
  })
})

describe('the mark of soft deletion', () => {
  class Trashed extends Schema<'Post'> {
    override softDelete = 'deletedAt' as const
    override showsCan = true
  }
  /** Editors and administrators see what is deleted; of a post, a slug stays as it is. */
  class TrashPolicy extends Policy<'Post'> {
    override abilities({ can, cannot }: Rules<'Post'>, user: User | null) {
      can([this.reads, this.writes, 'create'])
      cannot(['create', 'update'], 'slug')
      if (user?.role !== 'MEMBER') can('viewTrashed')
    }
  }
  const api = useServers(async () => {
    const parts = await exampleWith(V1, { schemas: new Map([['Post', Trashed]]), requests: new Map() })
    return { ...parts, policies: new Map([...parts.policies, ['Post', TrashPolicy as never]]) }
  })
  const can = async (user: number, path: string) => {
    const { body } = await api.as(user)('GET', path)
    return (body.meta?.can ?? body.data.meta.can) as Readonly<Record<string, readonly string[]>>
  }

  test('is a field for who takes it off a row that has it, and for nobody else', async () => {
    const { id } = await api.db.post.findFirstOrThrow({ where: { deletedAt: null } })
    const path = `/api/v1/posts/${id}`
    for (const user of [users.editor, users.member3]) {
      expect((await can(user, path)).update).toEqual(expect.not.arrayContaining(['deletedAt', 'slug']))
      expect((await can(user, path)).update).toContain('title')
      expect((await can(user, '/api/v1/posts')).create).toEqual(expect.not.arrayContaining(['deletedAt', 'slug']))
    }
    await api.db.post.update({ where: { id }, data: { deletedAt: new Date() } })
    expect((await can(users.editor, path)).update).toContain('deletedAt')
    const data = { type: 'posts', id: String(id), attributes: { deletedAt: null } }
    expect((await api.as(users.member3)('PATCH', path, { body: { data } })).status).toBe(404)
    expect((await api.as(users.editor)('PATCH', path, { body: { data } })).status).toBe(200)
    expect((await can(users.editor, path)).update).not.toContain('deletedAt')
  })
})
