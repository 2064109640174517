import { Policy, type Rules, type User } from 'prismapi'

export default class CommentPolicy extends Policy<'Comment', 'commentable'> {
  override abilities({ can }: Rules<'Comment', 'commentable'>, user: User | null) {
    can(this.reads)
    if (!user) return
    can('create')
    can(['update', 'delete'], { authorId: user.id })
    if (user.role !== 'MEMBER') can('delete')
  }
}
