import { Policy, type Rules, type User } from 'prismapi'

export default class ProfilePolicy extends Policy<'Profile'> {
  override abilities({ can }: Rules<'Profile'>, user: User | null) {
    can(this.reads)
    if (user) can('update', { userId: user.id })
  }
}
