import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PrismaClient } from '../../prisma/generated/client/client.ts'
import { isEmpty, seed } from '../../prisma/seed.ts'
import { migrate } from '../support/databases/sqlite.ts'

let folder: string
let prisma: PrismaClient

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prismapi-seed-'))
  migrate(join(folder, 'test.db'))
  prisma = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: `file:${folder}/test.db` }) })
})

afterEach(async () => {
  await prisma.$disconnect()
  rmSync(folder, { recursive: true })
})

test('an empty database gets the rows of the example', async () => {
  expect(await isEmpty(prisma)).toBe(true)
  expect(await seed(prisma)).toBe(true)
  expect(await isEmpty(prisma)).toBe(false)
  expect(await counts()).toEqual({ users: 10, profiles: 10, posts: 60, tags: 12, videos: 10, comments: 200 })
})

test('Prisma reads back what the seed wrote', async () => {
  await seed(prisma)
  expect(await prisma.post.findUnique({ where: { id: 10 }, omit: { content: true }, include: { tags: true } })).toEqual(
    {
      id: 10,
      title: 'Post 10',
      slug: 'post-10',
      synopsis: 'Post 10 in one sentence.',
      publishedAt: null,
      deletedAt: null,
      createdAt: new Date('2024-02-01T00:10:00.000Z'),
      updatedAt: new Date('2024-02-01T00:10:00.000Z'),
      authorId: 5,
      tags: [
        { id: 1, name: 'staff-pick' },
        { id: 5, name: 'tag-5' },
        { id: 12, name: 'tag-12' },
      ],
    },
  )
  expect(await prisma.video.findFirst({ where: { featured: true }, include: { tags: true } })).toEqual({
    id: '00000000-0000-4000-8000-000000000004',
    title: 'Video 4',
    url: 'https://videos.example.com/4',
    featured: true,
    durationSeconds: 120,
    rating: 2,
    createdAt: new Date('2024-02-01T00:04:00.000Z'),
    ownerId: 7,
    tags: [
      { id: 6, name: 'tag-6' },
      { id: 10, name: 'tag-10' },
    ],
  })
})

test('a database with rows stays as it is', async () => {
  await prisma.tag.create({ data: { name: 'mine' } })
  expect(await seed(prisma)).toBe(false)
  expect(await counts()).toEqual({ users: 0, profiles: 0, posts: 0, tags: 1, videos: 0, comments: 0 })
})

test('with `replace` the rows, and the next id, are the same as the first time', async () => {
  await seed(prisma, { posts: 120 })
  expect(await seed(prisma, { replace: true })).toBe(true)
  expect(await counts()).toEqual({ users: 10, profiles: 10, posts: 60, tags: 12, videos: 10, comments: 200 })
  expect(await prisma.tag.create({ data: { name: 'mine' } })).toEqual({ id: 13, name: 'mine' })
})

test('a seed of many chunks tells how far it is', async () => {
  const progress: number[] = []
  await seed(prisma, { posts: 600, onProgress: (done, total) => progress.push(done / total) })
  expect(await prisma.post.count()).toBe(600)
  expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  expect(progress.at(-1)).toBe(1)
})

test('the database refuses a comment about nothing, and one about a post and a video', async () => {
  await seed(prisma)
  const comment = { content: 'A comment.', authorId: 3 }
  await expect(prisma.comment.create({ data: comment })).rejects.toThrow('Comment_commentable_check')
  const both = { ...comment, postId: 1, videoId: '00000000-0000-4000-8000-000000000001' }
  await expect(prisma.comment.create({ data: both })).rejects.toThrow('Comment_commentable_check')
})

test('a user with posts, a post with comments and a video with comments cannot be deleted', async () => {
  await seed(prisma)
  const refused = { code: 'P2003' }
  await expect(prisma.user.delete({ where: { id: 3 } })).rejects.toMatchObject(refused)
  await expect(prisma.post.delete({ where: { id: 1 } })).rejects.toMatchObject(refused)
  await expect(prisma.video.deleteMany({})).rejects.toMatchObject(refused)
})

test('a profile goes with its user', async () => {
  await seed(prisma)
  await prisma.user.delete({ where: { id: 1 } })
  expect(await prisma.profile.findUnique({ where: { id: 1 } })).toBeNull()
})

async function counts() {
  const { user, profile, post, tag, video, comment } = prisma
  return {
    users: await user.count(),
    profiles: await profile.count(),
    posts: await post.count(),
    tags: await tag.count(),
    videos: await video.count(),
    comments: await comment.count(),
  }
}
