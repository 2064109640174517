import type { Fields } from 'prismapi'
import CommentSchemaV1 from '../v1/comment.schema.ts'

/** As in v1, with figures. */
export default class CommentSchema extends CommentSchemaV1 {
  override fields(): Fields {
    return [...super.fields(), this.attribute('createdAt').groupable(), this.relation('author').groupable()]
  }
}
