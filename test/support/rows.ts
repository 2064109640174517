import type { Prisma, PrismaClient } from '../../prisma/generated/client/client.ts'
import { users } from './api.ts'

// Rows that a test may change, so that those of the seed stay as they are.

let count = 0

/** A published post of member 3, without tags and comments. */
export function addPost(db: PrismaClient, data: Partial<Prisma.PostUncheckedCreateInput> = {}) {
  const number = ++count
  return db.post.create({
    data: {
      title: `Added post ${number}`,
      slug: `added-post-${number}`,
      content: 'It has something to say.',
      publishedAt: new Date('2024-05-01T00:00:00Z'),
      createdAt: new Date('2024-05-01T00:00:00Z'),
      updatedAt: new Date('2024-05-01T00:00:00Z'),
      authorId: users.member3,
      ...data,
    },
  })
}

export const addTag = (db: PrismaClient, name = `added-tag-${++count}`) => db.tag.create({ data: { name } })

/** A member with nothing but an account. */
export function addUser(db: PrismaClient, data: Partial<Prisma.UserUncheckedCreateInput> = {}) {
  const number = ++count
  return db.user.create({
    data: { name: `Added user ${number}`, email: `added${number}@example.com`, passwordHash: 'scrypt$', ...data },
  })
}

export const tagsOf = async (db: PrismaClient, postId: number): Promise<number[]> => {
  const tags = await db.tag.findMany({ where: { posts: { some: { id: postId } } }, orderBy: { id: 'asc' } })
  return tags.map(({ id }) => id)
}
