import { Policy, type Rules, type User } from 'prismapi'

export default class VideoPolicy extends Policy<'Video'> {
  override abilities({ can }: Rules<'Video'>, user: User | null) {
    can(this.reads)
    if (!user) return
    can('create')
    can(this.writes, user.role === 'ADMIN' ? {} : { ownerId: user.id })
  }
}
