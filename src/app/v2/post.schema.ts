import type { Fields } from 'prismapi'
import { CursorProfilePagination } from 'prismapi/cursor-pagination'
import { resources } from '../../../prisma/generated/resources.ts'
import PostSchemaV1 from '../v1/post.schema.ts'

const excerptLength = 140

/** As in v1, but for its pages, its figures, the name of the content, an excerpt, and deleted posts that can be restored. */
export default class PostSchema extends PostSchemaV1 {
  // The tests run it on MariaDB, too, which has no such search.
  override readonly search =
    resources.provider === 'mysql'
      ? undefined
      : { fields: ['title', 'synopsis', 'content'] as const, language: 'english' }
  override maxPageSize = 100
  override defaultPagination = { size: '15' }

  override fields(): Fields {
    return [
      this.attribute('slug').singular(),
      this.attribute('content').named('body'),
      this.attribute('publishedAt').groupable(),
      this.relation('author').groupable(),
      this.attribute('excerpt').computed(['content'], ({ content }) => excerpt(content)),
    ]
  }

  override pagination() {
    return new CursorProfilePagination()
  }
}

const excerpt = (content: string): string =>
  content.length > excerptLength ? `${content.slice(0, excerptLength - 1).trimEnd()}…` : content
