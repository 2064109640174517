import { Policy, type Rules, type User } from 'prismapi'

/** What no rule names is denied. */
export default class PostPolicy extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>, user: User | null) {
    can(this.reads)
    if (!user) return
    can('create')
    can(['update', 'delete'], { authorId: user.id })
  }
}
