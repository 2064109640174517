import { scryptSync } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  commentRow,
  planSizes,
  postRow,
  postTags,
  profileRow,
  tagRow,
  userRow,
  videoRow,
  videoTags,
} from '../../../prisma/seed-rows.ts'

const sizes = planSizes()
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('the seed has 10 users, 60 posts, 12 tags, 10 videos and 200 comments', () => {
  expect(sizes).toEqual({ users: 10, posts: 60, tags: 12, videos: 10, comments: 200 })
})

test('a hundred times the posts are a hundred times the members, tags, videos and comments', () => {
  expect(planSizes(6000)).toEqual({ users: 802, posts: 6000, tags: 1200, videos: 1000, comments: 20_000 })
})

test('fewer posts leave everything else as it is', () => {
  expect(planSizes(1)).toEqual({ ...sizes, posts: 1 })
})

test('user 1 is the administrator, user 2 the editor, and all others are members', () => {
  expect(numbers(4).map((id) => [userRow(id).email, userRow(id).role])).toEqual([
    ['admin@example.com', 'ADMIN'],
    ['editor@example.com', 'EDITOR'],
    ['member3@example.com', 'MEMBER'],
    ['member4@example.com', 'MEMBER'],
  ])
})

test('every user has the password of the example', () => {
  const [, cost, blockSize, parallelization, salt = '', hash = ''] = userRow(7).passwordHash.split('$')
  const options = { N: Number(cost), r: Number(blockSize), p: Number(parallelization) }
  expect(scryptSync('password-of-the-example', Buffer.from(salt, 'base64url'), 64, options).toString('base64url')).toBe(
    hash,
  )
})

test('a profile has the id of its user', () => {
  expect(profileRow(5)).toMatchObject({ id: 5, userId: 5 })
})

test('tag 1 is staff-pick', () => {
  expect([tagRow(1), tagRow(2)]).toEqual([
    { id: 1, name: 'staff-pick' },
    { id: 2, name: 'tag-2' },
  ])
})

test('post n is by member 3 + (n mod 8), and a draft when 5 divides n', () => {
  for (const id of numbers(60)) {
    const post = postRow(id, sizes)
    expect([post.slug, post.authorId, post.publishedAt === null]).toEqual([`post-${id}`, 3 + (id % 8), id % 5 === 0])
  }
})

test('a published post was published when it was created, in the past, and every post at a time of its own', () => {
  const created = numbers(60).map((id) => Number(postRow(id, sizes).createdAt))
  expect(created).toEqual([...new Set(created)].sort((a, b) => a - b))
  expect(postRow(1, sizes).publishedAt).toEqual(new Date('2024-02-01T00:01:00.000Z'))
  expect(Number(postRow(1_000_000, planSizes(1_000_000)).publishedAt)).toBeLessThan(Date.parse('2026-01-01'))
})

test('a post has one to three tags from 2 up, none of them twice, and every tenth post has staff-pick too', () => {
  for (const id of numbers(60)) {
    const [first, ...others] = postTags(id, sizes)
    const tags = first === 1 ? others : [first, ...others]
    expect(first === 1).toBe(id % 10 === 0)
    expect(tags).toHaveLength(1 + (id % 3))
    expect(new Set(tags).size).toBe(tags.length)
    for (const tag of tags) expect(tag).toSatisfy((value: number) => value >= 2 && value <= 12)
  }
})

test('video n has an id that ends with n, the owner 3 + (n mod 8), and tags from 2 up', () => {
  for (const number of numbers(10)) {
    const id = `00000000-0000-4000-8000-0000000000${String(number).padStart(2, '0')}`
    expect(videoRow(number, sizes)).toMatchObject({ id, ownerId: 3 + (number % 8) })
    expect(Math.min(...videoTags(number, sizes))).toBeGreaterThanOrEqual(2)
  }
})

test('a comment is by a member, about a post or a video and never about both', () => {
  for (const id of numbers(200)) {
    const { postId, videoId, authorId } = commentRow(id, sizes)
    expect((postId === null) !== (videoId === null)).toBe(true)
    expect(authorId).toBe(3 + (id % 8))
  }
})

test('every video has comments, and so has every post that 3 does not divide', () => {
  const comments = numbers(200).map((id) => commentRow(id, sizes))
  const videos = new Set(comments.flatMap(({ videoId }) => videoId ?? []))
  const posts = new Set(comments.flatMap(({ postId }) => postId ?? []))
  expect([...videos].sort()).toEqual(numbers(10).map((number) => videoRow(number, sizes).id))
  expect([...posts].sort((a, b) => a - b)).toEqual(numbers(60).filter((id) => id % 3 !== 0))
})
