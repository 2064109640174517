import { Policy, type Rules, type User } from 'prismapi'

export default class RoomPolicy extends Policy<'Room'> {
  override abilities({ can }: Rules<'Room'>, user: User | null) {
    if (!user) return
    can(this.reads)
    if (user.role === 'OWNER') can(['create', 'update', 'delete'])
  }
}
