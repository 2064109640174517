import type { HiddenRow, World } from '@prismapi/testing/internal/kit/leaks/world'
import type { Prisma, PrismaClient } from '../../prisma/generated/client/client.ts'
import { forgetConstraints } from './database.ts'

// The example with hidden rows of every model, on every side of every relation: what is hidden has what may be seen,
// and the other way round. Hidden rows lie in the middle of every order. Their ids begin with 9.

const at = (minute: number) => new Date(Date.UTC(2024, 0, 1, 0, minute))
const uuid = (number: number) => `00000000-0000-4000-8000-00000000${String(number).padStart(4, '0')}`

type Of<Input> = { readonly data: Input; readonly markers?: readonly string[] }

const user = (id: number, name: string, role: 'MEMBER' | 'EDITOR' | 'ADMIN' = 'MEMBER') =>
  ({
    id,
    name,
    email: `${name.toLowerCase().replaceAll(' ', '-')}@example.com`,
    role,
    passwordHash: `hash of ${id}`,
    createdAt: at(id % 100),
    updatedAt: at(id % 100),
  }) satisfies Prisma.UserCreateManyInput

const post = (id: number, authorId: number, more: Partial<Prisma.PostCreateManyInput> = {}) => ({
  id,
  title: `Nice post ${id}`,
  slug: `nice-post-${id}`,
  content: `Content of post ${id}`,
  synopsis: `Synopsis of post ${id}`,
  publishedAt: at(id % 100),
  createdAt: at(id % 100),
  updatedAt: at(id % 100),
  authorId,
  ...more,
})

const hiddenPost = (id: number, authorId: number, more: Partial<Prisma.PostCreateManyInput> = {}) => ({
  data: post(id, authorId, {
    title: `N hidden title ${id}`,
    slug: `n-hidden-slug-${id}`,
    content: `N hidden content ${id}`,
    synopsis: `N hidden synopsis ${id}`,
    ...more,
  }),
  markers: [`title ${id}`, `slug-${id}`, `content ${id}`, `synopsis ${id}`],
})

const video = (number: number, ownerId: number | null, more: Partial<Prisma.VideoCreateManyInput> = {}) => ({
  id: uuid(number),
  title: `Video ${number}`,
  url: `https://videos.example.com/${number}`,
  featured: number % 2 === 0,
  durationSeconds: number * 10,
  rating: 1 + (number % 4),
  createdAt: at(number % 100),
  ownerId,
  ...more,
})

const hiddenVideo = (number: number, ownerId: number | null, more: Partial<Prisma.VideoCreateManyInput> = {}) => ({
  data: video(number, ownerId, {
    title: `Video hidden ${number}`,
    url: `https://videos.example.com/hidden/${number}`,
    durationSeconds: 770_000 + number,
    rating: null,
    ...more,
  }),
  markers: [`hidden ${number}`, `hidden/${number}`, String(770_000 + number)],
})

type About = { readonly postId: number } | { readonly videoId: string }

const comment = (id: number, authorId: number, about: About, content = `Comment ${id}`) => ({
  id,
  content,
  authorId,
  createdAt: at(id % 100),
  postId: null,
  videoId: null,
  ...about,
})

const hiddenComment = (id: number, authorId: number, about: About) => ({
  data: comment(id, authorId, about, `Comment hidden ${id}`),
  markers: [`hidden ${id}`],
})

const shown = <Input>(...rows: readonly Input[]): readonly Of<Input>[] => rows.map((data) => ({ data }))

const users: readonly Of<Prisma.UserCreateManyInput>[] = [
  ...shown(user(1, 'Admin', 'ADMIN'), user(2, 'Editor', 'EDITOR'), user(3, 'Member'), user(4, 'Other')),
  ...[9005, 9006].map((id) => ({
    data: { ...user(id, `Hidden user ${id}`), email: `hidden-mail-${id}@example.com` },
    markers: [`user ${id}`, `mail-${id}`],
  })),
]

const profiles: readonly Of<Prisma.ProfileCreateManyInput>[] = [
  ...shown(
    { id: 1, userId: 3, bio: null, website: 'https://shown.example.com/1' },
    { id: 2, userId: 9005, bio: 'Who is behind this?', website: 'https://shown.example.com/2' },
  ),
  // A scope on a column that is null is neither true nor false.
  { data: { id: 9103, userId: 4, bio: 'A hidden bio 9103', website: null }, markers: ['bio 9103'] },
  {
    data: { id: 9104, userId: 9006, bio: 'A hidden bio 9104', website: 'https://hidden.example.com/9104' },
    markers: ['bio 9104', 'com/9104'],
  },
]

const tags: readonly Of<Prisma.TagCreateManyInput>[] = [
  ...shown({ id: 1, name: 'art' }, { id: 2, name: 'music' }),
  ...[9303, 9304].map((id) => ({ data: { id, name: `hidden tag ${id}` }, markers: [`tag ${id}`] })),
]

const posts: readonly Of<Prisma.PostCreateManyInput>[] = [
  ...shown(post(11, 3), post(12, 4), post(61, 9005), post(62, 3, { publishedAt: null }), post(63, 1)),
  hiddenPost(9240, 3),
  hiddenPost(9241, 9005),
  hiddenPost(9242, 4, { title: 'N binned title 9242', deletedAt: at(5) }),
]

const videos: readonly Of<Prisma.VideoCreateManyInput>[] = [
  ...shown(video(21, 3), video(22, 9006), video(23, null), video(71, 4, { durationSeconds: null })),
  hiddenVideo(9451, 3),
  hiddenVideo(9452, 9005, { rating: 0.5 }),
  hiddenVideo(9453, 2, { rating: 3 }),
]

