import { openDatabase } from '../../../src/app/database.ts'
import { providerOf } from '../../../src/app/database-url.ts'
import { busyMember } from './served.ts'

/** Videos whose titles are as long as a body may be: the example sets no end to what else writes them. */
const longTitles = 60
const titleCharacters = 1_000_000
/** Posts of one member with all tags there are, which takes a member a few requests for each of them. */
const taggedPosts = 10

/**
 * Makes the rows of a seeded database as uneven as rows can be: one member has half of all posts and comments, one post and one tag have
 * half of what leads to them, ten posts and a video have all tags, and one owner has videos with titles of a megabyte.
 */
export async function skew(url: string): Promise<void> {
  const { writer, close } = await openDatabase(url)
  const isPostgres = providerOf(url) === 'postgresql'
  const half = (table: string) => `"id" <= (SELECT max("id") / 2 FROM "${table}")`
  const first = busyMember
  const last = first + taggedPosts - 1
  const video = `(SELECT min("id") FROM "Video" WHERE "ownerId" = ${busyMember})`
  const title = isPostgres ? `repeat('a', ${titleCharacters})` : `printf('%.*c', ${titleCharacters}, 'a')`
  const statements = [
    `UPDATE "Post" SET "authorId" = ${busyMember} WHERE ${half('Post')}`,
    `UPDATE "Comment" SET "authorId" = ${busyMember} WHERE ${half('Comment')}`,
    `UPDATE "Comment" SET "postId" = 3 WHERE "postId" IS NOT NULL AND ${half('Comment')}`,
    `INSERT INTO "_PostToTag" ("A", "B") SELECT "id", 3 FROM "Post" WHERE ${half('Post')} ON CONFLICT DO NOTHING`,
    `INSERT INTO "_PostToTag" ("A", "B") SELECT p."id", t."id" FROM "Post" p, "Tag" t WHERE p."id" BETWEEN ${first} AND ${last} ON CONFLICT DO NOTHING`,
    `UPDATE "Video" SET "ownerId" = ${busyMember}, "title" = ${title} || "id" WHERE "id" IN (SELECT "id" FROM "Video" ORDER BY "id" LIMIT ${longTitles})`,
    `INSERT INTO "_TagToVideo" ("A", "B") SELECT t."id", ${video} FROM "Tag" t WHERE true ON CONFLICT DO NOTHING`,
    `UPDATE "Comment" SET "postId" = 3, "videoId" = NULL WHERE "videoId" = ${video}`,
  ]
  await writer.$transaction(
    async (transaction) => {
      if (isPostgres) await transaction.$executeRawUnsafe('SET LOCAL statement_timeout = 0')
      for (const sql of statements) await transaction.$executeRawUnsafe(sql)
    },
    { timeout: 600_000 },
  )
  if (isPostgres) await writer.$executeRawUnsafe('ANALYZE')
  await close()
}
