import type { Prisma, PrismaClient } from '../../../prisma/generated/client/client.ts'

// Writes in the world of `hidden-world.ts`: what readers see of, and what nobody sees.

type Statement = Prisma.PrismaPromise<unknown>
export type Write = (db: PrismaClient, nth: number) => readonly Statement[]

const video = (number: number) => `00000000-0000-4000-8000-00000000${String(number).padStart(4, '0')}`
const instant = (minute: number) => new Date(Date.UTC(2024, 0, 2, 0, minute))

/** What those who may see the rows are told: each changes what streams show, with the same ids in every world. */
export const seenWrites: readonly Write[] = [
  (db) => [db.tag.update({ where: { id: 1 }, data: { name: 'arts' } })],
  (db) => [db.post.update({ where: { id: 11 }, data: { title: 'Another title' } })],
  (db) => [
    db.comment.create({ data: { id: 90, content: 'New', authorId: 4, postId: 11, createdAt: instant(1) } }),
    db.comment.update({ where: { id: 31 }, data: { content: 'With it' } }),
    db.post.update({ where: { id: 11 }, data: { synopsis: 'And this' } }),
  ],
  (db) => [db.tag.update({ where: { id: 2 }, data: { posts: { connect: { id: 11 } } } })],
  (db) => [db.user.update({ where: { id: 3 }, data: { name: 'Another name' } })],
  (db) => [db.video.update({ where: { id: video(71) }, data: { featured: true, rating: 4 } })],
  (db) => [db.video.update({ where: { id: video(21) }, data: { tags: { connect: { id: 2 } } } })],
  (db) => [db.profile.update({ where: { id: 1 }, data: { bio: 'Told' } })],
  (db) => [db.post.update({ where: { id: 12 }, data: { publishedAt: null } })],
  (db) => [db.post.update({ where: { id: 12 }, data: { publishedAt: instant(2) } })],
  (db) => [db.comment.update({ where: { id: 34 }, data: { videoId: video(71) } })],
  (db) => [
    db.post.update({ where: { id: 63 }, data: { title: 'The first of two' } }),
    db.post.update({ where: { id: 11 }, data: { title: 'The second of two' } }),
    db.user.update({ where: { id: 4 }, data: { name: 'Renamed' } }),
  ],
  (db) => [db.comment.delete({ where: { id: 90 } })],
  (db) => [db.tag.update({ where: { id: 2 }, data: { posts: { disconnect: { id: 11 } } } })],
]

/** A post that time alone publishes, so many milliseconds from now. */
export const publishSoon =
  (milliseconds: number): Write =>
  (db) => [db.post.update({ where: { id: 63 }, data: { publishedAt: new Date(Date.now() + milliseconds) } })]

/** Everything that can become of rows that nobody sees, and of columns: each can be repeated. */
export const hiddenWrites: readonly Write[] = [
  (db, n) => [db.user.update({ where: { id: 9005 }, data: { name: `Hidden user 9005 ${n}` } })],
  (db, n) => [
    db.user.create({
      data: { id: 9900, name: `Hidden user ${n}`, email: `hidden-${n}@example.com`, passwordHash: '' },
    }),
  ],
  (db) => [db.user.delete({ where: { id: 9900 } })],
  (db, n) => [db.profile.update({ where: { id: 9103 }, data: { bio: `Hidden ${n}` } })],
  (db, n) => [db.profile.update({ where: { id: 9104 }, data: { website: `https://hidden.example.com/${n}` } })],
  (db, n) => [db.post.update({ where: { id: 9240 }, data: { content: `Hidden ${n}`, authorId: 3 + (n % 2) } })],
  (db, n) => [db.post.update({ where: { id: 9242 }, data: { content: `Binned ${n}`, deletedAt: new Date() } })],
  (db, n) => [
    db.post.create({
      data: { id: 9900, title: `N hidden ${n}`, slug: `n-${n}`, content: '', publishedAt: instant(3), authorId: 3 },
    }),
    db.tag.update({ where: { id: 1 }, data: { posts: { connect: { id: 9900 } } } }),
  ],
  (db) => [db.post.delete({ where: { id: 9900 } })],
  (db, n) => [db.tag.update({ where: { id: 9303 }, data: { name: `hidden tag 9303 ${n}` } })],
  (db) => [db.tag.update({ where: { id: 9304 }, data: { posts: { connect: { id: 11 } } } })],
  (db) => [db.tag.update({ where: { id: 9304 }, data: { posts: { disconnect: { id: 11 } } } })],
  (db) => [db.tag.update({ where: { id: 9303 }, data: { videos: { connect: { id: video(71) } } } })],
  (db) => [db.tag.update({ where: { id: 9303 }, data: { videos: { disconnect: { id: video(71) } } } })],
  (db, n) => [
    db.tag.create({ data: { id: 9900, name: `hidden tag ${n}`, posts: { connect: [{ id: 11 }, { id: 12 }] } } }),
  ],
  (db) => [db.tag.delete({ where: { id: 9900 } })],
  (db, n) => [db.video.update({ where: { id: video(9451) }, data: { url: `https://hidden.example.com/${n}` } })],
  (db, n) => [db.video.update({ where: { id: video(9453) }, data: { title: `Video hidden ${n}` } })],
  (db, n) => [db.comment.update({ where: { id: 9550 }, data: { content: `hidden ${n}`, postId: 11 + (n % 2) } })],
  (db, n) => [
    db.comment.create({ data: { id: 9900, content: `hidden ${n}`, authorId: 4, postId: 11 } }),
    db.comment.create({ data: { id: 9901, content: `hidden ${n}`, authorId: 3, videoId: video(21) } }),
  ],
  (db) => [db.comment.deleteMany({ where: { id: { gte: 9900 } } })],
  // A column that nobody sees, of a row that is seen.
  (db, n) => [db.$executeRawUnsafe(`UPDATE "User" SET "passwordHash" = 'hash ${n}' WHERE "id" IN (3, 4)`)],
]
