import { ResourceRequest, string, toOne } from 'prismapi'

const updating = { content: string().required().max(10_000) }
const creating = { ...updating, commentable: toOne().required() }
const administrators = { ...creating, author: toOne() }

export default class CommentRequest extends ResourceRequest<'Comment', 'commentable'> {
  override rules() {
    // What a comment is about never changes, nor who wrote it: without a rule, what an update says of it is ignored.
    if (!this.isCreating()) return this.checked(updating)
    return this.user?.role === 'ADMIN' ? this.checked(administrators) : this.checked(creating)
  }
}
