import { Policy, type Rules, type User } from 'prismapi'

export default class ChangePolicy extends Policy {
  override abilities({ can }: Rules, user: User | null) {
    if (user?.role === 'OWNER') can(this.reads)
  }
}
