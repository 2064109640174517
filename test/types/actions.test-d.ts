// Checked by `npx tsc`, never run: custom actions as an application writes them.
import { array, dateTime, integer, meta, Policy, type Rules, Schema, string, type User } from 'prismapi'
import type {} from '../../prisma/generated/resources.ts'

export class Rightly extends Schema<'Post'> {
  override actions() {
    return [
      this.action('publish', {
        rules: { publishedAt: dateTime(), tags: array(integer().required()).required(), 'tags.*': integer() },
        handle({ row, input, db, user, find, afterCommit }) {
          const title: string = row.title
          const publishedAt: string | undefined = input.publishedAt
          const [tag]: number[] = input.tags
          // @ts-expect-error no rule, no input
          input.title
          // @ts-expect-error a path below a member is none of its own
          input['tags.*']
          // @ts-expect-error no such column
          row.titel
          afterCommit(async () => void (await find(String(tag)))?.slug)
          return db.post.update({ where: { id: row.id }, data: { title: `${title} ${publishedAt} ${user?.email}` } })
        },
      }),
      this.action('import', {
        on: 'collection',
        method: 'PUT',
        answers: 'Tag',
        status: 201,
        rules: { name: string().required() },
        handle: async ({ row, input, db }) => {
          const none: null = row
          const name: string = input.name
          return none ?? [await db.tag.create({ data: { name } })]
        },
      }),
      this.action('count', { handle: async ({ db }) => meta({ posts: await db.post.count() }) }),
      this.action('touch', { async handle() {} }),
      this.action('gone', { handle: () => null }),
      this.action('wrong', {
        // @ts-expect-error neither a row nor meta
        handle: () => 3,
      }),
      // @ts-expect-error no such model
      this.action('wrong', { answers: 'Tags', handle: () => null }),
      // @ts-expect-error no such verb
      this.action('wrong', { method: 'post', handle: () => null }),
    ]
  }
}

export class Publishing extends Policy<'Post', 'publish' | 'import'> {
  override abilities({ can, cannot }: Rules<'Post', 'publish' | 'import'>, user: User | null) {
    can(['publish', 'import'])
    cannot('publish', { authorId: user?.id ?? 0 })
    // @ts-expect-error an action that is not named
    can('unpublish')
  }
}
