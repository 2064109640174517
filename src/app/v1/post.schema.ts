import { conflict, dateTime, type Fields, Schema } from 'prismapi'

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
        handle({ row, input, db }) {
          const now = new Date()
          if (row.publishedAt && row.publishedAt < now) throw conflict('The post is published already.')
          const publishedAt = input.publishedAt ? new Date(input.publishedAt) : now
          return db.post.update({ where: { id: row.id }, data: { publishedAt } })
        },
      }),
    ]
  }
}
