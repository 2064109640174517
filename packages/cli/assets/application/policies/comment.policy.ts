import { Policy, type Rules, type User } from 'prismapi'

export default class CommentPolicy extends Policy<'Comment'> {
  override abilities({ can }: Rules<'Comment'>, user: User | null) {
    can(this.reads)
    if (!user) return
    can('create')
    can(['update', 'delete'], { authorId: user.id })
  }
}
