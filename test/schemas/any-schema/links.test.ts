import type { Serving } from 'prismapi'
import { expect, test } from 'vitest'
import { to, toOne, useFixture } from '../../support/any-schema/use-fixture.ts'

// A many-to-many that people made themselves is the links, as a type, and the relation behind them.

const told: string[] = []
let hidden: object = {}
const api = useFixture('joins', {
  serving(phase: Serving) {
    const { scope, creating, deleted } = phase as unknown as Record<string, (model: string, what: unknown) => void>
    scope?.('PostTag', hidden)
    creating?.('CategoriesOnPosts', () => {
      told.push('creating')
      return { note: 'by a hook' }
    })
    deleted?.('CategoriesOnPosts', () => void told.push('deleted'))
  },
})

test('targets are linked with a resource, and their links are resources too', async () => {
  const [a, b] = [await api.create('tags', { name: 'a' }), await api.create('tags', { name: 'b' })]
  const post = await api.create('posts', { title: 'one' }, { tags: to('tags', a, b) })
  const { body } = await api.ask('GET', `/posts/${post}?include=tags&fields[posts]=tags&fields[tags]=name`)
  expect(body.data.relationships.tags.data).toEqual(to('tags', a, b).data)
  expect(body.included.map(({ attributes }: { attributes: object }) => attributes)).toEqual([
    { name: 'a' },
    { name: 'b' },
  ])
  expect(await api.linkage(`/posts/${post}/relationships/postTags`)).toEqual(
    to('post-tags', `${post}_${a}`, `${post}_${b}`).data,
  )
  expect(await api.linkage(`/tags/${a}/relationships/posts`)).toEqual(to('posts', post).data)
})

test('links are added, removed and replaced, each once', async () => {
  const tags = [await api.create('tags', { name: 'c' }), await api.create('tags', { name: 'd' })] as const
  const post = await api.create('posts', { title: 'two' })
  const url = `/posts/${post}/relationships/tags`
  const seen: unknown[] = []
  for (const [method, ids] of [
    ['POST', [tags[0], tags[0]]],
    ['POST', tags],
    ['DELETE', [tags[0]]],
    ['DELETE', [tags[0]]],
    ['PATCH', [tags[0]]],
    ['PATCH', []],
  ] as const) {
    const { status } = await api.ask(method, url, to('tags', ...ids))
    seen.push([method, status, await api.linkage(url)])
  }
  const of = (...ids: readonly string[]) => to('tags', ...ids).data
  expect(seen).toEqual([
    ['POST', 204, of(tags[0])],
    ['POST', 204, of(...tags)],
    ['DELETE', 204, of(tags[1])],
    ['DELETE', 204, of(tags[1])],
    ['PATCH', 200, of(tags[0])],
    ['PATCH', 200, of()],
  ])
})

test('what a link says is the meta of its identifier', async () => {
  const category = await api.create('categories', { name: 'news' })
  const post = await api.create('posts', { title: 'three' })
  await api.create(
    'categories-on-posts',
    { position: 7 },
    { post: toOne('posts', post), category: toOne('categories', category) },
  )
  const meta = { position: 7, note: 'by a hook', assignedAt: expect.any(String) }
  const data = [{ type: 'categories', id: category, meta }]
  expect(await api.linkage(`/posts/${post}/relationships/postCategories`)).toEqual(data)
  const { body } = await api.ask('GET', `/posts/${post}?include=postCategories`)
  expect(body.data.relationships.postCategories.data).toEqual(data)
  expect(await api.linkage(`/posts/${post}/relationships/postCategories?fields[categories-on-posts]=position`)).toEqual(
    [{ type: 'categories', id: category, meta: { position: 7 } }],
  )
})

test('hooks on links are told of every one', async () => {
  const category = await api.create('categories', { name: 'hooked' })
  const post = await api.create('posts', { title: 'four' })
  told.length = 0
  const url = `/posts/${post}/relationships/postCategories`
  await api.ask('POST', url, to('categories', category))
  const [{ meta }] = (await api.linkage(url)) as [{ meta: { note: string } }]
  await api.ask('DELETE', url, to('categories', category))
  expect([told, meta.note]).toEqual([['creating', 'deleted'], 'by a hook'])
})

test('a link that has to say something is made by its own type alone', async () => {
  const user = await api.create('users', { name: 'u' })
  const post = await api.create('posts', { title: 'five' })
  const url = `/posts/${post}/relationships/postReviewers`
  const { status, allow } = await api.ask('POST', url, to('users', user))
  await api.create('reviews', { stars: 5 }, { post: toOne('posts', post), reviewer: toOne('users', user) })
  expect([status, allow, await api.linkage(url)]).toEqual([
    403,
    null,
    [{ type: 'users', id: user, meta: { stars: 5, price: null } }],
  ])
})

test('a link that a scope hides leads nowhere: not in linkage, nor for a filter, nor out of the relation', async () => {
  const [tag, other] = [await api.create('tags', { name: 'e' }), await api.create('tags', { name: 'f' })]
  const post = await api.create('posts', { title: 'six' }, { tags: to('tags', tag, other) })
  const look = async () => [
    await api.linkage(`/posts/${post}/relationships/tags`),
    await api.linkage(`/posts?filter[tags.name]=e&fields[posts]=`),
    await api.linkage(`/tags/${tag}/relationships/posts`),
  ]
  const posts = [{ type: 'posts', id: post, links: expect.any(Object) }]
  const whole = [to('tags', tag, other).data, posts, to('posts', post).data]
  expect(await look()).toEqual(whole)
  hidden = { tagId: { not: Number(tag) } }
  expect(await look()).toEqual([to('tags', other).data, [], []])
  await api.ask('PATCH', `/posts/${post}/relationships/tags`, to('tags'))
  hidden = {}
  expect(await look()).toEqual([to('tags', tag).data, posts, to('posts', post).data])
})

test('a filter crosses links with every quantifier', async () => {
  const [x, y] = [await api.create('tags', { name: 'x' }), await api.create('tags', { name: 'y' })]
  const both = await api.create('posts', { title: 'both' }, { tags: to('tags', x, y) })
  const one = await api.create('posts', { title: 'one' }, { tags: to('tags', x) })
  const none = await api.create('posts', { title: 'none' })
  const ids = async (filter: string) => {
    const rows = (await api.linkage(`/posts?${filter}&filter[id][in]=${both},${one},${none}`)) as { id: string }[]
    return rows.map(({ id }) => id)
  }
  expect([
    await ids('filter[tags.name]=x'),
    await ids('filter[tags.every.name]=x'),
    await ids('filter[tags.none.name]=y'),
    await ids('filter[tags][exists]=false'),
    await ids(`filter[tags]=${y}`),
  ]).toEqual([[both, one], [one, none], [one, none], [none], [both]])
})

test('links of a model with itself are two relations', async () => {
  const [a, b] = [await api.create('users', { name: 'a' }), await api.create('users', { name: 'b' })]
  await api.ask('POST', `/users/${a}/relationships/followeds`, to('users', b))
  const since = { since: expect.any(String) }
  expect([
    await api.linkage(`/users/${a}/relationships/followeds`),
    await api.linkage(`/users/${b}/relationships/userFollowers`),
    await api.linkage(`/users/${b}/relationships/followeds`),
  ]).toEqual([[{ type: 'users', id: b, meta: since }], [{ type: 'users', id: a, meta: since }], []])
})
