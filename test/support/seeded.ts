import type { Comment, Post, Tag, User, Video } from '../../prisma/generated/client/client.ts'
import { commentRow, planSizes, postRow, tagRow, userRow, videoId, videoRow } from '../../prisma/seed-rows.ts'
import { commentResource, postResource, tagResource, userToGuests, videoResource } from './row-documents.ts'

// The rows of the seed, as documents show them.

type Linkage = NonNullable<Parameters<typeof postResource>[1]>

const sizes = planSizes()

export { videoId }

export const seededComment = (id: number, linkage?: Linkage) =>
  commentResource(commentRow(id, sizes) as Comment, linkage)

export const seededVideo = (number: number, linkage?: Linkage) =>
  videoResource(videoRow(number, sizes) as Video, linkage)

export const seededPost = (id: number, linkage?: Linkage) =>
  postResource({ ...postRow(id, sizes), deletedAt: null } as Post, linkage)

export const seededTag = (id: number) => tagResource(tagRow(id) as Tag)

/** As guests read it. */
export const seededUser = (id: number) => userToGuests(userRow(id) as User)
