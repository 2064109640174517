import { ResourceRequest, string, toOne } from 'prismapi'

export default class CommentRequest extends ResourceRequest<'Comment', 'commentable'> {
  override rules() {
    return {
      content: string().required(),
      // What a comment is about never changes, nor who wrote it: without a rule, what an update says of it is ignored.
      ...(this.isCreating() && { commentable: toOne().required() }),
      ...(this.isCreating() && this.user?.role === 'ADMIN' && { author: toOne() }),
    }
  }
}
