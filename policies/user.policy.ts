import { Policy, type Rules, type User } from 'prismapi'

export default class UserPolicy extends Policy<'User'> {
  override abilities({ can, cannot }: Rules<'User'>, user: User | null) {
    // Guests meet users where nothing asks for `view`: as the authors of posts.
    if (!user) return cannot('view', ['email', 'role'])
    can(this.rowReads)
    can('update', { id: user.id })
    cannot(['view', 'update'], 'email')
    can('view', 'email', { id: user.id })
    if (user.role === 'ADMIN') can(['viewAny', 'view', 'create', 'update', 'delete'])
  }
}
