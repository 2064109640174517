import { Policy, type Rules, type User } from 'prismapi'

export default class UserPolicy extends Policy<'User'> {
  override abilities({ can }: Rules<'User'>, user: User | null) {
    can(this.reads)
    if (user) can('update', { id: user.id })
  }
}
