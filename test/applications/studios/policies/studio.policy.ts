import { Policy, type Rules, type User } from 'prismapi'

export default class StudioPolicy extends Policy<'Studio'> {
  override abilities({ can }: Rules<'Studio'>, user: User | null) {
    if (!user) return
    can(this.reads)
    if (user.role === 'OWNER') can('update')
  }
}
