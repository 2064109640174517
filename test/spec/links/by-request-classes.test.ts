import { Policy, ResourceRequest, type Rules, Schema } from 'prismapi'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectErrorsOf11, expectNothing } from '../../support/answers.ts'
import type { FixtureProvider } from '../../support/any-schema/fixtures.ts'
import { to, toOne, useFixture } from '../../support/any-schema/use-fixture.ts'
import { provider as database } from '../../support/database.ts'
import { link, linkRefused, linkServers, makePost, makeUser, ownPolicies } from '../../support/links/servers.ts'
import { atomic } from '../../support/operations.ts'
import { useServers } from '../../support/servers.ts'

// What the request class of a row denies by authorize(), no link does to the row either.

class OpenPolicy extends Policy<never> {
  override abilities({ can }: Rules<never>) {
    can([this.reads, 'create', this.writes] as never)
  }
}

/** Whoever wrote a comment, it stays as it is; others say more. */
class CommentRequest extends ResourceRequest<'Comment'> {
  override authorize() {
    if (!this.isUpdating()) return null
    return this.model()?.content.startsWith('free') ? null : false
  }
}

const policies = { ...ownPolicies, User: OpenPolicy, Post: OpenPolicy, Comment: OpenPolicy } as typeof ownPolicies
const api = useServers(() => ({
  ...linkServers({ policies, requests: { Comment: CommentRequest }, showsCan: true }),
  production: false,
}))

let ann: number
let ben: number
let post: number
beforeAll(async () => {
  ann = await makeUser(api, 'ann')
  ben = await makeUser(api, 'ben')
  post = (await makePost(api, ann, 'post')).id
})

let kept: number
let free: number
const makeComment = async (content: string) =>
  (await api.db.comment.create({ data: { content, authorId: ann, postId: post } })).id
beforeEach(async () => {
  kept = await makeComment('kept')
  free = await makeComment('free')
})

const asBen = () => api.as(ben)
const state = async () => [
  await api.db.comment.findMany({ orderBy: { id: 'asc' } }),
  await api.db.user.findMany({ orderBy: { id: 'asc' } }),
]
async function unwritten<T>(work: () => Promise<T>): Promise<T> {
  const before = await state()
  const answer = await work()
  expect(await state()).toEqual(before)
  return answer
}

const author = (id: number) => `You may not change the author of comments ${id}.`
const relationship = '/relationships/comments'
const user = (id: number | null, relationships: object, attributes: object = {}) => ({
  data: { type: 'users', ...(id !== null && { id: String(id) }), attributes, relationships },
})
const operate = (...operations: readonly object[]) =>
  asBen()('POST', '/api/v1/operations', {
    headers: { 'Content-Type': `${atomic};profile="urn:prismapi:profile:upsert"` },
    body: { 'atomic:operations': operations },
  })

describe('a comment whose request class denies updates', () => {
  test('is not changed by its own URL', async () => {
    const relationships = { author: { data: { type: 'users', id: String(ben) } } }
    const body = { data: { type: 'comments', id: String(kept), relationships } }
    const { status } = await unwritten(() => asBen()('PATCH', `/api/v1/comments/${kept}`, { body }))
    expect(status).toBe(403)
  })

  test('is not taken by PATCH or POST of a user', async () => {
    const comments = link('comments', free, kept)
    const refused = linkRefused(author(kept), '/data/relationships/comments/data/1')
    const patch = { body: user(ben, { comments }) }
    expectErrorsOf11(await unwritten(() => asBen()('PATCH', `/api/v1/users/${ben}`, patch)), refused)
    const post = { body: user(null, { comments }, { name: 'New', email: `new-${kept}@example.com` }) }
    expectErrorsOf11(await unwritten(() => asBen()('POST', '/api/v1/users', post)), refused)
  })

  test.each(['PATCH', 'POST'])('is not taken by %s of the relationship', async (method) => {
    const body = link('comments', free, kept)
    const answer = await unwritten(() => asBen()(method, `/api/v1/users/${ben}${relationship}`, { body }))
    expectErrorsOf11(answer, linkRefused(author(kept), '/data/1'))
  })

  test('is not taken by operations and upserts', async () => {
    const comments = link('comments', kept)
    const { email } = await api.db.user.findUniqueOrThrow({ where: { id: ben } })
    const ref = { type: 'users', id: String(ben), relationship: 'comments' }
    const upsert = (named: string) => ({
      ...{ op: 'update', meta: { upsert: { by: ['email'] } } },
      ...user(null, { comments }, { name: 'U', email: named }),
    })
    const document = '/data/relationships/comments/data/0'
    const cases = [
      [{ op: 'add', ref, ...comments }, '/data/0'],
      [{ op: 'update', ref, ...comments }, '/data/0'],
      [{ op: 'update', ...user(ben, { comments }) }, document],
      [{ op: 'add', ...user(null, { comments }, { name: 'N', email: `op-${kept}@example.com` }) }, document],
      [upsert(email), document],
      [upsert(`upsert-${kept}@example.com`), document],
    ] as const
    for (const [operation, at] of cases) {
      const answer = await unwritten(() => operate(operation))
      expect([answer.status, answer.body.errors]).toEqual([
        403,
        [linkRefused(author(kept), `/atomic:operations/0${at}`)],
      ])
    }
  })

  test('is free where its class leaves it to the policy', async () => {
    const body = link('comments', free)
    expectNothing(await asBen()('POST', `/api/v1/users/${ben}${relationship}`, { body }))
    expect((await api.db.comment.findUniqueOrThrow({ where: { id: free } })).authorId).toBe(ben)
  })

  test('an explanation names the method', async () => {
    const answer = await asBen()('POST', `/api/v1/users/${ben}${relationship}`, {
      headers: { Prefer: 'explain=authorization' },
      body: link('comments', kept),
    })
    expect([answer.status, answer.body.meta.explain.decisions.at(-1)]).toEqual([
      403,
      expect.objectContaining({ type: 'comments', id: String(kept), action: 'update', allowed: false, by: 'request' }),
    ])
  })

  test('meta.can does not know', async () => {
    const { body } = await asBen()('GET', `/api/v1/users/${ben}`)
    expect(body.data.meta.can).toMatchObject({ updateComments: null, attachComments: null, updatePosts: true })
  })
})

