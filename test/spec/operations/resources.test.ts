import { expect, test } from 'vitest'
import { notFound } from '../../support/answers.ts'
import { origin, useApi, users } from '../../support/api.ts'
import { expectRefused, expectResults, inOperation, newPost, operate, sendAtomic } from '../../support/operations.ts'

const api = useApi()
const member = api.as(users.member4)
const admin = api.as(users.admin)
const tag = (id: number | string, name: string) => ({
  type: 'tags',
  id: String(id),
  attributes: { name },
  relationships: Object.fromEntries(
    ['posts', 'videos'].map((relation) => [
      relation,
      {
        links: {
          self: `${origin}/api/v2/tags/${id}/relationships/${relation}`,
          related: `${origin}/api/v2/tags/${id}/${relation}`,
        },
      },
    ]),
  ),
  links: { self: `${origin}/api/v2/tags/${id}` },
})
const idOf = async (name: string) => (await api.db.tag.findUniqueOrThrow({ where: { name } })).id
const shown = async (path: string) => (await member.get(`/api/v2${path}`)).body.data
const published = () => ({ publishedAt: '2024-01-01T00:00:00.000Z' })

test('operations are done in their order, and each has its result at its place', async () => {
  const { id: old } = await api.db.tag.create({ data: { name: 'old' } })
  const answer = await operate(
    admin,
    { op: 'add', data: { type: 'tags', attributes: { name: 'first' } } },
    { op: 'update', data: { type: 'tags', id: '5', attributes: { name: 'fifth' } } },
    { op: 'remove', ref: { type: 'tags', id: String(old) } },
    { op: 'update', data: { type: 'tags', id: '5', attributes: { name: 'fifth again' } } },
    { op: 'add', data: { type: 'tags', attributes: { name: 'fifth' } } },
  )
  expectResults(
    answer,
    { data: tag(await idOf('first'), 'first') },
    { data: tag(5, 'fifth') },
    {},
    { data: tag(5, 'fifth again') },
    { data: tag(await idOf('fifth'), 'fifth') },
  )
  expect(await api.db.tag.count({ where: { name: 'old' } })).toBe(0)
})

test('a resource is shown as its own URL shows it: what the server filled, and what the policy lets the caller see', async () => {
  const { body } = await operate(
    member,
    { op: 'add', data: { type: 'posts', attributes: newPost(published()) } },
    { op: 'add', data: { type: 'videos', attributes: { title: 'V', url: 'https://a.example/v' } } },
  )
  const [post, video] = body['atomic:results']
  expect(post.data).toEqual(await shown(`/posts/${post.data.id}`))
  expect(video.data).toEqual(await shown(`/videos/${video.data.id}`))
  expect((await api.db.post.findUniqueOrThrow({ where: { id: Number(post.data.id) } })).authorId).toBe(users.member4)
})

test('operations without anything to show are answered with 204', async () => {
  const { id } = await api.db.tag.create({ data: { name: 'short-lived' } })
  const { status, body, headers } = await operate(admin, { op: 'remove', ref: { type: 'tags', id: String(id) } })
  expect({ status, body, type: headers.get('Content-Type') }).toEqual({ status: 204, body: undefined, type: null })
  expect(await api.db.tag.count({ where: { id } })).toBe(0)
})

test.each([
  ['relative', 'tags'],
  ['an absolute path', '/api/v2/tags'],
  ['absolute', `${origin}/api/v2/tags`],
])('href may name the target, %s', async (kind, collection) => {
  const name = `by href, ${kind}`
  const added = await operate(admin, { op: 'add', href: collection, data: { type: 'tags', attributes: { name } } })
  const id = await idOf(name)
  expectResults(added, { data: tag(id, name) })
  const attributes = { name: `${name}, changed` }
  expectResults(
    await operate(admin, {
      op: 'update',
      href: `${collection}/${id}`,
      data: { type: 'tags', id: String(id), attributes },
    }),
    { data: tag(id, attributes.name) },
  )
  expect((await operate(admin, { op: 'remove', href: `${collection}/${id}` })).status).toBe(204)
  expect(await api.db.tag.count({ where: { id } })).toBe(0)
})

test('ref may name the target of an update beside its data', async () => {
  const data = { type: 'tags', id: '6', attributes: { name: 'sixth' } }
  expectResults(await operate(admin, { op: 'update', ref: { type: 'tags', id: '6' }, data }), { data: tag(6, 'sixth') })
})

