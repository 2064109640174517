import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { resources } from '../../../prisma/generated/resources.ts'

// Few rows of every model, alike in some values and different in others, with many nulls, and with no, one and several rows
// on every side of every relation.

const pick = <T>(values: readonly T[], turn: number): T => values[turn % values.length] as T
const times = <T>(count: number, make: (number: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i + 1))
const day = (number: number): Date => new Date(Date.UTC(2024, 0, number, 12))
const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** They differ in case, and hold what a search or a list could take for something else. */
const texts = ['ann', 'Ann', 'bo', 'Bob', 'x,y', 'a%b', 'a_b', 'axb', ''] as const

const users = times(7, (id) => ({
  id,
  name: pick(texts, id),
  email: `mail${'abcdefg'[id - 1]}`,
  role: pick(['MEMBER', 'EDITOR', 'ADMIN'] as const, id),
  passwordHash: 'none',
  createdAt: day(id),
  updatedAt: day(1 + (id % 2)),
}))

const profiles = times(5, (id) => ({
  id,
  userId: id,
  bio: pick([null, 'ann', 'Bob'], id),
  website: pick(['https://a', null, 'http://b'], id),
}))

const tags = times(5, (id) => ({ id, name: 'abcde'[id - 1] as string }))

const posts = times(14, (id) => ({
  id,
  title: pick(texts, id * 2),
  slug: `slug${'abcdefghijklmn'[id - 1]}`,
  content: pick(['one', 'two'], id),
  synopsis: pick([null, 'ann', 'Bo', null, 'x,y'], id),
  publishedAt: pick([null, day(3), day(5), day(7)], id),
  deletedAt: pick([null, null, day(9)], id),
  createdAt: day(id),
  updatedAt: day(1 + (id % 3)),
  authorId: 1 + ((id * 5) % 6),
}))

const videos = times(8, (number) => ({
  id: uuid(number),
  title: pick(texts, number * 3),
  url: `https://v${'abcdefgh'[number - 1]}`,
  featured: number % 3 === 0,
  durationSeconds: pick([null, 10, 20, -5], number),
  rating: pick([2.5, null, 0, 4], number),
  createdAt: day(number),
  ownerId: pick([null, 1, 2, 7], number),
}))

const comments = times(26, (id) => ({
  id,
  content: pick(texts, id * 4),
  createdAt: day(1 + (id % 9)),
  authorId: 1 + ((id * 3) % 7),
  postId: id % 3 === 0 ? null : 1 + ((id * id) % 11),
  videoId: id % 3 === 0 ? uuid(1 + (id % 6)) : null,
}))

const tagged = (number: number) => tags.filter(({ id }) => id < 5 && (number + id) % 4 === number % 3)

/** Puts these rows in the place of all others. */
export async function fillWorld(db: PrismaClient): Promise<void> {
  await db.comment.deleteMany()
  await db.video.deleteMany()
  await db.post.deleteMany()
  await db.tag.deleteMany()
  await db.user.deleteMany()
  await db.user.createMany({ data: users })
  await db.profile.createMany({ data: profiles })
  await db.tag.createMany({ data: tags })
  await db.post.createMany({ data: posts })
  await db.video.createMany({ data: videos })
  await db.comment.createMany({ data: comments })
  const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => ({ id }))
  for (const { id } of posts) await db.post.update({ where: { id }, data: { tags: { connect: idsOf(tagged(id)) } } })
  for (const [i, { id }] of videos.entries())
    await db.video.update({ where: { id }, data: { tags: { connect: idsOf(tagged(i + 2)) } } })
  // PostgreSQL takes tables that it knows nothing of for large ones, and its plans for them take long.
  if (resources.provider !== 'mysql') await db.$executeRawUnsafe('ANALYZE')
}

export type Scalar = string | number | boolean | Date | null

/** A row with the rows that it is related to. */
export interface Row {
  readonly id: string | number
  readonly values: Readonly<Record<string, Scalar>>
  /** By relation: a list, or one row or null. */
  readonly related: Record<string, readonly Row[] | Row | null>
}

export type Type = 'users' | 'profiles' | 'tags' | 'posts' | 'videos' | 'comments'
export type World = Readonly<Record<Type, readonly Row[]>>

