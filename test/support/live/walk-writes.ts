import type { Prisma, PrismaClient } from '../../../prisma/generated/client/client.ts'

// Writes in the world of `hidden-world.ts`: what readers see of, and what nobody sees. Each can come at any time, and again.

type Statement = Prisma.PrismaPromise<unknown>
/** The number makes each of them another one. */
export type Write = (db: PrismaClient, n: number) => readonly Statement[]

const video = (number: number) => `00000000-0000-4000-8000-00000000${String(number).padStart(4, '0')}`
const instant = (minute: number) => new Date(Date.UTC(2024, 0, 2, 0, minute))

/** What those who may see the rows are told, with the same ids in every world; some of them hide a row by this, or show it again. */
export const seenWrites: readonly Write[] = [
  (db, n) => [db.tag.update({ where: { id: 1 }, data: { name: `art ${n}` } })],
  (db, n) => [db.tag.update({ where: { id: 2 }, data: { name: n % 3 === 0 ? `hidden by ${n}` : `music ${n}` } })],
  (db, n) => [db.tag.update({ where: { id: 2 }, data: { posts: { [n % 2 ? 'connect' : 'disconnect']: { id: 11 } } } })],
  (db, n) => [db.post.update({ where: { id: 11 }, data: { title: n % 3 === 0 ? `Now hidden ${n}` : `Title ${n}` } })],
  (db, n) => [db.post.update({ where: { id: 12 }, data: { publishedAt: n % 2 ? instant(n % 60) : null } })],
  (db, n) => [
    db.comment.upsert({
      where: { id: 90 },
      create: { id: 90, content: 'New', authorId: 4, postId: 11, createdAt: instant(1) },
      update: { content: `Newer ${n}` },
    }),
    db.comment.update({ where: { id: 31 }, data: { content: `With it ${n}` } }),
    db.post.update({ where: { id: 11 }, data: { synopsis: `And this ${n}` } }),
  ],
  (db) => [db.comment.deleteMany({ where: { id: 90 } })],
  (db, n) => [db.comment.update({ where: { id: 34 }, data: { videoId: video(n % 2 ? 21 : 71) } })],
  (db, n) => [db.user.update({ where: { id: 3 }, data: { name: `Member ${n}` } })],
  (db, n) => [db.user.update({ where: { id: 3 }, data: { role: n % 2 ? 'EDITOR' : 'MEMBER' } })],
  (db, n) => [db.user.update({ where: { id: 4 }, data: { name: n % 3 === 0 ? `Hidden ${n}` : `Other ${n}` } })],
  (db, n) => [db.profile.update({ where: { id: 1 }, data: { bio: `Told ${n}` } })],
  (db, n) => [db.video.update({ where: { id: video(71) }, data: { rating: n % 3 === 0 ? 0.5 : 1 + (n % 4) } })],
  (db, n) => [
    db.video.update({ where: { id: video(21) }, data: { tags: { [n % 2 ? 'connect' : 'disconnect']: { id: 2 } } } }),
  ],
  (db, n) => [
    db.post.update({ where: { id: 63 }, data: { title: `The first of two ${n}` } }),
    db.post.update({ where: { id: 11 }, data: { slug: `the-second-of-two-${n}` } }),
    db.user.update({ where: { id: 4 }, data: { name: `Renamed ${n}` } }),
  ],
]

/** What guests see of a collection comes, or goes. */
export const publishNow =
  (isPublished: boolean): Write =>
  (db) => [db.post.update({ where: { id: 12 }, data: { publishedAt: isPublished ? instant(1) : null } })]

/** A post that time alone publishes, so many milliseconds from now. */
export const publishSoon =
  (milliseconds: number): Write =>
  (db) => [db.post.update({ where: { id: 63 }, data: { publishedAt: new Date(Date.now() + milliseconds) } })]

const hiddenPost = (n: number) => ({ title: `N hidden ${n}`, slug: `n-${n}`, content: '', publishedAt: instant(3) })

/** Everything that can become of rows that nobody sees, and of columns. */
export const hiddenWrites: readonly Write[] = [
  (db, n) => [db.user.update({ where: { id: 9005 }, data: { name: `Hidden user 9005 ${n}` } })],
  (db, n) => [
    db.user.upsert({
      where: { id: 9900 },
      create: { id: 9900, name: `Hidden user ${n}`, email: `hidden-${n}@example.com`, passwordHash: '' },
      update: { email: `hidden-${n}@example.com` },
    }),
  ],
  (db) => [db.user.deleteMany({ where: { id: 9900 } })],
  (db, n) => [db.profile.update({ where: { id: 9103 }, data: { bio: `Hidden ${n}` } })],
  (db, n) => [db.profile.update({ where: { id: 9104 }, data: { website: `https://hidden.example.com/${n}` } })],
  (db, n) => [db.post.update({ where: { id: 9240 }, data: { content: `Hidden ${n}`, authorId: 3 + (n % 2) } })],
  (db, n) => [db.post.update({ where: { id: 9242 }, data: { content: `Binned ${n}`, deletedAt: new Date() } })],
  (db, n) => [
    db.post.upsert({
      where: { id: 9900 },
      create: { id: 9900, authorId: 3, ...hiddenPost(n) },
      update: hiddenPost(n),
    }),
    db.tag.update({ where: { id: 1 }, data: { posts: { connect: { id: 9900 } } } }),
  ],
  (db) => [db.post.deleteMany({ where: { id: 9900 } })],
  (db, n) => [db.tag.update({ where: { id: 9303 }, data: { name: `hidden tag 9303 ${n}` } })],
  (db, n) => [
    db.tag.update({ where: { id: 9304 }, data: { posts: { [n % 2 ? 'connect' : 'disconnect']: { id: 11 } } } }),
  ],
  (db, n) => [
    db.tag.update({ where: { id: 9303 }, data: { videos: { [n % 2 ? 'connect' : 'disconnect']: { id: video(71) } } } }),
  ],
  (db, n) => [
    db.tag.upsert({
      where: { id: 9900 },
      create: { id: 9900, name: `hidden tag ${n}`, posts: { connect: [{ id: 11 }, { id: 12 }] } },
      update: { name: `hidden tag ${n}` },
    }),
  ],
  (db) => [db.tag.deleteMany({ where: { id: 9900 } })],
  (db, n) => [db.video.update({ where: { id: video(9451) }, data: { url: `https://hidden.example.com/${n}` } })],
  (db, n) => [db.video.update({ where: { id: video(9453) }, data: { title: `Video hidden ${n}` } })],
  (db, n) => [db.comment.update({ where: { id: 9550 }, data: { content: `hidden ${n}`, postId: 11 + (n % 2) } })],
  (db, n) => [
    db.comment.createMany({
      data: [
        { id: 9900 + 2 * n, content: `hidden ${n}`, authorId: 4, postId: 11 },
        { id: 9901 + 2 * n, content: `hidden ${n}`, authorId: 3, videoId: video(21) },
      ],
    }),
  ],
  (db) => [db.comment.deleteMany({ where: { id: { gte: 9900 } } })],
  // A column that nobody sees, of a row that is seen.
  (db, n) => [db.$executeRawUnsafe(`UPDATE "User" SET "passwordHash" = 'hash ${n}' WHERE "id" IN (3, 4)`)],
]