describe('a request class that allows everything', () => {
  class Allowing extends ResourceRequest<'Comment'> {
    override authorize() {
      return true
    }
  }
  const other = useServers(() => linkServers({ requests: { Comment: Allowing } }))

  test('opens no link that the policy denies', async () => {
    const [her, his] = [await makeUser(other, 'her'), await makeUser(other, 'his')]
    const { id } = await makePost(other, her, 'hers')
    const comment = await other.db.comment.create({ data: { content: 'hers', authorId: her, postId: id } })
    const body = link('comments', comment.id)
    const answer = await other.as(his)('POST', `/api/v1/users/${his}${relationship}`, { body })
    expectErrorsOf11(answer, linkRefused(author(comment.id), '/data/0'))
  })
})

describe('a type that needs no permission', () => {
  class CommentSchema extends Schema<'Comment'> {
    override authorizable() {
      return false
    }
  }
  const other = useServers(() =>
    linkServers({ schemas: { Comment: CommentSchema }, requests: { Comment: CommentRequest } }),
  )

  test('is denied by its request class all the same', async () => {
    const [her, his] = [await makeUser(other, 'her'), await makeUser(other, 'his')]
    const { id } = await makePost(other, her, 'unprotected')
    const comment = await other.db.comment.create({ data: { content: 'kept', authorId: her, postId: id } })
    const body = link('comments', comment.id)
    const answer = await other.as(his)('POST', `/api/v1/users/${his}${relationship}`, { body })
    expectErrorsOf11(answer, linkRefused(author(comment.id), '/data/0'))
  })
})

/** Denies one kind of write, and leaves all others to policies. */
const denying = (isDenied: (request: ResourceRequest) => boolean) => ({
  request: class extends ResourceRequest {
    override authorize() {
      return isDenied(this) ? false : null
    }
  } as never,
  query: null,
  collectionQuery: null,
})

// No fixture is written for MariaDB.
const provider: FixtureProvider = database === 'postgresql' ? database : 'sqlite'

describe('rows of a model of its own between two others', () => {
  const joins = useFixture('joins', {
    provider,
    requests: {
      PostTag: denying((request) => request.isDeleting()),
      MemberComplaint: denying((request) => request.isCreating()),
    },
  })

  test('are made and removed as their request classes let it', async () => {
    const [tag, spam] = [
      await joins.create('tags', { name: 't' }),
      await joins.create('complaints', { reason: 'spam' }),
    ]
    const [post, ann] = [await joins.create('posts', { title: 'a' }), await joins.create('members', { name: 'ann' })]
    const [tags, complaints] = [`/posts/${post}/relationships/tags`, `/members/${ann}/relationships/complaints`]
    expect((await joins.ask('POST', tags, to('tags', tag))).status).toBe(204)
    const detached = await joins.ask('DELETE', tags, to('tags', tag))
    expect([detached.status, detached.body.errors]).toEqual([
      403,
      [linkRefused(`You may not delete post-tags ${post}_${tag}.`, '/data/0')],
    ])
    const attached = await joins.ask('POST', complaints, to('complaints', spam))
    expect([attached.status, attached.body.errors]).toEqual([
      403,
      [linkRefused('You may not create resources of type member-complaints.', '/data/0')],
    ])
    expect(await joins.linkage(tags)).toEqual(to('tags', tag).data)
    expect(await joins.linkage(complaints)).toEqual([])
  })
})

describe('a partner in a one-to-one', () => {
  const relations = useFixture('relations', {
    provider,
    requests: { Locker: denying((request) => request.isUpdating() && request.model() !== null) },
  })

  test('is not taken from a row that its request class keeps as it is', async () => {
    const user = await relations.create('users', { handle: 'ann' })
    const locker = await relations.create('lockers', {}, { user: toOne('users', user) })
    const refused = (at: string) => [403, [linkRefused(`You may not change the user of lockers ${locker}.`, at)]]
    const data = { type: 'lockers', relationships: { user: toOne('users', user) } }
    const posted = await relations.ask('POST', '/lockers', { data })
    expect([posted.status, posted.body.errors]).toEqual(refused('/data/relationships/user'))
    const taken = await relations.ask('PATCH', `/users/${user}/relationships/locker`, toOne('lockers', null))
    expect([taken.status, taken.body.errors]).toEqual(refused('/data'))
    expect(await relations.linkage(`/lockers/${locker}/relationships/user`)).toEqual(toOne('users', user).data)
  })
})