test('sparse field sets hold for every result', async () => {
  const operation = { op: 'update', data: { type: 'tags', id: '7', attributes: { name: 'seventh' } } }
  const answer = await sendAtomic(admin, { 'atomic:operations': [operation] }, '?fields[tags]=name')
  const { type, id, attributes, links } = tag(7, 'seventh')
  expectResults(answer, { data: { type, id, attributes, links } })
})

test('a client may give the id of what it adds, where the type takes ids from clients', async () => {
  const id = '11111111-1111-4111-8111-111111111111'
  const data = { type: 'videos', id, attributes: { title: 'V', url: 'https://a.example/v' } }
  const answer = await operate(member, { op: 'add', data })
  expectResults(answer, { data: await shown(`/videos/${id}`) })
  await expectRefused(api.db, () => operate(member, { op: 'add', data }), {
    status: 409,
    errors: [
      inOperation(0, { status: '409', title: 'Conflict', detail: `Resource ${id} already exists.` }, '/data/id'),
    ],
  })
})

test('what is removed can be added again in the same request', async () => {
  const { id } = await api.db.tag.create({ data: { name: 'phoenix' } })
  const answer = await operate(
    admin,
    { op: 'remove', ref: { type: 'tags', id: String(id) } },
    { op: 'add', data: { type: 'tags', attributes: { name: 'phoenix' } } },
  )
  expectResults(answer, {}, { data: tag(await idOf('phoenix'), 'phoenix') })
})

test('what is added can be removed again in the same request, and its result says what it was', async () => {
  const answer = await operate(
    admin,
    { op: 'add', data: { type: 'tags', lid: 'a', attributes: { name: 'mayfly' } } },
    { op: 'remove', ref: { type: 'tags', lid: 'a' } },
  )
  const [{ data }] = answer.body['atomic:results']
  expectResults(answer, { data: tag(data.id, 'mayfly') }, {})
  expect(await api.db.tag.count({ where: { name: 'mayfly' } })).toBe(0)
})

test('removing marks a post as deleted where its type is deleted softly, and removing it again removes it for good', async () => {
  const { id } = await api.db.post.create({ data: { title: 'T', slug: 'soft', content: 'C', authorId: users.member4 } })
  const remove = { op: 'remove', ref: { type: 'posts', id: String(id) } }
  expect((await operate(admin, remove)).status).toBe(204)
  expect((await api.db.post.findUniqueOrThrow({ where: { id } })).deletedAt).toBeInstanceOf(Date)
  expect((await operate(admin, remove)).status).toBe(204)
  expect(await api.db.post.count({ where: { id } })).toBe(0)
})

test.each([
  ['missing', '99999'],
  ['hidden: a draft of another member', '5'],
  ['named by half of a pair of UTF-16, which no URL can have', '\ud800'],
])('a resource that is %s is not found, whatever came before it', async (_, id) => {
  const name = { name: 'never' }
  const target = { type: 'posts', id }
  for (const operation of [
    { op: 'update', data: { ...target, attributes: { title: 'Mine' } } },
    { op: 'remove', ref: target },
    { op: 'add', ref: { ...target, relationship: 'tags' }, data: [] },
    { op: 'remove', href: `posts/${encodeURIComponent(id.toWellFormed())}` },
  ])
    await expectRefused(
      api.db,
      () =>
        operate(member, { op: 'add', data: { type: 'posts', attributes: newPost() } }, operation, {
          op: 'add',
          data: { type: 'tags', attributes: name },
        }),
      { status: 404, errors: [inOperation(1, notFound)] },
    )
})

test('adding many asks whether their names are free once, and reads them once', async () => {
  const add = (n: number) => ({ op: 'add', data: { type: 'posts', attributes: newPost({ title: `Post ${n}` }) } })
  const queries = await api.queriesOf(() => operate(member, ...Array.from({ length: 20 }, (_, n) => add(n))))
  const onPosts = queries.filter((query) => /Post/.test(query))
  expect(onPosts.filter((query) => /^\s*INSERT/i.test(query))).toHaveLength(20)
  expect(onPosts.filter((query) => /^\s*SELECT/i.test(query))).toHaveLength(2)
})
