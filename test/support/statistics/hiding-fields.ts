import type { SchemaClass } from '@prismapi/jsonapi/schema/schema'
import { type Fields, Policy, type Rules, type Serving, type User } from 'prismapi'
import CommentSchema from '../../../src/app/v2/comment.schema.ts'
import PostSchema from '../../../src/app/v2/post.schema.ts'
import V2 from '../../../src/app/v2/server.ts'
import VideoSchema from '../../../src/app/v2/video.schema.ts'
import { videoId } from '../seeded.ts'
import { type Database, exampleWith } from '../servers.ts'

// The second server with more figures and groups, of rows that scopes hide and of fields that rules hide in some rows, or in all.

class Posts extends PostSchema {
  override fields(): Fields {
    return [
      ...super.fields(),
      this.attribute('publishedAt').groupable().aggregatable(),
      this.attribute('synopsis').groupable().aggregatable(),
    ]
  }
}

class Videos extends VideoSchema {
  override fields(): Fields {
    return [
      ...super.fields(),
      this.attribute('durationSeconds').aggregatable().groupable(),
      this.attribute('createdAt').aggregatable().groupable(),
    ]
  }
}

class Comments extends CommentSchema {
  override minimumGroup = 2
  override fields(): Fields {
    return [...super.fields(), this.attribute('createdAt').groupable().aggregatable()]
  }

  // The instant may be hidden, and then no page can be in its order.
  override pagination() {
    return super.pagination().withCursorColumn('id').withAscending()
  }
}

/** Conditions that memory judges, that only the database judges, on columns that may be null, and on columns that are hidden themselves. */
class PostPolicy extends Policy<'Post'> {
  override abilities({ can, cannot }: Rules<'Post'>, user: User | null) {
    can(this.reads)
    if (user?.role === 'ADMIN') return
    cannot('view', 'author', { synopsis: null })
    cannot('view', 'publishedAt', { comments: { some: { authorId: { gt: 4 } } } })
    if (!user) return cannot('view', 'synopsis')
    can('view', ['author', 'publishedAt'], { authorId: user.id })
  }
}

class VideoPolicy extends Policy<'Video'> {
  override abilities({ can, cannot }: Rules<'Video'>, user: User | null) {
    can(this.reads)
    if (user?.role === 'ADMIN') return
    cannot('view', ['rating', 'createdAt'], { durationSeconds: { gte: 400 } })
    cannot('view', 'featured', { rating: { lt: 2 } })
    cannot('view', 'owner', { featured: true })
    if (!user) return cannot('view', 'durationSeconds')
    cannot('view', 'durationSeconds', { owner: { id: { gt: 4 } } })
    can('view', ['rating', 'owner'], { ownerId: user.id })
  }
}

class CommentPolicy extends Policy<'Comment'> {
  override abilities({ can, cannot }: Rules<'Comment'>, user: User | null) {
    can(this.reads)
    if (user?.role === 'ADMIN') return
    cannot('view', 'createdAt', { post: { authorId: 3 } })
    if (!user) return cannot('view', 'author')
    cannot('view', 'author', { postId: null })
    can('view', 'author', { authorId: user.id })
  }
}

class HidingFields extends V2 {
  override serving(phase: Serving): void {
    super.serving(phase)
    phase.scope('User', { id: { not: 5 } })
    phase.scope('Video', { OR: [{ rating: null }, { rating: { not: 4 } }] })
    phase.scope('Comment', { content: { not: { contains: '7' } } })
  }
}

export async function hidingFields() {
  const { policies, servers } = await exampleWith(HidingFields)
  const own = [
    ['Post', PostPolicy],
    ['Video', VideoPolicy],
    ['Comment', CommentPolicy],
  ] as const
  const schemas = Object.entries<SchemaClass>({ Post: Posts, Video: Videos, Comment: Comments })
  return {
    policies: new Map([...policies, ...own]),
    servers: servers.map((server) => ({ ...server, schemas: new Map([...server.schemas, ...schemas]) })),
  }
}

/** The seed is of one day: these are of several years and of the weeks around their turns. */
export async function spreadInstants({ post, comment, video }: Database['writer']): Promise<void> {
  const on = (i: number) => new Date(Date.UTC(2019 + (i % 5), 11, 26 + (i % 13), i % 24))
  for (let i = 0; i < 65; i += 1) {
    const ids = { gte: i * 3 }
    await post.updateMany({ where: { id: ids, publishedAt: { not: null } }, data: { publishedAt: on(i) } })
    await comment.updateMany({ where: { id: ids }, data: { createdAt: on(i) } })
    await video.updateMany({ where: { id: { gte: videoId(i) } }, data: { createdAt: on(i) } })
  }
}
