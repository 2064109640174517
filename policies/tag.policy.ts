import { Policy, type Rules, type User } from 'prismapi'

export default class TagPolicy extends Policy<'Tag'> {
  override abilities({ can }: Rules<'Tag'>, user: User | null) {
    can(this.reads)
    if (user?.role === 'ADMIN') can(['create', this.writes])
  }
}
