import { type AuthorizationRequest, deny, Policy, PolicyAuthorizer, type RowOf, type Rules, Schema } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { expectErrorsOf11, expectNothing } from '../../support/answers.ts'
import { link, linkRefused, linkServers, makePost, makeUser, ownPolicies } from '../../support/links/servers.ts'
import { useServers } from '../../support/servers.ts'

// Whom the server asks about a row that is linked.

type Api = ReturnType<typeof useServers>

/** Ben takes a post of Ann's: the answer, and whose the post is then. */
async function take(api: Api, slug: string) {
  const [ann, ben] = [await makeUser(api, `ann-${slug}`), await makeUser(api, `ben-${slug}`)]
  const { id } = await makePost(api, ann, slug)
  const answer = await api.as(ben)('POST', `/api/v1/users/${ben}/relationships/posts`, { body: link('posts', id) })
  const { authorId } = await api.db.post.findUniqueOrThrow({ where: { id } })
  return { answer, id, isTaken: authorId === ben }
}

const author = (id: number) => `You may not change the author of posts ${id}.`

describe('a type without a policy', () => {
  const { Post: _, ...others } = ownPolicies
  const api = useServers(() => linkServers({ policies: others }))

  test('is denied', async () => {
    const { answer, id, isTaken } = await take(api, 'none')
    expectErrorsOf11(answer, linkRefused(author(id), '/data/0'))
    expect(isTaken).toBe(false)
  })
})

describe('a rule about the field that leads back', () => {
  class PostPolicy extends Policy<'Post'> {
    override abilities({ can, cannot }: Rules<'Post'>) {
      can([this.reads, 'update'])
      cannot('update', 'author', { OR: [{ title: { contains: 'fixed' } }, { slug: { startsWith: 'fixed' } }] })
    }
  }
  const api = useServers(() => linkServers({ policies: { ...ownPolicies, Post: PostPolicy } }))

  test('decides', async () => {
    const fixed = await take(api, 'fixed')
    expectErrorsOf11(fixed.answer, linkRefused(author(fixed.id), '/data/0'))
    const free = await take(api, 'free')
    expectNothing(free.answer)
    expect([fixed.isTaken, free.isTaken]).toEqual([false, true])
  })
})

describe('a relation whose other end clients do not see', () => {
  class PostSchema extends Schema<'Post'> {
    override fields() {
      return [this.relation('author').hidden()]
    }
  }
  class PostPolicy extends Policy<'Post'> {
    override abilities({ can, cannot }: Rules<'Post'>) {
      can([this.reads, 'update'])
      cannot('update', 'authorId', { slug: { startsWith: 'fixed' } })
    }
  }
  const api = useServers(() =>
    linkServers({ policies: { ...ownPolicies, Post: PostPolicy }, schemas: { Post: PostSchema } }),
  )

  test('counts by its foreign key', async () => {
    const fixed = await take(api, 'fixed-2')
    expectErrorsOf11(fixed.answer, linkRefused(`You may not change posts ${fixed.id}.`, '/data/0'))
    expectNothing((await take(api, 'free-2')).answer)
  })
})

describe('an authorizer of the other type', () => {
  const asked: unknown[] = []
  class PostAuthorizer extends PolicyAuthorizer<'Post'> {
    override update({ action, type, relation }: AuthorizationRequest, { slug }: RowOf<'Post'>) {
      asked.push([type, action, relation, slug])
      return slug.startsWith('closed') ? deny('It is closed.') : true
    }
  }
  const api = useServers(() => linkServers({ serving: (phase) => phase.authorizer(PostAuthorizer, ['Post']) }))

  test('is asked for update', async () => {
    const closed = await take(api, 'closed')
    expectErrorsOf11(closed.answer, linkRefused('It is closed.', '/data/0'))
    expect(asked.splice(0)).toContainEqual(['posts', 'update', null, 'closed'])
    expectNothing((await take(api, 'open')).answer)
  })
})

describe('a type that needs no permission', () => {
  class PostSchema extends Schema<'Post'> {
    override authorizable() {
      return false
    }
  }
  const api = useServers(() => linkServers({ schemas: { Post: PostSchema } }))

  test('is not asked', async () => {
    expectNothing((await take(api, 'unprotected')).answer)
  })
})

describe('withoutUpdatePolicy()', () => {
  class UserSchema extends Schema<'User'> {
    override fields() {
      return [this.relation('posts').withoutUpdatePolicy()]
    }
  }
  const api = useServers(() => linkServers({ schemas: { User: UserSchema } }))

  test('asks nobody about the rows of the relation, and the start says so', async () => {
    const { answer, isTaken } = await take(api, 'left')
    expectNothing(answer)
    expect(isTaken).toBe(true)
    expect(api.logs).toContainEqual({
      level: 'warn',
      fields: { server: 'v1' },
      message:
        'users: who writes the relation posts changes rows of Post whose policy is not asked (withoutUpdatePolicy()).',
    })
  })
})
