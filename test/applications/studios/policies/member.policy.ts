import { Policy, type Rules, type User } from 'prismapi'

export default class MemberPolicy extends Policy<'Member', 'issueKey'> {
  override abilities({ can, cannot }: Rules<'Member', 'issueKey'>, user: User | null) {
    if (!user) return
    can(this.reads)
    can('issueKey', { id: user.id })
    if (user.role === 'OWNER') return can(['create', 'update', 'delete', 'issueKey'])
    cannot('view', 'email')
    can('view', 'email', { id: user.id })
  }
}
