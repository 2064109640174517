import { Schema } from 'prismapi'
import { CursorPagination } from 'prismapi/cursor-pagination'

const excerptLength = 140

export default class PostSchema extends Schema<'Post'> {
  override softDelete = 'deletedAt' as const
  override maxPageSize = 100
  override defaultPagination = { limit: '15' }

  override fields() {
    return [
      this.attribute('slug').singular(),
      this.attribute('content').named('body'),
      this.attribute('excerpt').computed(['content'], ({ content }) => excerpt(content)),
    ]
  }

  override pagination() {
    return new CursorPagination()
  }
}

const excerpt = (content: string): string =>
  content.length > excerptLength ? `${content.slice(0, excerptLength - 1).trimEnd()}…` : content