/** The same rows, linked, for whoever computes what a filter should find. */
export function linkedWorld(): World {
  const rowsOf = <T extends { readonly id: string | number }>(rows: readonly T[]): Row[] =>
    rows.map(({ id, ...values }) => ({ id, values: values as Row['values'], related: {} }))
  const world = {
    users: rowsOf(users),
    profiles: rowsOf(profiles),
    tags: rowsOf(tags),
    posts: rowsOf(posts),
    videos: rowsOf(videos),
    comments: rowsOf(comments),
  }
  const one = (rows: readonly Row[], key: string, to: readonly Row[], name: string, inverse: string) => {
    for (const row of rows) row.related[name] = to.find(({ id }) => id === row.values[key]) ?? null
    for (const row of to) row.related[inverse] = rows.filter(({ values }) => values[key] === row.id)
  }
  one(world.posts, 'authorId', world.users, 'author', 'posts')
  one(world.comments, 'authorId', world.users, 'author', 'comments')
  one(world.comments, 'postId', world.posts, 'post', 'comments')
  one(world.comments, 'videoId', world.videos, 'video', 'comments')
  one(world.videos, 'ownerId', world.users, 'owner', 'videos')
  one(world.profiles, 'userId', world.users, 'user', 'profiles')
  for (const row of world.users) row.related.profile = (row.related.profiles as readonly Row[])[0] ?? null
  const link = (rows: readonly Row[], name: string, number: (row: Row, i: number) => number) => {
    for (const [i, row] of rows.entries()) {
      const ids = tagged(number(row, i)).map(({ id }) => id)
      row.related.tags = world.tags.filter(({ id }) => ids.includes(id as number))
    }
    for (const tag of world.tags)
      tag.related[name] = rows.filter(({ related }) => (related.tags as readonly Row[]).includes(tag))
  }
  link(world.posts, 'posts', ({ id }) => id as number)
  link(world.videos, 'videos', (_, i) => i + 2)
  return world
}

export type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'enum'

interface AttributeShape {
  readonly kind: Kind
  readonly isNullable?: boolean
  /** Databases agree on the order of lower-case letters, and not on that of all other texts. */
  readonly isOrdered?: boolean
}

interface RelationShape {
  readonly to: Type
  readonly isMany: boolean
}

interface Shape {
  readonly attributes: Readonly<Record<string, AttributeShape>>
  readonly relations: Readonly<Record<string, RelationShape>>
}

const text: AttributeShape = { kind: 'text' }
const letters: AttributeShape = { kind: 'text', isOrdered: true }
const date: AttributeShape = { kind: 'date' }
const nullable = (shape: AttributeShape): AttributeShape => ({ ...shape, isNullable: true })
const one = (to: Type): RelationShape => ({ to, isMany: false })
const many = (to: Type): RelationShape => ({ to, isMany: true })

/** What can be filtered by, as the documentation says it. */
export const shapes: Readonly<Record<Type, Shape>> = {
  users: {
    attributes: { name: text, email: letters, role: { kind: 'enum' }, createdAt: date, updatedAt: date },
    relations: { posts: many('posts'), comments: many('comments'), videos: many('videos'), profile: one('profiles') },
  },
  profiles: { attributes: { bio: nullable(text), website: nullable(text) }, relations: { user: one('users') } },
  tags: { attributes: { name: letters }, relations: { posts: many('posts'), videos: many('videos') } },
  posts: {
    attributes: {
      title: text,
      slug: letters,
      content: letters,
      synopsis: nullable(text),
      publishedAt: nullable(date),
      deletedAt: nullable(date),
      createdAt: date,
    },
    relations: { author: one('users'), tags: many('tags'), comments: many('comments') },
  },
  videos: {
    attributes: {
      title: text,
      featured: { kind: 'boolean' },
      durationSeconds: nullable({ kind: 'integer' }),
      rating: nullable({ kind: 'number' }),
      createdAt: date,
    },
    relations: { owner: one('users'), tags: many('tags'), comments: many('comments') },
  },
  comments: {
    attributes: { content: text, createdAt: date },
    relations: { author: one('users'), post: one('posts'), video: one('videos') },
  },
}