const comments: readonly Of<Prisma.CommentCreateManyInput>[] = [
  ...shown(
    comment(31, 3, { postId: 11 }),
    comment(32, 9005, { postId: 11 }),
    comment(33, 4, { postId: 9240 }),
    comment(34, 3, { videoId: uuid(21) }),
    comment(81, 4, { videoId: uuid(9451) }),
    comment(82, 9006, { videoId: uuid(22) }),
    comment(83, 4, { postId: 61 }),
  ),
  hiddenComment(9550, 3, { postId: 11 }),
  hiddenComment(9551, 4, { videoId: uuid(21) }),
  hiddenComment(9552, 9005, { postId: 9241 }),
  hiddenComment(9553, 3, { postId: 12 }),
]

const postTags: readonly (readonly [post: number, tag: number])[] = [
  [11, 1],
  [11, 9303],
  [12, 1],
  [12, 2],
  [12, 9304],
  [61, 9303],
  [63, 2],
  [9240, 1],
  [9240, 9303],
  [9241, 2],
  [9242, 1],
]

const videoTags: readonly (readonly [video: number, tag: number])[] = [
  [21, 1],
  [21, 9303],
  [22, 2],
  [23, 9304],
  [71, 1],
  [9451, 1],
  [9452, 9304],
  [9453, 2],
]

/** Puts the rows of this world in the place of all others. */
export async function fillWorld(db: PrismaClient): Promise<void> {
  await db.comment.deleteMany()
  await db.video.deleteMany()
  await db.post.deleteMany()
  await db.tag.deleteMany()
  await db.user.deleteMany()
  await db.user.createMany({ data: dataOf(users) })
  await db.profile.createMany({ data: dataOf(profiles) })
  await db.tag.createMany({ data: dataOf(tags) })
  await db.post.createMany({ data: dataOf(posts) })
  await db.video.createMany({ data: dataOf(videos) })
  await db.comment.createMany({ data: dataOf(comments) })
  for (const [id, tag] of postTags) await db.post.update({ where: { id }, data: { tags: { connect: { id: tag } } } })
  for (const [number, tag] of videoTags)
    await db.video.update({ where: { id: uuid(number) }, data: { tags: { connect: { id: tag } } } })
}

const dataOf = <Input>(rows: readonly Of<Input>[]): Input[] => rows.map(({ data }) => data)

/** Removes the hidden rows from the tables, by force: those that need them stay. */
export async function forgetHidden(db: PrismaClient): Promise<void> {
  await forgetConstraints(db)
  const list = (rows: readonly Of<{ id?: number | string }>[]) =>
    rows
      .filter(({ markers }) => markers)
      .map(({ data }) => (typeof data.id === 'string' ? `'${data.id}'` : data.id))
      .join(', ')
  for (const statement of [
    `UPDATE "Video" SET "ownerId" = NULL WHERE "ownerId" IN (${list(users)})`,
    `UPDATE "Comment" SET "postId" = NULL WHERE "postId" IN (${list(posts)})`,
    `UPDATE "Comment" SET "videoId" = NULL WHERE "videoId" IN (${list(videos)})`,
    `DELETE FROM "_PostToTag" WHERE "A" IN (${list(posts)}) OR "B" IN (${list(tags)})`,
    `DELETE FROM "_TagToVideo" WHERE "A" IN (${list(tags)}) OR "B" IN (${list(videos)})`,
    `DELETE FROM "Comment" WHERE "id" IN (${list(comments)})`,
    `DELETE FROM "Post" WHERE "id" IN (${list(posts)})`,
    `DELETE FROM "Video" WHERE "id" IN (${list(videos)})`,
    `DELETE FROM "Tag" WHERE "id" IN (${list(tags)})`,
    `DELETE FROM "Profile" WHERE "id" IN (${list(profiles)})`,
    `DELETE FROM "User" WHERE "id" IN (${list(users)})`,
  ])
    await db.$executeRawUnsafe(statement)
}

/** What a walk has to know of this world. */
export function worldOf(server: World['server']): World {
  const tables = { User: users, Profile: profiles, Post: posts, Tag: tags, Video: videos, Comment: comments }
  const entries = Object.entries(tables) as [string, readonly Of<Readonly<Record<string, unknown>>>[]][]
  return {
    server,
    hidden: new Map(
      entries.map(([model, rows]) => [
        model,
        rows.flatMap(({ data, markers }): HiddenRow[] =>
          markers ? [{ row: data, markers, values: [String(data.id)] }] : [],
        ),
      ]),
    ),
    shown: new Map(
      entries.map(([model, rows]) => [model, rows.filter(({ markers }) => !markers).map(({ data }) => data)]),
    ),
    missing: new Map(entries.map(([model]) => [model, model === 'Video' ? uuid(8000) : '8000'])),
  }
}

/** `type/id` of everything that a caller can come across: guests see no draft, and users only with what those wrote. */
export function visibleTo(userId: number | null): ReadonlySet<string> {
  const tables = { users, profiles, posts, tags, videos, comments }
  const all = Object.entries(tables).flatMap(([type, rows]) =>
    rows.filter(({ markers }) => !markers).map(({ data }) => `${type}/${data.id}`),
  )
  return new Set(all.filter((each) => userId !== null || (each !== 'posts/62' && each !== 'users/2')))
}

/** The hidden rows once more, as an application says it. */
export const hiddenWhere = {
  User: { name: { startsWith: 'Hidden' } },
  Profile: { id: { in: [9103, 9104] } },
  Post: { id: { gte: 9000 } },
  Tag: { id: { gte: 9000 } },
  Video: { id: { in: [9451, 9452, 9453].map(uuid) } },
  Comment: { id: { gte: 9000 } },
}
