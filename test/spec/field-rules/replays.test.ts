import { expect, test } from 'vitest'
import { expectErrorsOf11 } from '../../support/answers.ts'
import { mediaType } from '../../support/api.ts'
import { fieldServers } from '../../support/field-policies.ts'
import { atomic, fresh, postKeyed, replayed, shownOf } from '../../support/idempotency.ts'
import { type TextAnswer, useServers } from '../../support/servers.ts'

// A kept answer shows what its caller saw then. It is not repeated to who may not see all of that any more.

const api = useServers(() => fieldServers())
const member = 4

const carriedOut = {
  ...{ status: '409', title: 'Conflict' },
  detail:
    'The request with this Idempotency-Key was carried out. Its answer is not repeated: it shows what you may not see any more.',
}

interface Sent {
  readonly key: string
  readonly url: string
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

let made = 0
const newPost = () => ({ title: 'A title', slug: `open-${++made}`, body: `What is told ${made}` })
const resource = (attributes: object) => ({ type: 'posts', attributes })
const hide = (slug: string) => api.db.post.update({ where: { slug }, data: { slug: `secret-${slug}` } })
const kept = () => api.db.idempotencyKey.count()
const posts = () => api.db.post.count()

async function expectHidden(sent: Sent, first: TextAnswer): Promise<void> {
  const before = [await kept(), await posts()]
  const again = await postKeyed(api.as(member), sent)
  expect([again.status, replayed(again), again.headers.get('ETag')]).toEqual([409, null, null])
  expect(again.body.errors).toEqual([carriedOut])
  expect(first.text).toContain('What is told')
  expect(again.text).not.toContain('What is told')
  // It was carried out, once.
  expect([await kept(), await posts()]).toEqual(before)
}

test('an answer is repeated while all of it may be seen', async () => {
  const sent = { key: fresh('seen'), url: '/api/v2/posts', body: { data: resource(newPost()) } }
  const first = await postKeyed(api.as(member), sent)
  const second = await postKeyed(api.as(member), sent)
  expect([first.status, replayed(second)]).toEqual([201, 'true'])
  expect(shownOf(second)).toEqual(shownOf(first))
})

test('not one that shows a field which is hidden since, whose row is another one now', async () => {
  const post = newPost()
  const sent = { key: fresh('hidden'), url: '/api/v2/posts', body: { data: resource(post) } }
  const first = await postKeyed(api.as(member), sent)
  expect(first.status).toBe(201)
  await hide(post.slug)
  expectErrorsOf11(await postKeyed(api.as(member), sent), carriedOut)
  await expectHidden(sent, first)
})

test('all the same where the answer did not show that field', async () => {
  const post = newPost()
  const url = '/api/v2/posts?fields[posts]=slug,title'
  const sent = { key: fresh('fields'), url, body: { data: resource(post) } }
  const first = await postKeyed(api.as(member), sent)
  await hide(post.slug)
  // Its title is seen by its author.
  const second = await postKeyed(api.as(member), sent)
  expect(replayed(second)).toBe('true')
  expect(shownOf(second)).toEqual(shownOf(first))
})

test('not one that shows it of an included resource', async () => {
  const post = newPost()
  const { id } = await api.db.post.create({
    data: { title: post.title, slug: post.slug, content: post.body, authorId: 6, publishedAt: new Date(0) },
  })
  const relationships = { commentable: { data: { type: 'posts', id: `${id}` } } }
  const sent = {
    ...{ key: fresh('included'), url: '/api/v2/comments?include=commentable' },
    body: { data: { type: 'comments', attributes: { content: 'Fine' }, relationships } },
  }
  const first = await postKeyed(api.as(member), sent)
  expect(first.status).toBe(201)
  await hide(post.slug)
  // Who commented on it may read it.
  expect(replayed(await postKeyed(api.as(member), sent))).toBe('true')
  await api.db.comment.deleteMany({ where: { postId: id } })
  await expectHidden(sent, first)
})

test('not the results of operations', async () => {
  const post = newPost()
  const sent = {
    ...{ key: fresh('operations'), url: '/api/v2/operations' },
    headers: { Accept: `${atomic}, ${mediaType}`, 'Content-Type': atomic },
    body: { 'atomic:operations': [{ op: 'add', data: resource(post) }] },
  }
  const first = await postKeyed(api.as(member), sent)
  expect(first.status).toBe(200)
  expect(replayed(await postKeyed(api.as(member), sent))).toBe('true')
  await hide(post.slug)
  await expectHidden(sent, first)
})

test('nor of a row that has gone, of which some fields are not seen of every row', async () => {
  const post = newPost()
  const sent = { key: fresh('gone'), url: '/api/v2/posts', body: { data: resource(post) } }
  const first = await postKeyed(api.as(member), sent)
  await api.db.post.delete({ where: { slug: post.slug } })
  await expectHidden(sent, first)
})

test('nothing of it is repeated to who has another role now: the key is free', async () => {
  const post = newPost()
  const user = { name: 'Once', email: 'once@example.org', passwordHash: 'x', role: 'ADMIN' as const }
  const { id } = await api.db.user.create({ data: user })
  const sent = { key: fresh('role'), url: '/api/v2/posts', body: { data: resource({ ...post, synopsis: 'Told' }) } }
  expect((await postKeyed(api.as(id), sent)).status).toBe(201)
  await api.db.user.update({ where: { id }, data: { role: 'MEMBER' } })
  const again = await postKeyed(api.as(id), sent)
  expect([again.status, replayed(again)]).toEqual([403, null])
  expect(again.text).not.toContain('Told')
})
