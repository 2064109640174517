// Checked by `npx tsc`, never run: custom actions as an application writes them.
import { array, dateTime, integer, meta, Policy, type Rules, Schema, string, toMany, toOne, type User } from 'prismapi'
import type { DatabaseClient } from 'prismapi/types'
import type {} from '../../prisma/generated/resources.ts'

declare const record: (db: DatabaseClient) => Promise<void>

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
      this.action('issue', {
        rules: { author: toOne('User').required(), tags: toMany('Tag') },
        meta: { secret: string().required() },
        async handle({ input, find, list, save }) {
          const email: string = input.author.email
          const names: string[] | undefined = input.tags?.map(({ name }) => name)
          const post = await find('Post', 1)
          const [tag] = await list('Tag', { name: `${names}` })
          // @ts-expect-error no such column
          await list('Tag', { title: 'a' })
          // @ts-expect-error no such column
          await save('Tag', tag ?? null, { title: 'a' })
          const saved: { name: string } = await save('Tag', tag ?? null, { name: email })
          return meta({ secret: saved.name }, post ?? [])
        },
      }),
      this.action('wrong', {
        meta: { secret: string().required() },
        // @ts-expect-error not what it declares
        handle: async ({ db }) => meta({ sercet: 'a' }, await db.post.findMany()),
      }),
      this.action('audited', {
        handle({ db, afterCommit }) {
          afterCommit(async (event) => record(event.db))
          // @ts-expect-error the client of a transaction is none for after its commit
          afterCommit(async () => record(db))
        },
      }),
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
