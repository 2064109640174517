import {
  expectCreated,
  expectFetchedMany,
  expectFetchedOne,
  expectIdentifier,
  expectIdentifiers,
  expectIncluded,
  factories,
  identifierOf,
  identifiersOf,
} from '@prismapi/testing'
import { describe, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import { useApi, users } from '../../support/api.ts'

// Factories of the example's rows, and what the rows stand for where a test names a resource.

const api = useApi()
const { client } = api
/** Factories with a seed of their own, so that no two tests make the same uniques. */
const made = (seed: number, define = {}) => factories(resources, api.db, { seed, define })

describe('create', () => {
  test('stores a row with a value for each column that needs one', async () => {
    const { user } = made(1)
    const ann = await user.create({ name: 'Ann' })
    expect(ann).toEqual({
      id: expect.any(Number),
      name: 'Ann',
      email: expect.stringMatching(/^\S+-1@example\.com$/),
      role: 'MEMBER',
      passwordHash: expect.stringMatching(/^\w{32}$/),
      createdAt: new Date('2025-01-01T00:00:01Z'),
      updatedAt: new Date('2025-01-01T00:00:01Z'),
    })
    expect(await api.db.user.findUnique({ where: { id: ann.id } })).toEqual(ann)
  })

  test('leaves alone what may be null or has a default', async () => {
    const video = await made(2).video.create()
    expect(video).toMatchObject({ featured: false, durationSeconds: null, rating: null, ownerId: null })
  })

  test('creates the rows that a required relation needs', async () => {
    const post = await made(3).post.create()
    const author = await api.db.user.findUniqueOrThrow({ where: { id: post.authorId } })
    expect(author.email).toMatch(/-1@example\.com$/)
  })

  test('takes the row of a relation, its foreign key, or null', async () => {
    const { post, video, profile, user } = made(4)
    const ann = await user.create()
    expect((await post.create({ author: ann })).authorId).toBe(ann.id)
    expect((await post.create({ authorId: users.member3 })).authorId).toBe(users.member3)
    expect((await video.create({ owner: ann })).ownerId).toBe(ann.id)
    expect((await video.create({ owner: null })).ownerId).toBeNull()
    expect((await profile.create({ user: ann })).userId).toBe(ann.id)
  })

  test('takes rows of a to-many relation', async () => {
    const { post, tag, user } = made(5)
    const tags = await tag.createMany(2)
    const { id } = await post.create({ author: await user.create(), tags })
    const { tags: stored } = await api.db.post.findUniqueOrThrow({ where: { id }, include: { tags: true } })
    expect(stored).toEqual(tags)
  })

  test('refuses a field that the model does not have, and names those it has', async () => {
    await expect(made(6).tag.create({ label: 'x' } as never)).rejects.toThrow(
      'Tag.label: the model has no such field. It has id, name, posts, videos.',
    )
  })
})

test('createMany gives each row uniques of its own, and values by its index', async () => {
  const { tag, post } = made(10)
  const tags = await tag.createMany(3)
  expect(new Set(tags.map(({ name }) => name)).size).toBe(3)
  const posts = await post.createMany(3, (index) => ({ title: `Post ${index}`, authorId: users.member3 }))
  expect(posts.map(({ title }) => title)).toEqual(['Post 0', 'Post 1', 'Post 2'])
  expect(posts.map(({ createdAt }) => createdAt.getUTCSeconds())).toEqual([1, 2, 3])
})

test('make gives the values of a row, and stores nothing', async () => {
  const { post } = made(11)
  const before = await api.db.post.count()
  const values = await post.make({ title: 'One' })
  expect(values).toEqual({
    title: 'One',
    slug: expect.stringMatching(/^[a-z-]+-1$/),
    content: expect.any(String),
    createdAt: new Date('2025-01-01T00:00:01Z'),
    updatedAt: new Date('2025-01-01T00:00:01Z'),
  })
  expect(await api.db.post.count()).toBe(before)
})

describe('the seed', () => {
  const values = async (seed: number) => {
    const { post, video, user } = made(seed)
    return [await post.make(), await video.make(), await user.make(), await post.make()]
  }

  test('makes the same values again, ids of UUIDs among them', async () => {
    const [, video] = await values(20)
    expect(await values(20)).toEqual(await values(20))
    expect(video).toHaveProperty('id', expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))
  })

  test('of another number makes others', async () => {
    expect((await values(20))[1]).not.toEqual((await values(21))[1])
  })

  test('does not care what else is made', async () => {
    const { post, user } = made(20)
    await user.make()
    expect(await post.make()).toEqual((await values(20))[0])
  })
})

