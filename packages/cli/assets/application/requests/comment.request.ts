import { ResourceRequest, string, toOne } from 'prismapi'

/** What clients may write of comments. Who wrote it, the server knows. */
export default class CommentRequest extends ResourceRequest<'Comment'> {
  override rules() {
    return this.checked({ content: string().required(), post: toOne().required() })
  }
}
