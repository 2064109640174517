import { type Fields, Schema } from 'prismapi'
import { CursorPagination } from 'prismapi/cursor-pagination'

export default class CommentSchema extends Schema<'Comment'> {
  override defaultPagination = { limit: '20' }

  override fields(): Fields {
    return [this.morphTo('commentable', ['post', 'video'])]
  }

  override pagination() {
    return new CursorPagination().withDefaultPerPage(20)
  }
}
