import type { PrismaClient } from '../../prisma/generated/client/client.ts'

/** Every row of the example with its many-to-many links: equal before and after means that nothing was written. */
export async function snapshot(db: PrismaClient) {
  const orderBy = { id: 'asc' } as const
  const tags = { select: { id: true }, orderBy }
  return {
    users: await db.user.findMany({ orderBy }),
    profiles: await db.profile.findMany({ orderBy }),
    posts: await db.post.findMany({ orderBy, include: { tags } }),
    tags: await db.tag.findMany({ orderBy }),
    videos: await db.video.findMany({ orderBy, include: { tags } }),
    comments: await db.comment.findMany({ orderBy }),
  }
}
