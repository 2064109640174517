import { dateTime, type Fields, Schema } from 'prismapi'

export default class PostSchema extends Schema<'Post'> {
  override readonly defaultSort = '-createdAt'
  override softDelete = 'deletedAt' as const

  override fields(): Fields {
    return [this.attribute('slug').singular(), this.attribute('deletedAt').hidden()]
  }

  override actions() {
    return [
      this.action('publish', {
        rules: { publishedAt: dateTime() },
        unless: ({ publishedAt }) =>
          publishedAt && publishedAt < new Date() ? 'The post is published already.' : null,
        handle({ row, input, db }) {
          const publishedAt = input.publishedAt ? new Date(input.publishedAt) : new Date()
          return db.post.update({ where: { id: row.id }, data: { publishedAt } })
        },
      }),
    ]
  }
}