describe('a definition', () => {
  const define = {
    Comment: async ({ given, factories }: { given: object; factories: { post: { create(): Promise<object> } } }) =>
      'video' in given ? {} : { post: await factories.post.create() },
    Tag: ({ n, faker }: { n: number; faker: { color: { human(): string } } }) => ({
      name: `${faker.color.human()}-${n}-30`,
    }),
  }

  test('says what rows have unless a test says something else', async () => {
    const { tag } = made(30, define)
    expect((await tag.create()).name).toMatch(/^[a-z ]+-1-30$/)
    expect((await tag.create({ name: 'mine-30' })).name).toBe('mine-30')
  })

  test('draws the same for the same seed', async () => {
    expect(await made(31, define).tag.make()).toEqual(await made(31, define).tag.make())
  })

  test('sees what is given, and may create other rows', async () => {
    const { comment, video } = made(32, define)
    expect((await comment.create()).postId).not.toBeNull()
    const film = await video.create()
    expect(await comment.create({ video: film })).toMatchObject({ postId: null, videoId: film.id })
  })
})

describe('a row of a factory stands for its resource', () => {
  test('where an answer is expected, and where one is asked for', async () => {
    const { post, tag, user } = made(40)
    const ann = await user.create({ role: 'ADMIN' })
    const tags = await tag.createMany(2)
    const [first, second] = await post.createMany(2, { author: ann, tags, publishedAt: new Date('2025-01-01') })
    if (!first || !second) throw new Error('There are no posts.')

    expectFetchedMany(await client.get('/posts').filter({ author: ann.id }), [second, first])
    const answer = await client.get(`/posts/${first.id}`).include('author', 'tags')
    expectFetchedOne(answer, first)
    expectIncluded(answer, [...tags, ann])
    expectIdentifier(await client.get(`/posts/${first.id}/relationships/author`), ann)
    expectIdentifiers(await client.get(`/posts/${first.id}/relationships/tags`), tags)

    const asAnn = client.as(ann.id)
    expectIdentifiers(await asAnn.patch(`/posts/${first.id}/relationships/tags`, tags.slice(1)), tags.slice(1))
    const attributes = { title: 'Mine', slug: 'mine-40', content: 'Text' }
    const created = expectCreated(
      await asAnn.post('/posts', { type: 'posts', attributes, relationships: { author: ann, tags } }),
      { type: 'posts', attributes },
    )
    expectIdentifiers(await client.as(ann.id).get(`/posts/${created.id}/relationships/tags`), tags)
  })

  test('with the type that the application gives it', async () => {
    const { tag } = factories(resources, api.db, { seed: 41, types: { Tag: 'labels' } })
    const row = await tag.create()
    expect(identifierOf(row)).toEqual({ type: 'labels', id: String(row.id) })
  })

  test('though it was read by Prisma, once it is told', async () => {
    const { tag } = made(42)
    const row = await api.db.tag.findUniqueOrThrow({ where: { id: 2 } })
    expectFetchedOne(await client.get('/tags/2'), tag.identified(row))
    expect(identifiersOf('tags', [row])).toEqual([{ type: 'tags', id: '2' }])
  })

  test('frozen, and told again: the last one counts', async () => {
    const { tag } = made(44)
    const row = await tag.create()
    expect(identifierOf(tag.identified(row))).toEqual({ type: 'tags', id: String(row.id) })
    const labels = factories(resources, api.db, { types: { Tag: 'labels' } })
    expect(identifierOf(labels.tag.identified(row))).toEqual({ type: 'labels', id: String(row.id) })
    const frozen = Object.freeze(await api.db.tag.findUniqueOrThrow({ where: { id: 2 } }))
    expect(identifierOf(tag.identified(frozen))).toEqual({ type: 'tags', id: '2' })
  })

  test('and is no other row for it', async () => {
    const row = await made(43).tag.create({ name: 'plain-43' })
    expect(row).toEqual({ id: row.id, name: 'plain-43' })
    expect(JSON.stringify(row)).toBe(`{"id":${row.id},"name":"plain-43"}`)
  })
})
