import { Policy, type Rules, type User } from 'prismapi'

export default class UserPolicy extends Policy<'User'> {
  override abilities({ can }: Rules<'User'>, user: User | null) {
    if (!user) return
    can(this.rowReads)
    can('update', { id: user.id })
    if (user.role === 'ADMIN') can(['viewAny', 'create', 'update', 'delete'])
  }
}
